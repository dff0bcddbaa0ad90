// The force as a sound, louder and higher as it grows; collisions as clicks, as loud as their blow.
// @ts-check
import { News, sizeOf } from './flashes.js';

/** Length of a click [s], clicks of one frame at most, and the faintest of them. */
const CLICK = 0.06, CLICKS = 4, QUIET = 0.02;

export class Sound {
  constructor() {
    /** @type {AudioContext | null} */
    this.context = null;
    /** @type {AudioBuffer | null} */
    this.noise = null;
    this.on = false;
    this.scale = 1e-6;
    this.news = new News();
    /** the strongest impulse of late [N·s]; clicks so far, and the loudness of the last */
    this.blow = this.clicks = this.loudness = 0;
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

  /** New collisions click. @param {import('./wire.js').Frame} frame */
  strike(frame) {
    const sizes = this.news.of(frame.lanes[0].strikes).map(sizeOf).sort((a, b) => b - a);
    this.blow = Math.max(this.blow * 0.9995, ...sizes);
    if (!this.on || !this.context) return;
    for (const size of sizes.slice(0, CLICKS)) {
      const level = size / this.blow;
      if (level > QUIET) this.click(level);
    }
  }

  /** A burst of noise that rings off, brighter as it is louder. @param {number} level 0..1 */
  click(level) {
    const { context } = this;
    if (!context) return;
    const now = context.currentTime;
    this.noise ??= noise(context);
    const source = new AudioBufferSourceNode(context, { buffer: this.noise });
    const tone = new BiquadFilterNode(context, { type: 'bandpass', Q: 1.4,
      frequency: 900 + 1600 * Math.sqrt(level) });
    this.loudness = 0.7 * level;
    const gain = new GainNode(context, { gain: this.loudness });
    gain.gain.setValueAtTime(this.loudness, now);
    gain.gain.exponentialRampToValueAtTime(1e-4 * this.loudness, now + CLICK);
    source.connect(tone).connect(gain).connect(context.destination);
    source.start(now, 0, CLICK);
    this.clicks++;
  }
}

/** White noise for clicks, the same each time. @param {AudioContext} context */
function noise(context) {
  const buffer = new AudioBuffer({ length: Math.ceil(CLICK * context.sampleRate),
    sampleRate: context.sampleRate });
  const data = buffer.getChannelData(0);
  let state = 1;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    data[i] = state / 2 ** 31;
  }
  return buffer;
}
