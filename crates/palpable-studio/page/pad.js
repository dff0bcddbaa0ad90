// A gamepad as the hand: the left stick moves, the right one goes in depth, the force rumbles.
// @ts-check
import * as THREE from './vendor/three.module.js';

export class Pad {
  /** @param {import('./hand.js').Hand} hand */
  constructor(hand) {
    this.hand = hand;
    this.pressed = false;
    this.last = 0;
    this.peak = 1e-9;
    this.rumbled = 0;
  }

  /** @param {number} now [ms] */
  tick(now) {
    const seconds = Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    const pad = navigator.getGamepads?.().find((p) => p?.connected);
    if (!pad) return;
    const { hand } = this;
    const button = pad.buttons[0]?.pressed ?? false;
    if (button && !this.pressed && hand.mine) {
      if (hand.holding) hand.release();
      else {
        if (hand.chosen < 0) hand.chooseNext(1);
        if (hand.chosen >= 0) hand.take(hand.chosen, new THREE.Vector3(), hand.view.bodyAt(hand.chosen));
      }
    }
    this.pressed = button;
    if (!hand.holding) return;
    const stick = (/** @type {number} */ i) => {
      const v = pad.axes[i] ?? 0;
      return Math.abs(v) < 0.12 ? 0 : v;
    };
    const speed = hand.view.radius * 1.2 * seconds;
    const axes = [0, 1, 2].map((i) => new THREE.Vector3()
      .setFromMatrixColumn(hand.view.camera.matrix, i));
    hand.target.addScaledVector(axes[0], stick(0) * speed).addScaledVector(axes[1], -stick(1) * speed)
      .addScaledVector(axes[2], stick(3) * speed);
    if (stick(0) || stick(1) || stick(3)) hand.changed = true;
  }

  /** @param {import('./wire.js').Frame} frame */
  rumble(frame) {
    const pad = navigator.getGamepads?.().find((p) => p?.connected);
    const motor = /** @type {any} */ (pad)?.vibrationActuator;
    const force = frame.lanes[0].hand[12];
    if (!motor || !Number.isFinite(force) || performance.now() - this.rumbled < 50) return;
    this.peak = Math.max(this.peak * 0.999, force);
    this.rumbled = performance.now();
    const strength = Math.min(1, force / this.peak);
    if (strength > 0.02) {
      void motor.playEffect('dual-rumble', { duration: 80, strongMagnitude: strength,
        weakMagnitude: strength * 0.4 }).catch(() => {});
    }
  }
}
