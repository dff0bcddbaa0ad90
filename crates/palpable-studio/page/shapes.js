// Bodies and springs of a scene as three.js objects.
// @ts-check
import * as THREE from './vendor/three.module.js';
import { quality } from './quality.js';
import { nice } from './units.js';

/**
 * @typedef {{body: number | null, point: number[]}} End
 * @typedef {{name: string, moving: number | null, shape: any, start: number[]}} BodyInfo
 * @typedef {{name: string, kind: string, joint: boolean, rows: number, port: boolean,
 *   ends: End[]}} ElementInfo
 * @typedef {{generation: number, id: string, name: string, description: string,
 *   bodies: BodyInfo[], elements: ElementInfo[], lines: number[][],
 *   tendons: {name: string, pulleys: {body: number, point: number[], axis: number[],
 *   radius: number}[]}[], parameters: any}} SceneInfo
 */

/** Calm hues that tell neighbours apart, in both themes. */
const HUES = [212, 174, 262, 36, 338, 196, 142, 20];

/** @param {number} index @param {boolean} dark */
export function bodyColour(index, dark) {
  const colour = new THREE.Color();
  const hue = HUES[index % HUES.length] / 360;
  return colour.setHSL(hue, dark ? 0.5 : 0.52, dark ? 0.58 : 0.52);
}

/** A surface that light falls on. @param {THREE.MeshStandardMaterialParameters} how
 *  @returns {THREE.MeshStandardMaterial | THREE.MeshLambertMaterial} */
function surface(how) {
  if (quality.rich) return new THREE.MeshStandardMaterial(how);
  const { roughness, metalness, ...simple } = how;
  return new THREE.MeshLambertMaterial(simple);
}

/** @param {number} radius @param {number} edges around it */
const ball = (radius, edges) => new THREE.SphereGeometry(radius, quality.round(edges),
  quality.round(edges * 0.64));

/** @param {any} shape */
function geometryOf(shape) {
  switch (shape?.kind) {
    case 'sphere': return ball(shape.radius, 32);
    case 'box': {
      const [x, y, z] = shape.half;
      return new THREE.BoxGeometry(2 * x, 2 * y, 2 * z);
    }
    case 'capsule': // ours lie along z, three's along y
      return new THREE.CapsuleGeometry(shape.radius, 2 * shape.half, quality.round(10),
        quality.round(24)).rotateX(Math.PI / 2);
    case 'cylinder':
      return new THREE.CylinderGeometry(shape.radius, shape.radius, 2 * shape.half,
        quality.round(36)).rotateX(Math.PI / 2);
    case 'plane': return new THREE.CircleGeometry(1, 96);
    case 'mesh': {
      const indexed = new THREE.BufferGeometry();
      indexed.setAttribute('position', new THREE.Float32BufferAttribute(shape.points, 3));
      indexed.setIndex(shape.triangles.flat());
      const flat = indexed.toNonIndexed(); // sharp edges stay sharp
      flat.computeVertexNormals();
      return flat;
    }
    default: return null;
  }
}

/** How large the scene is: centre and radius of what it shows at the start. */
export function boundsOf(/** @type {SceneInfo} */ info) {
  const box = new THREE.Box3();
  const reach = info.bodies.length ? 0.02 : 0.1;
  for (const body of info.bodies) {
    if (body.shape?.kind === 'plane') continue; // has no end
    const geometry = geometryOf(body.shape);
    const at = new THREE.Vector3(body.start[0], body.start[1], body.start[2]);
    geometry?.computeBoundingSphere();
    const radius = geometry?.boundingSphere?.radius ?? reach;
    geometry?.dispose();
    box.expandByPoint(at.clone().addScalar(radius));
    box.expandByPoint(at.clone().addScalar(-radius));
  }
  for (const element of info.elements) {
    const [a, b] = element.ends;
    const [fixed, held] = a.body === null ? [a, b] : [b, a];
    if (fixed.body !== null || held.body === null) continue;
    const anchor = new THREE.Vector3(...fixed.point);
    box.expandByPoint(anchor);
    // what hangs on a spring swings through to the other side
    const [x, y, z] = info.bodies[held.body].start;
    const away = new THREE.Vector3(x, y, z).sub(anchor);
    if (!element.joint && !element.port) box.expandByPoint(anchor.sub(away));
  }
  reachOfJoints(info, box);
  landings(info, box);
  if (box.isEmpty()) box.expandByPoint(new THREE.Vector3(0.1, 0.1, 0.1));
  const sphere = box.getBoundingSphere(new THREE.Sphere());
  return { box, centre: sphere.center, radius: Math.max(sphere.radius, 1e-3) };
}

