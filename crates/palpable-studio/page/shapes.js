// The bodies of a scene as three.js objects, and how large the scene is.
// @ts-check
import * as THREE from './vendor/three.module.js';
import { Beams } from './beams.js';
import { Floor } from './floor.js';
import { bodyColour, palette } from './palette.js';
import { Parts } from './parts.js';
import { ball, geometryOf, merged, surface } from './solids.js';

/**
 * @typedef {{body: number | null, point: number[], axis?: number[]}} End
 * @typedef {{name: string, gone?: boolean, moving: number | null, shape: any,
 *   looks?: import('./solids.js').Look[],
 *   matter?: {centre: number[], half: number[], axes: number[]} | null, start: number[]}} BodyInfo
 * @typedef {{name: string, kind: string, form?: string, joint: boolean, rows: number,
 *   port: boolean, ends: End[]}} ElementInfo
 * @typedef {{generation: number, id: string, name: string, description: string,
 *   bodies: BodyInfo[], elements: ElementInfo[], lines: number[][],
 *   sections?: ([number, number] | null)[],
 *   tendons: {name: string, pulleys: {body: number, point: number[], axis: number[],
 *   radius: number}[]}[],
 *   pins?: {body: number, name: string, point: number[], axis: number[]}[],
 *   viewpoint?: number[][] | null, end?: string, duration?: number, group?: string,
 *   parameters: any}} SceneInfo
 */

/** The corners of a body's box at the start. @param {BodyInfo} body @returns {THREE.Vector3[]} */
function cornersOf(body) {
  const looks = body.looks?.length ? body.looks
    : [{ shape: body.shape, pose: [0, 0, 0, 0, 0, 0, 1], color: null }];
  const box = new THREE.Box3();
  for (const look of looks) {
    const geometry = geometryOf(look.shape);
    if (!geometry) continue;
    const [x, y, z, ...turn] = look.pose;
    geometry.applyQuaternion(new THREE.Quaternion(...turn)).translate(x, y, z);
    geometry.computeBoundingBox();
    if (geometry.boundingBox) box.union(geometry.boundingBox);
    geometry.dispose();
  }
  const at = new THREE.Vector3(...body.start.slice(0, 3));
  if (box.isEmpty()) return [at];
  const turn = new THREE.Quaternion(...body.start.slice(3));
  return [0, 1, 2, 3, 4, 5, 6, 7].map((n) => new THREE.Vector3(n & 1 ? box.max.x : box.min.x,
    n & 2 ? box.max.y : box.min.y, n & 4 ? box.max.z : box.min.z).applyQuaternion(turn).add(at));
}

/** How large the scene is: what it shows at the start and where it will go as far as that is
 *  plain: the box, its ball, the points that a picture should hold, and where ground belongs that
 *  nothing touches.
 *  @param {SceneInfo} info */
export function boundsOf(info) {
  /** @type {THREE.Vector3[]} */
  const points = [];
  const moving = info.bodies.filter((b) => b.moving !== null);
  let deep = Infinity; // as far down as bodies reach that turn where they are
  for (const body of moving) {
    const [corners, at] = [cornersOf(body), new THREE.Vector3(...body.start.slice(0, 3))];
    deep = Math.min(deep, at.z - Math.max(...corners.map((corner) => corner.distanceTo(at))));
    points.push(...corners);
  }
  const box = new THREE.Box3().setFromPoints(points);
  const room = Math.max(box.getSize(new THREE.Vector3()).length(), 1e-3);
  let foot = Infinity; // of what is fixed
  for (const body of info.bodies) {
    if (body.gone || body.moving !== null || body.shape?.kind === 'plane') continue;
    const corners = cornersOf(body);
    foot = Math.min(foot, ...corners.map((corner) => corner.z));
    const size = new THREE.Box3().setFromPoints(corners).getSize(new THREE.Vector3()).length();
    // a table belongs into the picture, the ground does not
    if (size < 3 * room || moving.length === 0) points.push(...corners);
  }
  for (const element of info.elements) points.push(...swings(element, info));
  points.push(...reachOfJoints(info), ...landings(info));
  const whole = new THREE.Box3().setFromPoints(points.length ? points
    : [new THREE.Vector3(-0.1, -0.1, -0.1), new THREE.Vector3(0.1, 0.1, 0.1)]);
  const sphere = whole.getBoundingSphere(new THREE.Sphere());
  const radius = Math.max(sphere.radius, 1e-3);
  // posts stand on the ground; what has none hangs above it
  const ground = foot < whole.min.z + 0.02 * radius ? Math.min(foot, whole.min.z)
    : Math.min(whole.min.z - 0.12 * radius, deep - 0.02 * radius);
  return { box: whole, centre: sphere.center, radius, points, ground };
}

