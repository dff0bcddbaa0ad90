// Floors: one plane, with a grid that fades with distance.
// @ts-check
import * as THREE from './vendor/three.module.js';
import { palette } from './palette.js';
import { quality } from './quality.js';
import { surface } from './solids.js';

const VERTEX = `
varying vec2 p; varying vec3 w;
void main() {
  p = position.xy * vec2(length(modelMatrix[0].xyz), length(modelMatrix[1].xyz)) + offset();
  vec4 world = modelMatrix * vec4(position, 1.0);
  w = world.xyz;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

const FRAGMENT = `
varying vec2 p; varying vec3 w;
uniform vec3 ink; uniform float cell, reach, strength; uniform vec3 centre;
float line(float s) {
  vec2 q = p / s, width = fwidth(q);
  vec2 d = abs(fract(q - 0.5) - 0.5) / max(width, vec2(1e-6));
  float dense = max(width.x, width.y);
  return (1.0 - min(min(d.x, d.y), 1.0)) * (1.0 - smoothstep(0.15, 0.5, dense));
}
void main() {
  float fade = 1.0 - smoothstep(0.35, 1.0, distance(w, centre) / reach);
  float a = max(0.26 * line(cell), 0.6 * line(cell * 10.0)) * fade * strength;
  gl_FragColor = vec4(ink, a);
  #include <colorspace_fragment>
}`;

/** The spacing of the fine lines for a scene of this size [m]: a power of ten.
 *  @param {number} radius */
export const cellOf = (radius) => 10 ** Math.round(Math.log10(radius * 0.22));

export class Floor {
  /**
   * @param {number} radius of the scene @param {boolean} dark
   * @param {boolean} solid a floor that things stand on; else a place for lines and shadows alone
   */
  constructor(radius, dark, solid) {
    const ink = palette(dark).ink;
    this.radius = radius;
    const plane = new THREE.PlaneGeometry(1, 1);
    const matter = solid
      ? surface({ color: palette(dark).floor, roughness: 0.95, metalness: 0, envMapIntensity: 0.7 })
      : new THREE.ShadowMaterial({ opacity: dark ? 0.4 : 0.16 });
    this.plane = new THREE.Mesh(plane, matter);
    this.plane.receiveShadow = quality.shadows;
    this.plane.visible = solid || quality.shadows;
    this.shift = { value: new THREE.Vector2() };
    this.centre = { value: new THREE.Vector3() };
    this.reach = { value: 1 };
    this.grid = new THREE.Mesh(plane, new THREE.ShaderMaterial({ transparent: true,
      depthWrite: false, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: -1,
      polygonOffsetUnits: -4, uniforms: { ink: { value: new THREE.Color(ink) },
        cell: { value: cellOf(radius) }, reach: this.reach, centre: this.centre,
        strength: { value: solid ? 1 : 0.85 }, shift: this.shift },
      vertexShader: `uniform vec2 shift; vec2 offset() { return shift; }\n${VERTEX}`,
      fragmentShader: FRAGMENT }));
    this.grid.position.z = radius * 6e-4;
    this.grid.renderOrder = 1;
    this.group = new THREE.Group().add(this.plane, this.grid);
    for (const mesh of [this.plane, this.grid]) mesh.raycast = () => {};
  }

  /** Follows the eye, so that no edge is ever seen. @param {THREE.Vector3} target
   *  @param {number} distance of the eye */
  follow(target, distance) {
    const size = distance * 5 + this.radius * 30;
    const parent = this.group.parent;
    const local = parent ? parent.worldToLocal(target.clone()) : target.clone();
    const snap = cellOf(this.radius) * 10;
    const [x, y] = [Math.round(local.x / snap) * snap, Math.round(local.y / snap) * snap];
    this.group.position.setX(x).setY(y);
    for (const mesh of [this.plane, this.grid]) mesh.scale.set(size, size, 1);
    this.shift.value.set(x, y);
    this.centre.value.copy(target);
    this.reach.value = distance * 1.5 + this.radius * 4;
  }

  dispose() {
    for (const mesh of [this.plane, this.grid]) {
      mesh.geometry.dispose();
      /** @type {THREE.Material} */ (mesh.material).dispose();
    }
    this.group.removeFromParent();
  }
}
