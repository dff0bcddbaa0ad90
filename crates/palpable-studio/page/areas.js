// Contacts over an area: pressure as colours, the torque of friction as an arc.
// @ts-check
import * as THREE from './vendor/three.module.js';
import { CurvedArrow } from './arrows.js';
import { layers } from './contacts.js';

/** @typedef {{bodies: number[], slides: boolean, centre: number[], normal: number[],
 *    pressure: number, middle: number, torque: number, area: number, corners: Float32Array}} Area
 *    pressures [Pa], torque of friction about the normal [N·m], corners as x, y, z, pressure */

/** Corners and arcs drawn at most. */
const CORNERS = 1 << 15, ARCS = 48;

/** Faint to fierce: none, a third, two thirds, the most there is. */
const SCALE = [0x2b6cb0, 0x2fb5a6, 0xf2c14e, 0xd6336c].map((c) => new THREE.Color(c));

/** @param {ArrayBuffer} part @returns {Area[]} */
export function areasIn(part) {
  const [words, values] = [new Uint32Array(part), new Float32Array(part)];
  const areas = [];
  for (let at = 0; at + 12 <= words.length;) {
    const count = words[at + 1] & 0x7fffffff, from = at + 12;
    const v = values.subarray(at, from);
    areas.push({ bodies: [words[at] & 0xffff, words[at] >>> 16], slides: words[at + 1] >>> 31 === 1,
      centre: [...v.subarray(2, 5)], normal: [...v.subarray(5, 8)], pressure: v[8], middle: v[9],
      torque: v[10], area: v[11], corners: values.subarray(from, from + 4 * count) });
    at = from + 4 * count;
  }
  return areas;
}

/** Largest pressure [Pa]. @param {Area[]} areas */
export function highest(areas) {
  let most = 0;
  for (const { middle, corners } of areas) {
    most = Math.max(most, middle);
    for (let i = 3; i < corners.length; i += 4) most = Math.max(most, corners[i]);
  }
  return most;
}

/** Largest torque of friction [N·m]. @param {Area[]} areas */
export const strongestTorque = (areas) =>
  areas.reduce((most, { torque }) => Math.max(most, Math.abs(torque)), 0);

/** Colour of a share of the highest pressure. @param {number} share @param {THREE.Color} out */
export function colourOf(share, out) {
  const at = Math.min(Math.max(share, 0), 1) * (SCALE.length - 1);
  const low = Math.min(Math.floor(at), SCALE.length - 2);
  return out.copy(SCALE[low]).lerp(SCALE[low + 1], at - low);
}

export class AreaLayer {
  constructor() {
    const shape = new THREE.BufferGeometry();
    for (const name of ['position', 'color']) {
      shape.setAttribute(name, new THREE.BufferAttribute(new Float32Array(CORNERS * 3), 3));
    }
    // an area lies inside two bodies: it is seen through them
    this.mesh = new THREE.Mesh(shape, new THREE.MeshBasicMaterial({ vertexColors: true,
      transparent: true, opacity: 0.55, side: THREE.DoubleSide, depthTest: false,
      depthWrite: false, toneMapped: false }));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 7;
    this.mesh.raycast = () => {};
    this.arcs = Array.from({ length: ARCS }, () => /** @type {CurvedArrow | null} */ (null));
    this.group = new THREE.Group().add(this.mesh);
    this.peak = 0;
    this.clear();
  }

  clear() {
    this.mesh.geometry.setDrawRange(0, 0);
    for (const arc of this.arcs) if (arc) arc.group.visible = false;
    this.peak = 0;
  }

  /** @param {string} colour of arcs */
  paint(colour) {
    this.colour = colour;
    for (const arc of this.arcs) arc?.material.color.set(colour);
  }

  /** @param {Area[]} areas */
  show(areas) {
    const shown = layers.pressure ? areas : [];
    // the scale follows what there is, and forgets slowly
    this.peak = Math.max(highest(areas), 0.98 * this.peak, 1e-12);
    const { position, color } = /** @type {Record<string, THREE.BufferAttribute>} */ (
      this.mesh.geometry.attributes);
    const tint = new THREE.Color();
    let count = 0;
    const put = (/** @type {ArrayLike<number>} */ p, /** @type {number} */ at,
      /** @type {number} */ pressure) => {
      position.setXYZ(count, p[at], p[at + 1], p[at + 2]);
      colourOf(pressure / this.peak, tint);
      color.setXYZ(count++, tint.r, tint.g, tint.b);
    };
    for (const { centre, middle, corners } of shown) {
      for (let i = 0; i < corners.length && count + 3 <= CORNERS; i += 4) {
        const next = (i + 4) % corners.length;
        put(centre, 0, middle);
        put(corners, i, corners[i + 3]);
        put(corners, next, corners[next + 3]);
      }
    }
    position.needsUpdate = color.needsUpdate = true;
    this.mesh.geometry.setDrawRange(0, count);
    this.showArcs(shown);
  }

  /** An arc is as large as the area at the strongest torque that uniform pressure could hold.
   *  @param {Area[]} areas */
  showArcs(areas) {
    for (let k = 0; k < ARCS; k++) {
      const area = areas[k];
      const arc = this.arcs[k];
      if (!area) {
        if (arc) arc.group.visible = false;
        continue;
      }
      const radius = Math.sqrt(area.area / Math.PI);
      const most = area.pressure * area.area * radius * 2 / 3;
      const share = most > 0 ? Math.min(Math.abs(area.torque) / most, 1) : 0;
      if (share < 0.02) {
        if (arc) arc.group.visible = false;
        continue;
      }
      const normal = new THREE.Vector3(...area.normal).multiplyScalar(Math.sign(area.torque));
      this.arcAt(k).show(new THREE.Vector3(...area.centre),
        normal.multiplyScalar(radius * (0.25 + 0.75 * share)), 0);
    }
  }

  /** @param {number} k */
  arcAt(k) {
    const known = this.arcs[k];
    if (known) return known;
    const arc = new CurvedArrow();
    if (this.colour) arc.material.color.set(this.colour);
    arc.group.traverse((part) => { part.raycast = () => {}; });
    this.group.add(arc.group);
    this.arcs[k] = arc;
    return arc;
  }
}
