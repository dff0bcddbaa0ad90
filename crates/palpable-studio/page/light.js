// Light: a bright room around everything, and one sun.
// @ts-check
import * as THREE from './vendor/three.module.js';
import { quality } from './quality.js';

/**
 * The light of a room with windows, for materials that mirror it a little.
 * @param {THREE.WebGLRenderer} renderer @param {boolean} dark
 */
export function environment(renderer, dark) {
  const room = new THREE.Scene();
  const glow = (/** @type {number} */ strength) => new THREE.MeshBasicMaterial({
    color: new THREE.Color().setScalar(strength), side: THREE.DoubleSide });
  const walls = new THREE.Mesh(new THREE.SphereGeometry(10, 24, 16), new THREE.ShaderMaterial({
    side: THREE.BackSide, uniforms: { high: { value: dark ? 0.55 : 1.05 },
      low: { value: dark ? 0.12 : 0.5 } },
    vertexShader: 'varying vec3 p; void main() { p = normalize(position);'
      + ' gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
    fragmentShader: 'varying vec3 p; uniform float high, low; void main() {'
      + ' gl_FragColor = vec4(vec3(mix(low, high, smoothstep(-0.4, 0.8, p.z))), 1.0); }' }));
  room.add(walls);
  const panes = [[0, 0, 8, 5, 4, 6], [7, -5, 4, 3, 4, 8], [-8, -2, 3, 2, 5, 5]];
  for (const [x, y, z, width, height, strength] of panes) {
    const pane = new THREE.Mesh(new THREE.PlaneGeometry(width, height),
      glow(dark ? strength * 0.7 : strength));
    pane.position.set(x, y, z);
    pane.lookAt(0, 0, 0);
    room.add(pane);
  }
  const maker = new THREE.PMREMGenerator(renderer);
  const made = maker.fromScene(room, 0.03);
  maker.dispose();
  room.traverse((o) => {
    const mesh = /** @type {THREE.Mesh} */ (o);
    mesh.geometry?.dispose();
    /** @type {THREE.Material} */ (mesh.material)?.dispose?.();
  });
  return made.texture;
}

/** Sun and sky of a scene; without an environment the sky does more of it. */
export class Light {
  /** @param {THREE.Scene} scene */
  constructor(scene) {
    this.scene = scene;
    this.sky = new THREE.HemisphereLight(0xffffff, 0x8d949c, 1);
    this.sky.position.set(0, 0, 1);
    this.sun = new THREE.DirectionalLight(0xfff6ea, 2);
    this.sun.castShadow = quality.shadows;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 5;
    scene.add(this.sky, this.sun, this.sun.target);
  }

  /** @param {boolean} dark @param {THREE.Texture | null} room */
  dim(dark, room) {
    this.scene.environment = room;
    this.scene.environmentIntensity = dark ? 0.55 : 0.62;
    const own = room ? 0 : dark ? 1.9 : 2.2;
    this.sky.intensity = own;
    this.sun.intensity = room ? (dark ? 1.9 : 2.3) : (dark ? 1.5 : 1.7);
  }

  /** Lets the sun shine on a ball of this radius. @param {THREE.Vector3} centre
   *  @param {number} radius */
  shineOn(centre, radius) {
    const { sun } = this;
    sun.position.copy(centre).add(new THREE.Vector3(-0.75, -0.85, 1.9).multiplyScalar(radius * 2));
    sun.target.position.copy(centre);
    const eye = sun.shadow.camera;
    eye.left = eye.bottom = -radius * 1.7;
    eye.right = eye.top = radius * 1.7;
    eye.near = radius * 0.2;
    eye.far = radius * 9;
    eye.updateProjectionMatrix();
    sun.shadow.normalBias = radius * 0.004;
    sun.shadow.bias = -3e-4;
  }
}