/** Anchors in the world, and where what hangs on a spring swings through to.
 *  @param {ElementInfo} element @param {SceneInfo} info @returns {THREE.Vector3[]} */
function swings(element, info) {
  const [a, b] = element.ends;
  const [fixed, held] = a.body === null ? [a, b] : [b, a];
  if (fixed.body !== null || held.body === null || element.form === 'none') return [];
  const anchor = new THREE.Vector3(...fixed.point);
  if (element.joint || element.port || element.form !== 'spring') return [anchor];
  const [x, y, z] = info.bodies[held.body].start;
  const away = new THREE.Vector3(x, y, z).sub(anchor);
  return [anchor, anchor.clone().addScaledVector(away, -0.9)];
}

/** Where bodies would come down on planes. @param {SceneInfo} info @returns {THREE.Vector3[]} */
function landings(info) {
  const at = (/** @type {BodyInfo} */ b) => new THREE.Vector3(b.start[0], b.start[1], b.start[2]);
  return info.bodies.filter((b) => b.shape?.kind === 'plane').flatMap((plane) => {
    const [x, y, z, w] = plane.start.slice(3);
    const normal = new THREE.Vector3(0, 0, 1).applyQuaternion(new THREE.Quaternion(x, y, z, w));
    return info.bodies.filter((b) => b.moving !== null).map((body) => {
      const foot = at(body);
      return foot.addScaledVector(normal, -foot.clone().sub(at(plane)).dot(normal));
    });
  });
}

/** What hangs on a joint of the world swings about it. @param {SceneInfo} info
 *  @returns {THREE.Vector3[]} */
function reachOfJoints(info) {
  const gravity = new THREE.Vector3(...(info.parameters?.gravity ?? [0, 0, 0])).normalize();
  const hinges = info.elements.filter((e) => e.joint && ['hinge', 'ball'].includes(e.form ?? '')
    && e.ends.some((end) => end.body === null));
  // a closed loop does not fall about its hinges
  if (gravity.length() === 0 || hinges.length !== 1) return [];
  const world = hinges[0].ends.find((end) => end.body === null);
  // nor does anything about an upright one
  const upright = Math.abs(gravity.dot(new THREE.Vector3(...(world?.axis ?? [0, 0, 0])))) > 0.99;
  if (hinges[0].form === 'hinge' && upright) return [];
  const anchor = new THREE.Vector3(...(world?.point ?? []));
  const far = info.bodies.filter((b) => b.moving !== null).map((b) =>
    anchor.distanceTo(new THREE.Vector3(b.start[0], b.start[1], b.start[2])));
  const reach = Math.max(0, ...far);
  return [[reach, 0], [-reach, 0], [0, -reach]].map(([x, z]) =>
    anchor.clone().add(new THREE.Vector3(x, 0, z)));
}

/** The bodies and the parts between them of one lane. */
export class Actors {
  /** @param {SceneInfo} info @param {boolean} dark @param {boolean} shadows
   *  @param {number} [radius] of the scene; its own if none [m] */
  constructor(info, dark, shadows, radius = boundsOf(info).radius) {
    this.info = info;
    this.dark = dark;
    this.group = new THREE.Group();
    this.smallest = radius * 0.02;
    this.reach = radius;
    this.nodes = new Set(info.lines.flat());
    /** @type {Floor[]} */
    this.floors = [];
    /** @type {THREE.Mesh[]} */
    this.bodies = info.bodies.map((body, index) => this.makeBody(body, index, shadows));
    const how = { dark, shadows };
    this.parts = new Parts(info, this.bodies, this.reach, how);
    this.beams = new Beams(info, this.bodies, this.reach, how);
    this.group.add(this.parts.group, this.beams.group);
    this.held = this.over = this.chosen = -1;
    this.accent = new THREE.Color(palette(dark).held);
    this.pose(startPoses(info));
  }

