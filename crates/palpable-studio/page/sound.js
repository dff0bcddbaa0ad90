// The force as a sound: louder and higher as it grows.
// @ts-check

export class Sound {
  constructor() {
    /** @type {AudioContext | null} */
    this.context = null;
    this.on = false;
    this.scale = 1e-6;
  }

  /** Begins or ends; a browser allows sound only after a click. */
  toggle() {
    this.on = !this.on;
    if (this.on && !this.context) {
      this.context = new AudioContext();
      this.tone = new OscillatorNode(this.context, { type: 'triangle', frequency: 110 });
      this.gain = new GainNode(this.context, { gain: 0 });
      this.tone.connect(this.gain).connect(this.context.destination);
      this.tone.start();
    }
    if (!this.on) this.gain?.gain.setTargetAtTime(0, this.context?.currentTime ?? 0, 0.02);
    return this.on;
  }

  /** @param {import('./wire.js').Frame} frame */
  show(frame) {
    const hand = frame.lanes[0].hand;
    const force = Math.hypot(hand[6], hand[7], hand[8]);
    if (!this.on || !this.context || !Number.isFinite(force)) return;
    // loudness is relative to the strongest force so far
    this.scale = Math.max(this.scale * 0.9995, force, 1e-6);
    const level = force / this.scale;
    const now = this.context.currentTime;
    this.gain?.gain.setTargetAtTime(0.12 * level, now, 0.015);
    this.tone?.frequency.setTargetAtTime(90 + 240 * level, now, 0.015);
  }
}
