// Springs as coils whose wire keeps its thickness however far they are pulled.
// @ts-check
import * as THREE from './vendor/three.module.js';
import { palette } from './palette.js';
import { quality } from './quality.js';
import { surface } from './solids.js';

const TURNS = 9;
/** Thickness of the wire in radii of the coil. */
const WIRE = 0.15;

/** A strip around and along the wire: x, y on a circle, z from 0 to 1 along the coil. */
function strip() {
  const along = (quality.rich ? 22 : 12) * TURNS, around = quality.rich ? 7 : 4;
  /** @type {number[]} */
  const place = [], index = [];
  for (let i = 0; i <= along; i++) {
    for (let k = 0; k <= around; k++) {
      const a = 2 * Math.PI * k / around;
      place.push(Math.cos(a), Math.sin(a), i / along);
    }
  }
  for (let i = 0; i < along; i++) {
    for (let k = 0; k < around; k++) {
      const at = i * (around + 1) + k, next = at + around + 1;
      index.push(at, at + 1, next, at + 1, next + 1, next);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(place, 3));
  geometry.setAttribute('normal', new THREE.Float32BufferAttribute(place, 3));
  geometry.setIndex(index);
  return geometry;
}

// size: radius, radius and length of this coil, which the matrix of the instance holds
const WIND = `
  vec3 size = vec3(length(instanceMatrix[0].xyz), length(instanceMatrix[1].xyz),
    length(instanceMatrix[2].xyz));
  float s = position.z, turn = s * ${(TURNS * 2 * Math.PI).toFixed(6)};
  float open = smoothstep(0.0, 0.1, s) * (1.0 - smoothstep(0.9, 1.0, s));
  vec3 outward = vec3(cos(turn), sin(turn), 0.0), ahead = vec3(-sin(turn), cos(turn), 0.0);
  vec3 tangent = normalize(ahead * size.x * open * ${(TURNS * 2 * Math.PI).toFixed(6)}
    + vec3(0.0, 0.0, size.z));
  vec3 across = cross(tangent, outward);
  vec3 facing = outward * position.x + across * position.y;`;
const NORMAL = `${WIND}\n  vec3 objectNormal = facing * size;`;
const PLACE = `vec3 transformed = (outward * size.x * open + vec3(0.0, 0.0, s * size.z)
    + facing * size.x * ${WIRE}) / size;`;

/** @param {THREE.Material} material */
function wind(material) {
  material.onBeforeCompile = (shader) => {
    const lit = shader.vertexShader.includes('#include <beginnormal_vertex>');
    shader.vertexShader = shader.vertexShader
      .replace('#include <beginnormal_vertex>', NORMAL)
      .replace('#include <begin_vertex>', lit ? PLACE : `${WIND}\n${PLACE}`);
  };
  material.customProgramCacheKey = () => 'coil';
  return material;
}

/** All springs of a lane. */
export class Coils {
  /** @param {number} count @param {boolean} dark @param {boolean} shadows */
  constructor(count, dark, shadows) {
    // in a dark room metal mirrors the dark, and thin wire is lost in it
    const steel = surface({ color: palette(dark).steel, roughness: 0.35,
      metalness: quality.rich ? (dark ? 0.2 : 0.75) : 0 });
    this.mesh = new THREE.InstancedMesh(strip(), wind(steel), Math.max(1, count));
    this.mesh.count = count;
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = shadows;
    this.mesh.customDepthMaterial = wind(new THREE.MeshDepthMaterial({
      depthPacking: THREE.RGBADepthPacking }));
    this.mesh.raycast = () => {};
    this.turn = new THREE.Quaternion();
    this.matrix = new THREE.Matrix4();
    this.along = new THREE.Vector3();
    this.size = new THREE.Vector3();
  }

  /** @param {number} i @param {THREE.Vector3} from @param {THREE.Vector3} to
   *  @param {number} radius */
  place(i, from, to, radius) {
    const length = this.along.subVectors(to, from).length();
    this.turn.setFromUnitVectors(UP, length > 0 ? this.along.divideScalar(length) : UP);
    this.matrix.compose(from, this.turn, this.size.set(radius, radius, Math.max(length, 1e-9)));
    this.mesh.setMatrixAt(i, this.matrix);
  }

  done() { this.mesh.instanceMatrix.needsUpdate = true; }
}

const UP = new THREE.Vector3(0, 0, 1);