  /** @param {BodyInfo} body @param {number} index @param {boolean} shadows */
  makeBody(body, index, shadows) {
    const { dark } = this;
    const fixed = body.moving === null;
    if (body.shape?.kind === 'plane') return this.makePlane(index);
    const colour = fixed ? new THREE.Color(palette(dark).fixed) : bodyColour(body.moving ?? 0, dark);
    const looked = (body.looks?.length ?? 0) > 0;
    const geometry = looked ? merged(body.looks ?? [], colour)
      : geometryOf(body.shape) ?? ball(this.smallest, 20);
    const material = surface({ roughness: fixed ? 0.8 : 0.48, metalness: 0.02,
      color: looked ? 0xffffff : colour, vertexColors: looked });
    const mesh = new THREE.Mesh(geometry, material);
    mesh.castShadow = mesh.receiveShadow = shadows;
    geometry.computeBoundingBox();
    const box = geometry.boundingBox ?? new THREE.Box3();
    mesh.userData = { body: index, fixed, looked, colour: material.color.clone(),
      half: box.getSize(new THREE.Vector3()).multiplyScalar(0.5),
      middle: box.getCenter(new THREE.Vector3()), matter: body.matter ?? null };
    if (this.nodes.has(index)) {
      // the beam shows where it is; the node is there to be held
      material.visible = mesh.castShadow = false;
    } else this.addHalo(mesh, geometry, fixed);
    mesh.visible = !body.gone;
    this.group.add(mesh);
    return mesh;
  }

  /** A half-space as a floor without an edge. @param {number} index */
  makePlane(index) {
    const size = this.reach * 60;
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(size, size),
      new THREE.MeshBasicMaterial({ visible: false }));
    mesh.userData = { body: index, fixed: true, plane: true, colour: new THREE.Color(),
      half: new THREE.Vector3(), middle: new THREE.Vector3() };
    const floor = new Floor(this.reach, this.dark, true);
    this.floors.push(floor);
    mesh.add(floor.group);
    this.group.add(mesh);
    return mesh;
  }

  /** A body too small to see or to hit gets a faint shell around it.
   *  @param {THREE.Mesh} mesh @param {THREE.BufferGeometry} geometry @param {boolean} fixed */
  addHalo(mesh, geometry, fixed) {
    geometry.computeBoundingSphere();
    const size = geometry.boundingSphere?.radius ?? 0;
    if (fixed || size >= this.smallest) return;
    const own = /** @type {THREE.MeshStandardMaterial} */ (mesh.material);
    const halo = new THREE.Mesh(ball(this.smallest, 24),
      surface({ color: own.color, transparent: true, opacity: 0.4, roughness: 0.8,
        depthWrite: false }));
    halo.userData = mesh.userData;
    mesh.add(halo);
  }

  /** @param {Float32Array | number[]} poses seven numbers a body */
  pose(poses) {
    this.bodies.forEach((body, i) => {
      const at = i * 7;
      if (!Number.isFinite(poses[at] + poses[at + 1] + poses[at + 2])) return;
      body.position.set(poses[at], poses[at + 1], poses[at + 2]);
      body.quaternion.set(poses[at + 3], poses[at + 4], poses[at + 5], poses[at + 6]);
      body.updateMatrix();
      body.updateWorldMatrix(false, true); // what is picked need not be drawn first
    });
    this.parts.place();
    this.beams.place();
  }

  /** Colours what is held, under the pointer or chosen; true if anything has changed.
   *  @param {number} held @param {number} over @param {number} chosen */
  mark(held, over, chosen) {
    if (held === this.held && over === this.over && chosen === this.chosen) return false;
    [this.held, this.over, this.chosen] = [held, over, chosen];
    this.bodies.forEach((body, i) => {
      const { colour, plane } = body.userData;
      if (plane) return;
      const material = /** @type {THREE.MeshStandardMaterial} */ (body.material);
      material.color.copy(i === held ? this.accent : colour);
      const glow = i === over ? 0.16 : i === chosen ? 0.1 : 0;
      material.emissive.copy(this.accent).multiplyScalar(i === held ? 0.12 : glow);
      if (this.nodes.has(i)) material.visible = i === held || i === over || i === chosen;
    });
    return true;
  }

  dispose() {
    this.group.traverse((object) => {
      const mesh = /** @type {THREE.Mesh} */ (object);
      mesh.geometry?.dispose();
      /** @type {THREE.Material} */ (mesh.material)?.dispose?.();
    });
    this.group.removeFromParent();
  }
}

/** @param {SceneInfo} info */
export function startPoses(info) {
  return info.bodies.flatMap((body) => body.start);
}