/** Where bodies would come down on planes. @param {SceneInfo} info @param {THREE.Box3} box */
function landings(info, box) {
  const at = (/** @type {BodyInfo} */ b) => new THREE.Vector3(b.start[0], b.start[1], b.start[2]);
  for (const plane of info.bodies.filter((b) => b.shape?.kind === 'plane')) {
    const [x, y, z, w] = plane.start.slice(3);
    const normal = new THREE.Vector3(0, 0, 1).applyQuaternion(new THREE.Quaternion(x, y, z, w));
    for (const body of info.bodies.filter((b) => b.moving !== null)) {
      const foot = at(body);
      foot.addScaledVector(normal, -foot.clone().sub(at(plane)).dot(normal));
      box.expandByPoint(foot);
    }
  }
}

/** What hangs on a joint of the world swings about it. @param {SceneInfo} info
 *  @param {THREE.Box3} box */
function reachOfJoints(info, box) {
  const gravity = Math.hypot(...(info.parameters?.gravity ?? [0, 0, 0]));
  const hinges = info.elements.filter((e) => e.joint && e.ends.some((end) => end.body === null));
  for (const hinge of gravity > 0 ? hinges : []) {
    const anchor = new THREE.Vector3(...(hinge.ends.find((e) => e.body === null)?.point ?? []));
    const far = info.bodies.filter((b) => b.moving !== null).map((b) =>
      anchor.distanceTo(new THREE.Vector3(b.start[0], b.start[1], b.start[2])));
    const reach = Math.max(0, ...far);
    for (const [x, z] of [[reach, 0], [-reach, 0], [0, -reach]]) {
      box.expandByPoint(anchor.clone().add(new THREE.Vector3(x, 0, z)));
    }
  }
}

/** The bodies and springs of one lane. */
export class Actors {
  /** @param {SceneInfo} info @param {boolean} dark @param {boolean} shadows */
  constructor(info, dark, shadows) {
    this.info = info;
    this.group = new THREE.Group();
    const { radius } = boundsOf(info);
    this.dotSize = radius * 0.012;
    this.smallest = radius * 0.03;
    this.reach = radius;
    this.nodes = new Set(info.lines.flat());
    /** @type {THREE.Object3D[]} */
    this.bodies = info.bodies.map((body, index) => this.makeBody(body, index, dark, shadows));
    this.links = this.makeLinks(info, dark, shadows);
    this.beams = info.lines.map(() => this.makeBeam(dark, shadows));
    this.tendons = info.tendons.map(() => this.makeBeam(dark, shadows));
    this.pose(startPoses(info));
  }

