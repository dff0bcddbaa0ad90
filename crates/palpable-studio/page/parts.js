// Parts of machines: springs, dampers, pins, rails, balls and what holds them to the world.
// @ts-check
import * as THREE from './vendor/three.module.js';
import { Coils } from './coil.js';
import { palette } from './palette.js';
import { quality } from './quality.js';
import { ball, rod, roundedBox, surface } from './solids.js';

/** @typedef {import('./shapes.js').SceneInfo} SceneInfo
 *  @typedef {import('./shapes.js').ElementInfo} ElementInfo
 *  @typedef {import('./shapes.js').End} End */

const UP = new THREE.Vector3(0, 0, 1);

/** Where an end is and which way its axis points. */
class Place {
  constructor() {
    this.at = new THREE.Vector3();
    this.axis = new THREE.Vector3();
    this.middle = new THREE.Vector3();
  }
}

/** Many solids of one shape, each with its own size. */
class Many {
  /** @param {THREE.BufferGeometry} shape of unit size @param {number} count
   *  @param {THREE.Material} material @param {boolean} shadows */
  constructor(shape, count, material, shadows) {
    this.mesh = new THREE.InstancedMesh(shape, material, Math.max(1, count));
    this.mesh.count = 0;
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = this.mesh.receiveShadow = shadows;
    this.mesh.raycast = () => {};
    this.matrix = new THREE.Matrix4();
    this.turn = new THREE.Quaternion();
    this.size = new THREE.Vector3();
  }

  begin() { this.mesh.count = 0; }

  /** @param {THREE.Vector3} at @param {THREE.Vector3} axis of length 1 @param {number} wide
   *  @param {number} long */
  add(at, axis, wide, long) {
    if (!Number.isFinite(at.x + at.y + at.z)) return;
    this.turn.setFromUnitVectors(UP, axis);
    this.matrix.compose(at, this.turn, this.size.set(wide, wide, long));
    this.mesh.setMatrixAt(this.mesh.count++, this.matrix);
  }

  end() { this.mesh.instanceMatrix.needsUpdate = true; }
}

export class Parts {
  /**
   * @param {SceneInfo} info @param {THREE.Object3D[]} bodies @param {number} reach of the scene
   * @param {{dark: boolean, shadows: boolean}} how
   */
  constructor(info, bodies, reach, { dark, shadows }) {
    this.info = info;
    this.bodies = bodies;
    this.reach = reach;
    this.group = new THREE.Group();
    const { steel, dark: black, fixed } = palette(dark);
    const metal = surface({ color: steel, roughness: 0.38, metalness: quality.rich ? 0.7 : 0 });
    const matte = surface({ color: black, roughness: 0.55, metalness: quality.rich ? 0.25 : 0 });
    const stone = surface({ color: fixed, roughness: 0.8 });
    const shown = info.elements.filter((e) => !e.port && e.form && e.form !== 'none');
    this.springs = shown.filter((e) => e.form === 'spring' || e.form === 'torsion');
    this.others = shown.filter((e) => !this.springs.includes(e));
    this.radii = this.springs.map((e) => this.coilRadius(e));
    this.coils = new Coils(this.springs.length, dark, shadows);
    const n = shown.length + (info.pins?.length ?? 0);
    const many = (/** @type {THREE.BufferGeometry} */ shape, /** @type {THREE.Material} */ of,
      count = n) => new Many(shape, count, of, shadows);
    this.pins = many(rod(1, 1, 28), matte);
    this.balls = many(ball(1, 24), matte);
    this.rods = many(rod(1, 1, 14), metal, 4 * n);
    this.cups = many(rod(1, 1, 24), matte, 2 * n);
    this.feet = many(roundedBox([1, 1, 0.5], 0.18), stone, 2 * n);
    this.all = [this.pins, this.balls, this.rods, this.cups, this.feet];
    this.group.add(this.coils.mesh, ...this.all.map((m) => m.mesh));
    this.ends = [new Place(), new Place()];
  }

  /** Where one end of an element is now. @param {End} end @param {Place} place */
  find(end, place) {
    place.at.fromArray(end.point);
    place.axis.fromArray(end.axis ?? [0, 0, 1]);
    if (end.body === null) {
      place.middle.copy(place.at);
      return;
    }
    const body = this.bodies[end.body];
    place.at.applyMatrix4(body.matrix);
    place.axis.applyQuaternion(body.quaternion);
    place.middle.copy(body.userData.middle).applyMatrix4(body.matrix);
  }

  /** The half extent of a body along one of its directions [m]. @param {number | null} index
   *  @param {number[]} axis in its axes */
  extent(index, axis) {
    const size = index === null ? null : this.bodies[index]?.userData.half;
    if (!size) return 0;
    return Math.abs(axis[0]) * size.x + Math.abs(axis[1]) * size.y + Math.abs(axis[2]) * size.z;
  }

  /** The smallest half extent of a body [m]. @param {number | null} index */
  thin(index) {
    const size = index === null ? null : this.bodies[index]?.userData.half;
    return size ? Math.min(size.x, size.y, size.z) : Infinity;
  }

  /** @param {ElementInfo} element */
  coilRadius(element) {
    const half = Math.min(...element.ends.map((e) => this.thin(e.body)));
    return Math.max(this.reach * 0.008, Math.min(this.reach * 0.028, half * 0.55));
  }

  place() {
    this.springs.forEach((element, i) => this.placeSpring(element, i));
    this.coils.done();
    this.all.forEach((m) => m.begin());
    this.springs.forEach((element) => this.hang(element));
    this.others.forEach((element) => this.placeOther(element));
    this.info.pins?.forEach((pin) => this.placePin(pin));
    this.all.forEach((m) => m.end());
  }

