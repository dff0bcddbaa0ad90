// What can be shown of bodies beside their looks: axes, centres of mass, boxes of inertia.
// @ts-check
import * as THREE from './vendor/three.module.js';

/** @typedef {import('./shapes.js').Actors} Actors */

export class Extras {
  constructor() {
    this.frames = this.centres = this.inertia = false;
  }

  /** Puts what is wanted on every moving body. @param {Actors} actors */
  place(actors) {
    for (const body of actors.bodies) {
      const old = body.getObjectByName('extras');
      old?.removeFromParent();
      if (body.userData.fixed || body.userData.plane) continue;
      const group = new THREE.Group();
      group.name = 'extras';
      const size = Math.max(body.userData.half.length(), actors.reach * 0.02);
      const { matter } = body.userData;
      if (this.frames) group.add(above(new THREE.AxesHelper(size * 1.3)));
      if (this.centres) {
        const ball = new THREE.Mesh(new THREE.SphereGeometry(actors.reach * 0.012, 12, 8),
          new THREE.MeshBasicMaterial({ color: 0xd9480f }));
        if (matter) ball.position.fromArray(matter.centre);
        group.add(above(ball));
      }
      if (this.inertia && matter) {
        const [x, y, z] = matter.half;
        const box = new THREE.LineSegments(new THREE.EdgesGeometry(
          new THREE.BoxGeometry(2 * x, 2 * y, 2 * z)),
        new THREE.LineBasicMaterial({ color: 0xd9480f }));
        box.position.fromArray(matter.centre);
        box.quaternion.fromArray(matter.axes);
        group.add(above(box));
      }
      group.traverse((o) => { o.raycast = () => {}; });
      if (group.children.length) body.add(group);
    }
  }
}

/** Seen through the body. @template {THREE.Object3D} T @param {T} object @returns {T} */
function above(object) {
  const material = /** @type {THREE.Material} */ (/** @type {any} */ (object).material);
  material.depthTest = false;
  material.transparent = true;
  object.renderOrder = 9;
  return object;
}