  /** @param {BodyInfo} body @param {number} index @param {boolean} dark @param {boolean} shadows */
  makeBody(body, index, dark, shadows) {
    const geometry = geometryOf(body.shape) ?? ball(this.smallest, 16);
    const fixed = body.moving === null;
    if (body.shape?.kind === 'plane') return this.makePlane(geometry, index, dark, shadows);
    const material = surface({ roughness: 0.62, metalness: 0.02,
      color: fixed ? (dark ? 0x5b6775 : 0xaab3be) : bodyColour(index, dark) });
    const mesh = new THREE.Mesh(geometry, material);
    mesh.castShadow = mesh.receiveShadow = shadows;
    mesh.userData = { body: index, fixed };
    if (this.nodes.has(index)) {
      // the beam shows where it is; the node is there to be held
      material.visible = mesh.castShadow = false;
    } else this.addHalo(mesh, geometry, fixed);
    // faint edges give flat faces a shape under soft light
    if (body.shape?.kind === 'box' || body.shape?.kind === 'mesh') {
      const edges = new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 20),
        new THREE.LineBasicMaterial({ color: dark ? 0xffffff : 0x10202f, transparent: true,
          opacity: 0.22 }));
      edges.raycast = () => {};
      mesh.add(edges);
    }
    this.group.add(mesh);
    return mesh;
  }

  /** A half-space as a wide disc with a grid. @param {THREE.BufferGeometry} disc
   *  @param {number} index @param {boolean} dark @param {boolean} shadows */
  makePlane(disc, index, dark, shadows) {
    const mesh = new THREE.Mesh(disc.scale(this.reach * 8, this.reach * 8, 1),
      surface({ color: dark ? 0x3a4653 : 0xc9d1da, roughness: 1,
        transparent: true, opacity: 0.4, depthWrite: false }));
    mesh.receiveShadow = shadows;
    mesh.userData = { body: index, fixed: true, plane: true };
    const cell = nice(this.reach * 0.4);
    const colour = dark ? 0x556374 : 0xb3bdc8;
    const grid = new THREE.GridHelper(cell * 24, 24, colour, colour).rotateX(Math.PI / 2);
    grid.raycast = () => {};
    Object.assign(grid.material, { transparent: true, opacity: 0.4, depthWrite: false });
    mesh.add(grid);
    this.group.add(mesh);
    return mesh;
  }

  /** @param {boolean} dark @param {boolean} shadows */
  makeBeam(dark, shadows) {
    const mesh = new THREE.Mesh(new THREE.BufferGeometry(), surface({
      color: dark ? 0x4cc9b6 : 0x15907f, roughness: 0.6 }));
    mesh.castShadow = mesh.receiveShadow = shadows;
    mesh.frustumCulled = false;
    mesh.raycast = () => {};
    this.group.add(mesh);
    return mesh;
  }

  /** Smooth tubes through the nodes, as they are bent now. */
  placeBeams() {
    this.beams?.forEach((beam, i) => {
      const points = this.info.lines[i].map((b) => this.bodies[b].position.clone());
      const curve = new THREE.CatmullRomCurve3(points);
      beam.geometry.dispose();
      beam.geometry = new THREE.TubeGeometry(curve, 6 * points.length, this.reach * 0.014,
        quality.round(10));
    });
  }

  /** Tendons from pulley to pulley, on the side on which they run. */
  placeTendons() {
    this.tendons?.forEach((tendon, i) => {
      const { pulleys } = this.info.tendons[i];
      const at = pulleys.map((p) => new THREE.Vector3(...p.point)
        .applyMatrix4(this.bodies[p.body].matrix));
      /** @type {THREE.Vector3[]} */
      const path = [];
      pulleys.forEach((p, k) => {
        const link = this.bodies[p.body];
        const axis = new THREE.Vector3(...p.axis).applyQuaternion(link.quaternion);
        // along the link: to the next joint, else from the last, else to where the link is
        const along = (at[k + 1] ?? link.localToWorld(this.middle(p.body))).clone().sub(at[k]);
        const side = axis.clone().cross(along).normalize().multiplyScalar(p.radius);
        along.setLength(Math.max(along.length(), 1e-9));
        const low = at[k].clone().add(side);
        path.push(low.clone().addScaledVector(along, -0.3), low, low.clone().addScaledVector(along, 0.45));
      });
      tendon.geometry.dispose();
      tendon.geometry = new THREE.TubeGeometry(new THREE.CatmullRomCurve3(path), 10 * path.length,
        this.reach * 0.008, 8);
    });
  }

  /** Middle of a body's shape, body axes. @param {number} body */
  middle(body) {
    const mesh = /** @type {THREE.Mesh} */ (this.bodies[body]);
    mesh.geometry.computeBoundingBox();
    const centre = new THREE.Vector3();
    mesh.geometry.boundingBox?.getCenter(centre);
    return centre.lengthSq() > 0 ? centre : centre.set(this.reach * 0.1, 0, 0);
  }

  /** A body too small to see or to hit gets a faint shell around it.
   *  @param {THREE.Mesh} mesh @param {THREE.BufferGeometry} geometry @param {boolean} fixed */
  addHalo(mesh, geometry, fixed) {
    geometry.computeBoundingSphere();
    const size = geometry.boundingSphere?.radius ?? 0;
    if (fixed || size >= this.smallest) return;
    const own = /** @type {THREE.MeshStandardMaterial} */ (mesh.material);
    const halo = new THREE.Mesh(ball(this.smallest, 24),
      surface({ color: own.color, transparent: true, opacity: 0.45,
        roughness: 0.8, depthWrite: false }));
    halo.userData = mesh.userData;
    mesh.add(halo);
  }

  /** Rods from body to anchor to anchor to body. @param {SceneInfo} info @param {boolean} dark
   *  @param {boolean} shadows */
  makeLinks(info, dark, shadows) {
    // rows on coordinates alone have no place
    this.shown = info.elements.filter((e) => !e.port && e.ends.some((end) => end.body !== null));
    const material = () => surface({ roughness: 0.55 });
    const rod = new THREE.CylinderGeometry(1, 1, 1, quality.round(8), 1, !quality.rich)
      .rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const rods = new THREE.InstancedMesh(rod, material(), Math.max(1, this.shown.length * 3));
    const dot = ball(1, 12);
    const dots = new THREE.InstancedMesh(dot, material(),
      Math.max(1, this.shown.length * 2));
    const spring = new THREE.Color(dark ? 0x4cc9b6 : 0x15907f);
    const joint = new THREE.Color(dark ? 0x8a97a8 : 0x66717f);
    this.shown.forEach((element, i) => {
      const colour = element.joint ? joint : spring;
      for (let k = 0; k < 3; k++) rods.setColorAt(i * 3 + k, colour);
      for (let k = 0; k < 2; k++) dots.setColorAt(i * 2 + k, colour);
    });
    for (const mesh of [rods, dots]) {
      mesh.frustumCulled = false;
      mesh.castShadow = shadows;
      mesh.raycast = () => {};
      if (this.shown.length === 0) mesh.count = 0;
      this.group.add(mesh);
    }
    return { rods, dots };
  }

  /** @param {Float32Array | number[]} poses seven numbers a body */
  pose(poses) {
    this.bodies.forEach((body, i) => {
      const at = i * 7;
      if (!Number.isFinite(poses[at] + poses[at + 1] + poses[at + 2])) return;
      body.position.set(poses[at], poses[at + 1], poses[at + 2]);
      body.quaternion.set(poses[at + 3], poses[at + 4], poses[at + 5], poses[at + 6]);
      body.updateMatrix();
    });
    this.placeLinks();
    this.placeBeams();
    this.placeTendons();
  }

  placeLinks() {
    const { rods, dots } = this.links;
    const points = [0, 1, 2, 3].map(() => new THREE.Vector3());
    const [matrix, along, turn] = [new THREE.Matrix4(), new THREE.Vector3(), new THREE.Quaternion()];
    const [up, size] = [new THREE.Vector3(0, 0, 1), new THREE.Vector3()];
    const dot = this.dotSize;
    this.shown?.forEach((element, i) => {
      element.ends.forEach((end, side) => {
        const body = end.body === null ? null : this.bodies[end.body];
        const anchor = points[side === 0 ? 1 : 2].fromArray(end.point);
        const origin = points[side === 0 ? 0 : 3];
        if (body) {
          anchor.applyMatrix4(body.matrix);
          origin.copy(body.position);
        } else {
          origin.copy(anchor);
        }
        matrix.makeScale(dot, dot, dot).setPosition(anchor);
        dots.setMatrixAt(i * 2 + side, matrix);
      });
      for (let k = 0; k < 3; k++) {
        along.subVectors(points[k + 1], points[k]);
        const length = along.length();
        turn.setFromUnitVectors(up, length > 0 ? along.divideScalar(length) : up);
        matrix.compose(points[k], turn, size.set(dot * 0.35, dot * 0.35, length));
        rods.setMatrixAt(i * 3 + k, matrix);
      }
    });
    rods.instanceMatrix.needsUpdate = true;
    dots.instanceMatrix.needsUpdate = true;
  }

  /** @param {number} index */
  highlight(index) {
    this.bodies.forEach((body, i) => {
      const material = /** @type {THREE.MeshStandardMaterial} */ (
        /** @type {THREE.Mesh} */ (body).material);
      material.emissive.set(i === index ? 0x2f2f2f : 0);
      if (this.nodes.has(i)) material.visible = i === index;
    });
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
