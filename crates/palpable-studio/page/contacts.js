// Contacts of a lane: points, areas, forces to scale.
// @ts-check
import * as THREE from './vendor/three.module.js';
import { headShape, shaftShape } from './arrows.js';
import { quality } from './quality.js';

/** Contacts drawn at most; as many as the studio sends. */
const MOST = 1024;

/** @typedef {{centre: THREE.Vector3, force: THREE.Vector3, points: THREE.Vector3[],
 *    bodies: number[]}} Face contacts of one pair of bodies in one plane */

/** What can be shown, and whether it is: one arrow a pair for what is held or chosen, or for every
 *  pair; and the details of all contacts. */
export const layers = { own: true, pairs: false, points: false, areas: false, forces: false,
  numbers: false, impulses: true, pressure: true };

/** Longest arrow of a contact in radii of the scene. */
export const LONGEST = 0.4;

/** True if arrows of some contacts are shown. */
export const showsForces = () => layers.own || layers.pairs || layers.forces;

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

/** Every point as a face of its own. @param {import('./wire.js').Contacts} contacts
 *  @returns {Face[]} */
function pointsOf({ count, values, bodies }) {
  return Array.from({ length: count }, (_, i) => ({
    centre: new THREE.Vector3().fromArray(values, i * 8),
    force: new THREE.Vector3().fromArray(values, i * 8 + 3), points: [],
    bodies: [bodies[i * 16 + 14], bodies[i * 16 + 15] & 0x7fff] }));
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

/** One for each pair of bodies: the sum of their faces, where most of it acts.
 *  @param {Face[]} faces @returns {Face[]} */
export function pairsOf(faces) {
  /** @type {Map<string, Face & {weight: number}>} */
  const pairs = new Map();
  for (const face of faces) {
    const key = face.bodies.join(' ');
    const pair = pairs.get(key) ?? { centre: new THREE.Vector3(), force: new THREE.Vector3(),
      points: [], bodies: face.bodies, weight: 0 };
    const weight = face.force.length() + 1e-12;
    pair.centre.addScaledVector(face.centre, weight);
    pair.force.add(face.force);
    pair.weight += weight;
    pairs.set(key, pair);
  }
  return [...pairs.values()].map((pair) => {
    pair.centre.divideScalar(pair.weight);
    return pair;
  });
}

export class ContactLayer {
  constructor() {
    this.solid = new THREE.MeshLambertMaterial();
    // what lies inside a body is hinted at, no more
    this.hint = new THREE.MeshBasicMaterial({ transparent: true, depthTest: false, opacity: 0.22 });
    this.glass = new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.5,
      side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: -2 });
    const many = (/** @type {THREE.BufferGeometry} */ shape) =>
      new THREE.InstancedMesh(shape, this.solid, MOST);
    this.points = many(new THREE.SphereGeometry(1, quality.round(10), quality.round(8)));
    this.shafts = many(shaftShape());
    this.heads = many(headShape());
    this.faint = [this.shafts, this.heads].map((mesh) => {
      const copy = new THREE.InstancedMesh(mesh.geometry, this.hint, MOST);
      copy.instanceMatrix = mesh.instanceMatrix;
      return copy;
    });
    const area = new THREE.BufferGeometry();
    area.setAttribute('position', new THREE.BufferAttribute(new Float32Array(MOST * 9), 3));
    this.areas = new THREE.Mesh(area, this.glass);
    this.group = new THREE.Group();
    for (const mesh of [this.areas, this.points, this.shafts, this.heads, ...this.faint]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = mesh === this.areas ? 6 : 8;
      mesh.raycast = () => {};
      this.group.add(mesh);
    }
    /** @type {Face[]} */
    this.faces = [];
    /** @type {Face[]} those with an arrow */
    this.shown = [];
    this.clear();
  }

  clear() {
    this.points.count = 0;
    this.count(0);
    this.areas.geometry.setDrawRange(0, 0);
    this.faces = this.shown = [];
  }

  /** @param {number} arrows that are shown */
  count(arrows) {
    for (const mesh of [this.shafts, this.heads, ...this.faint]) mesh.count = arrows;
  }

  /** @param {string} colour */
  paint(colour) {
    this.solid.color.set(colour);
    this.solid.emissive.set(colour).multiplyScalar(0.25);
    this.hint.color.set(colour);
    this.glass.color.set(colour);
  }

  /**
   * @param {import('./wire.js').Contacts} contacts
   * @param {{isFixed: (body: number) => boolean, size: number, scale: number, longest: number,
   *   own: number[]}} how bodies that do not move, size of a point [m], metres per newton, longest
   *   arrow [m], bodies that are held or chosen
   */
  show(contacts, { isFixed, size, scale, longest, own }) {
    this.faces = facesOf(contacts);
    const matrix = new THREE.Matrix4();
    let dots = 0;
    for (let i = 0; layers.points && i < contacts.count; i++) {
      const v = contacts.values.subarray(i * 8, i * 8 + 3);
      matrix.makeScale(size, size, size).setPosition(v[0], v[1], v[2]);
      this.points.setMatrixAt(dots++, matrix);
    }
    this.points.count = dots;
    // an arrow a point, a pair, or a pair of what matters
    const wanted = (/** @type {Face} */ f) => layers.pairs || f.bodies.some((b) => own.includes(b));
    const shown = layers.forces ? pointsOf(contacts)
      : layers.own || layers.pairs ? pairsOf(this.faces).filter(wanted) : [];
    this.shown = shown;
    let arrows = 0;
    for (const { centre, force, bodies } of shown) {
      // on the body that is looked at, or that can move
      const first = own.includes(bodies[0]) || isFixed(bodies[1]);
      const along = force.clone().multiplyScalar(first ? -scale : scale);
      if (along.length() > size && arrows < MOST) {
        this.placeArrow(arrows++, centre, along.clampLength(0, longest), size * 0.55);
      }
    }
    this.count(arrows);
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
