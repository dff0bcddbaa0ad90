// Contacts of a lane: points, areas, forces to scale.
// @ts-check
import * as THREE from './vendor/three.module.js';
import { headShape, shaftShape } from './arrows.js';
import { quality } from './quality.js';

/** Contacts drawn at most; as many as the studio sends. */
const MOST = 1024;

/** @typedef {{centre: THREE.Vector3, force: THREE.Vector3, points: THREE.Vector3[],
 *    bodies: number[]}} Face contacts of one pair of bodies in one plane */

/** What can be shown, and whether it is. */
export const layers = { points: true, areas: true, forces: true, numbers: true };

/**
 * Contacts of the same pair in the same plane, with the sum of their forces.
 * @param {import('./wire.js').Contacts} contacts
 * @returns {Face[]}
 */
export function facesOf(contacts) {
  /** @type {Face[]} */
  const faces = [];
  for (let i = 0; i < contacts.count; i++) {
    const [a, b] = [contacts.bodies[i * 16 + 14], contacts.bodies[i * 16 + 15]];
    if (b & 0x8000 || faces.length === 0) {
      faces.push({ centre: new THREE.Vector3(), force: new THREE.Vector3(), points: [],
        bodies: [a, b & 0x7fff] });
    }
    const face = faces[faces.length - 1];
    const v = contacts.values;
    face.points.push(new THREE.Vector3(v[i * 8], v[i * 8 + 1], v[i * 8 + 2]));
    face.force.add(new THREE.Vector3(v[i * 8 + 3], v[i * 8 + 4], v[i * 8 + 5]));
  }
  for (const face of faces) {
    face.points.forEach((p) => face.centre.add(p));
    face.centre.divideScalar(face.points.length);
  }
  return faces;
}

/** Corners in order around the middle; none if they lie on a line. @param {Face} face */
export function polygon(face) {
  const spokes = face.points.map((p) => p.clone().sub(face.centre));
  const normal = new THREE.Vector3(), cross = new THREE.Vector3();
  for (const a of spokes) {
    for (const b of spokes) {
      if (cross.crossVectors(a, b).lengthSq() > normal.lengthSq()) normal.copy(cross);
    }
  }
  const reach = Math.max(...spokes.map((s) => s.lengthSq()));
  if (spokes.length < 3 || normal.length() < 1e-6 * reach) return [];
  const x = spokes.reduce((far, s) => (s.lengthSq() > far.lengthSq() ? s : far)).clone().normalize();
  const y = normal.normalize().cross(x);
  const angle = (/** @type {THREE.Vector3} */ s) => Math.atan2(s.dot(y), s.dot(x));
  return spokes.sort((a, b) => angle(a) - angle(b)).map((s) => s.add(face.centre));
}

export class ContactLayer {
  constructor() {
    const see = { transparent: true, depthTest: false };
    this.solid = new THREE.MeshBasicMaterial(see);
    this.glass = new THREE.MeshBasicMaterial({ ...see, opacity: 0.35, side: THREE.DoubleSide });
    const many = (/** @type {THREE.BufferGeometry} */ shape) =>
      new THREE.InstancedMesh(shape, this.solid, MOST);
    this.points = many(new THREE.SphereGeometry(1, quality.round(10), quality.round(8)));
    this.shafts = many(shaftShape());
    this.heads = many(headShape());
    const area = new THREE.BufferGeometry();
    area.setAttribute('position', new THREE.BufferAttribute(new Float32Array(MOST * 9), 3));
    this.areas = new THREE.Mesh(area, this.glass);
    this.group = new THREE.Group();
    for (const mesh of [this.areas, this.points, this.shafts, this.heads]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = mesh === this.areas ? 6 : 8;
      mesh.raycast = () => {};
      this.group.add(mesh);
    }
    /** @type {Face[]} */
    this.faces = [];
    this.clear();
  }

  clear() {
    this.points.count = this.shafts.count = this.heads.count = 0;
    this.areas.geometry.setDrawRange(0, 0);
    this.faces = [];
  }

  /** @param {string} colour */
  paint(colour) {
    this.solid.color.set(colour);
    this.glass.color.set(colour);
  }

  /**
   * @param {import('./wire.js').Contacts} contacts @param {(body: number) => boolean} isFixed
   * @param {number} size of a point [m] @param {number} scale metres per newton
   */
  show(contacts, isFixed, size, scale) {
    this.faces = facesOf(contacts);
    const matrix = new THREE.Matrix4();
    let [dots, arrows] = [0, 0];
    for (let i = 0; i < contacts.count; i++) {
      const v = contacts.values.subarray(i * 8, i * 8 + 7);
      if (layers.points) {
        matrix.makeScale(size, size, size).setPosition(v[0], v[1], v[2]);
        this.points.setMatrixAt(dots++, matrix);
      }
      // shown on the body that can move
      const sign = isFixed(contacts.bodies[i * 16 + 15] & 0x7fff) ? -scale : scale;
      const force = new THREE.Vector3(v[3], v[4], v[5]).multiplyScalar(sign);
      if (layers.forces && force.length() > size) {
        this.placeArrow(arrows++, new THREE.Vector3(v[0], v[1], v[2]), force, size * 0.45);
      }
    }
    this.points.count = dots;
    this.shafts.count = this.heads.count = arrows;
    for (const mesh of [this.points, this.shafts, this.heads]) mesh.instanceMatrix.needsUpdate = true;
    this.fillAreas();
  }

  /** @param {number} i @param {THREE.Vector3} from @param {THREE.Vector3} along
   *  @param {number} thickness */
  placeArrow(i, from, along, thickness) {
    const length = along.length();
    const head = Math.min(thickness * 5, length * 0.6);
    const unit = along.clone().divideScalar(length);
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), unit);
    const [matrix, size] = [new THREE.Matrix4(), new THREE.Vector3()];
    this.shafts.setMatrixAt(i, matrix.compose(from, turn, size.set(thickness, thickness,
      length - head)));
    const neck = from.clone().addScaledVector(unit, length - head);
    this.heads.setMatrixAt(i, matrix.compose(neck, turn, size.set(thickness * 2.4,
      thickness * 2.4, head)));
  }

  /** Fans of triangles, one a face. */
  fillAreas() {
    const place = /** @type {THREE.BufferAttribute} */ (this.areas.geometry.attributes.position);
    let corners = 0;
    for (const face of layers.areas ? this.faces : []) {
      const rim = polygon(face);
      for (let k = 2; k < rim.length && corners + 3 <= place.count; k++) {
        for (const p of [rim[0], rim[k - 1], rim[k]]) place.setXYZ(corners++, p.x, p.y, p.z);
      }
    }
    place.needsUpdate = true;
    this.areas.geometry.setDrawRange(0, corners);
  }
}
