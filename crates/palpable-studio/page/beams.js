// Beams as bent solids, and tendons along their routes.
// @ts-check
import * as THREE from './vendor/three.module.js';
import { palette } from './palette.js';
import { quality } from './quality.js';
import { surface } from './solids.js';

/** @typedef {import('./shapes.js').SceneInfo} SceneInfo */

/** Points between two nodes of a beam. */
const FINE = 4;

export class Beams {
  /** @param {SceneInfo} info @param {THREE.Object3D[]} bodies @param {number} reach
   *  @param {{dark: boolean, shadows: boolean}} how */
  constructor(info, bodies, reach, { dark, shadows }) {
    this.info = info;
    this.bodies = bodies;
    this.reach = reach;
    this.group = new THREE.Group();
    const { beam, tendon } = palette(dark);
    const make = (/** @type {number} */ color, /** @type {number} */ metalness) => {
      const mesh = new THREE.Mesh(new THREE.BufferGeometry(),
        surface({ color, roughness: 0.42, metalness: quality.rich ? metalness : 0 }));
      mesh.castShadow = mesh.receiveShadow = shadows;
      mesh.frustumCulled = false;
      mesh.raycast = () => {};
      this.group.add(mesh);
      return mesh;
    };
    this.solids = info.lines.map(() => make(beam, 0.5));
    this.cords = info.tendons.map(() => make(tendon, 0));
    this.pulleys = new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, quality.round(32))
      .rotateX(Math.PI / 2), surface({ color: palette(dark).steel, roughness: 0.4,
      metalness: quality.rich ? 0.6 : 0 }),
    Math.max(1, info.tendons.reduce((n, t) => n + t.pulleys.length, 0)));
    this.pulleys.count = 0;
    this.pulleys.frustumCulled = false;
    this.pulleys.castShadow = shadows;
    this.pulleys.raycast = () => {};
    this.group.add(this.pulleys);
  }

  place() {
    this.solids.forEach((mesh, i) => this.bend(mesh, i));
    this.pulleys.count = 0;
    this.cords.forEach((mesh, i) => this.route(mesh, i));
    this.pulleys.instanceMatrix.needsUpdate = true;
  }

  /** A rectangular section swept along the nodes, each turned as its node is.
   *  @param {THREE.Mesh} mesh @param {number} i */
  bend(mesh, i) {
    const nodes = this.info.lines[i].map((b) => this.bodies[b]);
    const curve = new THREE.CatmullRomCurve3(nodes.map((n) => n.position.clone()));
    const steps = (nodes.length - 1) * FINE;
    const section = this.info.sections?.[i] ?? [this.reach * 0.05, this.reach * 0.02];
    const [wide, thick] = section.map((v) => v / 2);
    const corners = [[thick, wide], [-thick, wide], [-thick, -wide], [thick, -wide]];
    const turn = new THREE.Quaternion();
    /** @type {THREE.Vector3[][]} */
    const rings = [];
    for (let k = 0; k <= steps; k++) {
      const from = Math.min(Math.floor(k / FINE), nodes.length - 2);
      turn.slerpQuaternions(nodes[from].quaternion, nodes[from + 1].quaternion, k / FINE - from);
      const at = curve.getPoint(k / steps);
      rings.push(corners.map(([y, z]) =>
        new THREE.Vector3(0, y, z).applyQuaternion(turn).add(at)));
    }
    /** @type {number[]} */
    const place = [];
    const quad = (/** @type {THREE.Vector3[]} */ [a, b, c, d]) => {
      for (const p of [a, b, c, a, c, d]) place.push(p.x, p.y, p.z);
    };
    for (let k = 0; k < steps; k++) {
      for (let s = 0; s < 4; s++) {
        const t = (s + 1) % 4;
        quad([rings[k][s], rings[k][t], rings[k + 1][t], rings[k + 1][s]]);
      }
    }
    quad([rings[0][3], rings[0][2], rings[0][1], rings[0][0]]);
    quad(rings[steps]);
    mesh.geometry.dispose();
    mesh.geometry = new THREE.BufferGeometry();
    mesh.geometry.setAttribute('position', new THREE.Float32BufferAttribute(place, 3));
    mesh.geometry.computeVertexNormals();
  }

  /** From the link before the first pulley over all pulleys into the last link.
   *  @param {THREE.Mesh} mesh @param {number} i */
  route(mesh, i) {
    const { pulleys } = this.info.tendons[i];
    const wire = this.reach * 0.006;
    const lift = wire * 0.6;
    const at = pulleys.map((p) => new THREE.Vector3(...p.point)
      .applyMatrix4(this.bodies[p.body].matrix));
    const middle = (/** @type {number} */ b) => this.bodies[b].userData.middle.clone()
      .applyMatrix4(this.bodies[b].matrix);
    /** @type {THREE.Vector3[]} */
    const path = [];
    pulleys.forEach((p, k) => {
      const axis = new THREE.Vector3(...p.axis).applyQuaternion(this.bodies[p.body].quaternion);
      const radius = p.radius + Math.sign(p.radius) * lift;
      const out = (at[k + 1] ?? middle(p.body)).clone().sub(at[k]);
      const before = k > 0 ? at[k - 1] : this.bodies[p.body - 1] ? middle(p.body - 1) : null;
      const into = before ? at[k].clone().sub(before) : out.clone();
      const side = (/** @type {THREE.Vector3} */ d) => axis.clone().cross(d).normalize()
        .multiplyScalar(radius).add(at[k]);
      if (k === 0) path.push(side(into).addScaledVector(into, -0.75));
      path.push(side(into), side(into.clone().normalize().add(out.clone().normalize())), side(out));
      if (k === pulleys.length - 1) path.push(side(out).addScaledVector(out, 0.9));
      this.addPulley(at[k], axis, Math.abs(p.radius), wire);
    });
    mesh.geometry.dispose();
    const curve = new THREE.CatmullRomCurve3(path, false, 'centripetal');
    mesh.geometry = new THREE.TubeGeometry(curve, 12 * path.length, wire, quality.round(10));
  }

  /** @param {THREE.Vector3} at @param {THREE.Vector3} axis @param {number} radius
   *  @param {number} wire */
  addPulley(at, axis, radius, wire) {
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), axis);
    const matrix = new THREE.Matrix4().compose(at, turn,
      new THREE.Vector3(radius, radius, wire * 3));
    this.pulleys.setMatrixAt(this.pulleys.count++, matrix);
  }
}
