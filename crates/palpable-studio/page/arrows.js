// Forces as arrows and torques as curved arrows, to scale.
// @ts-check
import * as THREE from './vendor/three.module.js';
import { quality } from './quality.js';

const UP = new THREE.Vector3(0, 0, 1);

/** A cylinder and a cone of unit size along z. */
export const shaftShape = () => new THREE.CylinderGeometry(1, 1, 1, quality.round(16))
  .rotateX(Math.PI / 2).translate(0, 0, 0.5);
export const headShape = () => new THREE.ConeGeometry(1, 1, quality.round(24))
  .rotateX(Math.PI / 2).translate(0, 0, 0.5);

/** Seen through everything, above other things. */
const material = () => new THREE.MeshStandardMaterial({ roughness: 0.5, depthTest: false,
  transparent: true });

/** A force. */
export class Arrow {
  constructor() {
    this.material = material();
    this.shaft = new THREE.Mesh(shaftShape(), this.material);
    this.head = new THREE.Mesh(headShape(), this.material);
    this.group = new THREE.Group().add(this.shaft, this.head);
    this.group.renderOrder = this.shaft.renderOrder = this.head.renderOrder = 10;
    this.group.visible = false;
  }

  /** @param {THREE.Vector3} from @param {THREE.Vector3} along length in metres
   *  @param {number} thickness */
  show(from, along, thickness) {
    const length = along.length();
    this.group.visible = length > thickness * 0.5;
    const head = Math.min(thickness * 5, length * 0.6);
    this.group.position.copy(from);
    this.group.quaternion.setFromUnitVectors(UP, along.clone().normalize());
    this.shaft.scale.set(thickness, thickness, Math.max(length - head, 1e-9));
    this.head.scale.set(thickness * 2.4, thickness * 2.4, head);
    this.head.position.set(0, 0, length - head);
  }
}

/** Share of a turn that a torque's arc takes. */
const ARC = 1.5 * Math.PI;

/** A torque: an arc about its axis, right-handed, whose radius grows with it. */
export class CurvedArrow {
  constructor() {
    this.material = material();
    const arc = new THREE.Mesh(new THREE.TorusGeometry(1, 0.045, 10, 48, ARC), this.material);
    // the head points along the arc at its end
    const head = new THREE.Mesh(headShape(), this.material);
    head.scale.set(0.13, 0.13, 0.34);
    head.position.set(Math.cos(ARC), Math.sin(ARC), 0);
    head.quaternion.setFromUnitVectors(UP, new THREE.Vector3(-Math.sin(ARC), Math.cos(ARC), 0));
    this.group = new THREE.Group().add(arc, head);
    this.group.renderOrder = arc.renderOrder = head.renderOrder = 10;
    this.group.visible = false;
  }

  /** @param {THREE.Vector3} at @param {THREE.Vector3} torque length in metres
   *  @param {number} least radius below which it is not shown [m] */
  show(at, torque, least) {
    const size = torque.length();
    this.group.visible = size > least;
    if (!this.group.visible) return;
    this.group.position.copy(at);
    this.group.quaternion.setFromUnitVectors(UP, torque.clone().normalize());
    this.group.scale.setScalar(size);
  }
}
