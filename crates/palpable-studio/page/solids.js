// Shapes of bodies as geometry: rounded edges, several looks in one mesh.
// @ts-check
import * as THREE from './vendor/three.module.js';
import { quality } from './quality.js';

/**
 * @typedef {{shape: any, pose: number[], color: number[] | null}} Look
 */

/** @param {number} radius @param {number} edges around it */
export const ball = (radius, edges) => new THREE.SphereGeometry(radius, quality.round(edges),
  quality.round(edges * 0.64));

/** @param {number} radius @param {number} length @param {number} edges along z */
export const rod = (radius, length, edges) => new THREE.CylinderGeometry(radius, radius, length,
  quality.round(edges)).rotateX(Math.PI / 2);

/**
 * A box with rounded edges: each corner of a grid is pushed out from an inner box.
 * @param {number[]} half edges [m] @param {number} [round] radius of the edges [m]
 */
export function roundedBox(half, round = Math.min(...half) * 0.16) {
  const steps = quality.rich ? 3 : 1; // across an edge
  const cells = 2 * steps + 1;
  const geometry = new THREE.BoxGeometry(2, 2, 2, cells, cells, cells);
  const place = geometry.attributes.position, normal = geometry.attributes.normal;
  // grid lines sit where the edge bends, not evenly
  const along = (/** @type {number} */ u, /** @type {number} */ h) => {
    const i = Math.round((u + 1) * 0.5 * cells);
    const fromLow = i <= steps;
    const share = fromLow ? i / steps : (cells - i) / steps;
    const inner = h - round;
    const at = inner + round * Math.tan((1 - share) * Math.PI / 4);
    return fromLow ? -at : at;
  };
  const [p, core] = [new THREE.Vector3(), new THREE.Vector3()];
  for (let k = 0; k < place.count; k++) {
    p.set(along(place.getX(k), half[0]), along(place.getY(k), half[1]),
      along(place.getZ(k), half[2]));
    core.set(...clampTo(p, half, round));
    p.sub(core);
    if (p.lengthSq() > 0) p.normalize();
    normal.setXYZ(k, p.x, p.y, p.z);
    place.setXYZ(k, core.x + round * p.x, core.y + round * p.y, core.z + round * p.z);
  }
  return geometry;
}

/** @param {THREE.Vector3} p @param {number[]} half @param {number} round
 *  @returns {[number, number, number]} */
function clampTo(p, half, round) {
  const one = (/** @type {number} */ v, /** @type {number} */ h) =>
    Math.max(round - h, Math.min(h - round, v));
  return [one(p.x, half[0]), one(p.y, half[1]), one(p.z, half[2])];
}

/** @param {any} shape */
export function geometryOf(shape) {
  switch (shape?.kind) {
    case 'sphere': return ball(shape.radius, 40);
    case 'box': return roundedBox(shape.half);
    case 'capsule': // ours lie along z, three's along y
      return new THREE.CapsuleGeometry(shape.radius, 2 * shape.half, quality.round(10),
        quality.round(28)).rotateX(Math.PI / 2);
    case 'cylinder': return turned(shape.radius, shape.half);
    case 'plane': return new THREE.PlaneGeometry(2, 2);
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

/** A cylinder along z with a bevelled rim. @param {number} radius @param {number} half */
function turned(radius, half) {
  const bevel = Math.min(radius, half) * 0.12;
  const outline = [[0, -half], [radius - bevel, -half], [radius, bevel - half],
    [radius, half - bevel], [radius - bevel, half], [0, half]];
  const points = outline.map(([r, z]) => new THREE.Vector2(r, z));
  const geometry = new THREE.LatheGeometry(points, quality.round(48)).toNonIndexed();
  geometry.computeVertexNormals();
  smoothSides(geometry);
  return geometry.rotateX(Math.PI / 2);
}

/** Round sides get the normals of a cylinder; rims keep their own. @param {THREE.BufferGeometry} g */
function smoothSides(g) {
  const { position, normal } = g.attributes;
  for (let k = 0; k < position.count; k++) {
    const [x, z, up] = [position.getX(k), position.getZ(k), normal.getY(k)];
    const flat = Math.hypot(x, z);
    if (Math.abs(up) > 0.95 || flat === 0) continue;
    const side = Math.sqrt(1 - up * up);
    normal.setXYZ(k, x / flat * side, up, z / flat * side);
  }
}

/**
 * Several looks as one geometry with colours.
 * @param {Look[]} looks @param {THREE.Color} plain for those without a colour
 */
export function merged(looks, plain) {
  /** @type {number[][]} */
  const [position, normal, colour] = [[], [], []];
  for (const look of looks) {
    const made = geometryOf(look.shape);
    if (!made) continue;
    const part = made.index ? made.toNonIndexed() : made;
    const [x, y, z, ...turn] = look.pose;
    part.applyQuaternion(new THREE.Quaternion(...turn)).translate(x, y, z);
    const c = look.color ? calm(look.color) : plain;
    const count = part.attributes.position.count;
    for (let k = 0; k < count * 3; k++) {
      position.push(part.attributes.position.array[k]);
      normal.push(part.attributes.normal.array[k]);
    }
    for (let k = 0; k < count; k++) colour.push(c.r, c.g, c.b);
  }
  const whole = new THREE.BufferGeometry();
  whole.setAttribute('position', new THREE.Float32BufferAttribute(position, 3));
  whole.setAttribute('normal', new THREE.Float32BufferAttribute(normal, 3));
  whole.setAttribute('color', new THREE.Float32BufferAttribute(colour, 3));
  return whole;
}

/** The colour of a file as light falls on it. @param {number[]} c */
function calm(c) {
  return new THREE.Color().setRGB(c[0], c[1], c[2], THREE.SRGBColorSpace);
}

/** A surface that light falls on. @param {THREE.MeshStandardMaterialParameters} how
 *  @returns {THREE.MeshStandardMaterial | THREE.MeshLambertMaterial} */
export function surface(how) {
  if (quality.rich) return new THREE.MeshStandardMaterial(how);
  const { roughness, metalness, ...simple } = how;
  return new THREE.MeshLambertMaterial(simple);
}