  /** A coil between the anchors; springs of no length between bodies far apart stand for springs
   *  that have one, and are drawn from body to body. @param {ElementInfo} element
   *  @param {number} i */
  placeSpring(element, i) {
    const [a, b] = this.ends;
    this.find(element.ends[0], a);
    this.find(element.ends[1], b);
    const radius = this.radii[i];
    if (element.form === 'torsion') {
      const to = a.at.clone().addScaledVector(a.axis, this.reach * 0.03);
      this.coils.place(i, a.at, to, this.reach * 0.12);
      return;
    }
    const gap = a.at.distanceTo(b.at);
    const stems = a.at.distanceTo(a.middle) + b.at.distanceTo(b.middle);
    if (gap < 0.35 * stems) this.coils.place(i, a.middle, b.middle, radius);
    else this.coils.place(i, a.at, b.at, radius);
  }

  /** What a spring hangs on in the world. @param {ElementInfo} element */
  hang(element) {
    const [a, b] = this.ends;
    element.ends.forEach((end, side) => this.find(end, this.ends[side]));
    element.ends.forEach((end, side) => {
      if (end.body !== null) return;
      const here = this.ends[side];
      const away = here.at.clone().sub((side === 0 ? b : a).at);
      const length = away.length();
      const size = this.reach * 0.022;
      if (element.form === 'torsion') return;
      // the face of the block towards the spring
      const axis = length > size ? away.divideScalar(length) : UP;
      this.feet.add(here.at.clone().addScaledVector(axis, size * 0.35), axis, size, size);
    });
  }

  /** @param {ElementInfo} element */
  placeOther(element) {
    const [a, b] = this.ends;
    element.ends.forEach((end, side) => this.find(end, this.ends[side]));
    const [ia, ib] = element.ends.map((e) => e.body);
    const thin = Math.min(this.thin(ia), this.thin(ib), this.reach * 0.06);
    const size = Math.max(thin, this.reach * 0.007);
    if (element.form === 'damper') this.placeDamper(a.at, b.at, size);
    else if (element.form === 'rod') this.bar(this.rods, a.at, b.at, size * 0.35);
    else if (element.form === 'ball') {
      this.balls.add(a.at, UP, size * 0.85, size * 0.85);
      this.stem(element, size);
    } else if (element.form === 'hinge') {
      const across = Math.max(this.extent(ia, this.local(element, 0)),
        this.extent(ib, this.local(element, 1)), size);
      const own = [ia, ib].some((i) => i !== null && this.bodies[i].userData.looked);
      if (!own) this.pins.add(a.at, a.axis, size * 0.75, across * 2.5);
      this.stem(element, size);
    } else if (element.form === 'slider' && ![ia, ib].some((i) => i !== null
      && this.bodies[i].userData.looked)) {
      const length = this.reach * 0.9;
      this.rods.add(b.at, b.axis, size * 0.3, length);
    }
  }

  /** The axis of an end in the axes of its body. @param {ElementInfo} element @param {number} side */
  local(element, side) { return element.ends[side].axis ?? [0, 0, 1]; }

  /** Bodies that do not reach their joint are tied to it by a thin bar; a joint of the world stands
   *  on a foot. @param {ElementInfo} element @param {number} size */
  stem(element, size) {
    // a robot's looks show its joints
    if (element.ends.some((e) => e.body !== null && this.bodies[e.body].userData.looked)) return;
    element.ends.forEach((end, side) => {
      const here = this.ends[side];
      if (end.body === null) {
        this.feet.add(here.at.clone().addScaledVector(UP, -size * 0.9), UP, size * 1.5, size * 1.6);
        return;
      }
      const { half, middle } = this.bodies[end.body].userData;
      const p = new THREE.Vector3().fromArray(end.point).sub(middle);
      const inside = Math.abs(p.x) <= half.x * 1.25 + size && Math.abs(p.y) <= half.y * 1.25 + size
        && Math.abs(p.z) <= half.z * 1.25 + size;
      if (!inside) this.bar(this.rods, here.at, here.middle, size * 0.3);
    });
  }

  /** A joint of a chain. @param {{body: number, point: number[], axis: number[]}} pin */
  placePin(pin) {
    const body = this.bodies[pin.body];
    const at = new THREE.Vector3().fromArray(pin.point).applyMatrix4(body.matrix);
    const axis = new THREE.Vector3().fromArray(pin.axis).applyQuaternion(body.quaternion);
    if (body.userData.looked) return; // its own looks show it
    const size = Math.max(Math.min(this.thin(pin.body), this.reach * 0.06), this.reach * 0.007);
    this.pins.add(at, axis, size * 0.75, Math.max(this.extent(pin.body, pin.axis), size) * 2.5);
  }

  /** @param {Many} of @param {THREE.Vector3} from @param {THREE.Vector3} to @param {number} radius */
  bar(of, from, to, radius) {
    const along = to.clone().sub(from);
    const length = along.length();
    if (!(length > 0)) return;
    of.add(from.clone().add(to).multiplyScalar(0.5), along.divideScalar(length), radius, length);
  }

  /** A cup around a rod. @param {THREE.Vector3} from @param {THREE.Vector3} to
   *  @param {number} size */
  placeDamper(from, to, size) {
    const middle = from.clone().lerp(to, 0.35), far = from.clone().lerp(to, 0.66);
    this.bar(this.rods, from, to, size * 0.16);
    this.bar(this.cups, middle, far, size * 0.42);
  }
}
