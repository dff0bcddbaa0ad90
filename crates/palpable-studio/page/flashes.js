// Collisions: a flash where bodies struck, as wide as the blow, and its impulse beside it.
// @ts-check
import * as THREE from './vendor/three.module.js';
import { layers } from './contacts.js';
import { si } from './units.js';

/** How long a flash and its number stay [ms]. */
const FLASH = 450, NUMBER = 1600;
/** Flashes drawn, and numbers told, at most. */
const MOST = 32, NUMBERS = 4;
/** Radius of the widest flash and of the faintest in sizes of the scene. */
const WIDE = 0.16, FAINT = 0.05;
/** Blows below this part of the strongest are not told in numbers. */
const SLIGHT = 0.02;

/** @typedef {{number: number, at: THREE.Vector3, size: number, age: number}} Flash */

/** Which collisions of a frame were not in the one before. */
export class News {
  constructor() {
    /** @type {Set<number>} */
    this.known = new Set();
  }

  /** @param {import('./wire.js').Strike[]} strikes */
  of(strikes) {
    const fresh = strikes.filter((s) => !this.known.has(s.number));
    this.known = new Set(strikes.map((s) => s.number));
    return fresh;
  }
}

/** Size of an impulse [N·s]. @param {import('./wire.js').Strike} strike */
export const sizeOf = (strike) => Math.hypot(...strike.impulse);

/** A glow with a ring around it, white. */
function picture() {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 128;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const glow = pen.createRadialGradient(64, 64, 0, 64, 64, 62);
  for (const [at, alpha] of [[0, 1], [0.16, 0.95], [0.32, 0.35], [0.62, 0.12], [0.8, 0.1],
    [0.87, 0.75], [0.93, 0.75], [1, 0]]) glow.addColorStop(at, `rgb(255 255 255 / ${alpha})`);
  pen.fillStyle = glow;
  pen.fillRect(0, 0, 128, 128);
  return new THREE.CanvasTexture(canvas);
}

/** The flashes of a lane. */
export class Flashes {
  constructor() {
    this.texture = picture();
    this.colour = new THREE.Color();
    this.group = new THREE.Group();
    /** @type {THREE.Sprite[]} */
    this.pool = [];
    /** @type {Flash[]} */
    this.list = [];
    this.news = new News();
    /** the strongest impulse of late [N·s] */
    this.scale = 0;
  }

  clear() {
    this.list = [];
    this.news = new News();
    this.scale = 0;
    this.pool.forEach((sprite) => { sprite.visible = false; });
  }

  /** @param {string} colour */
  paint(colour) {
    this.colour.set(colour);
  }

  /** Takes note of what a frame tells; true if there is something new.
   *  @param {import('./wire.js').Strike[]} strikes */
  hear(strikes) {
    // a collision that is spread over steps may have grown since
    for (const strike of strikes) {
      const flash = this.list.find((f) => f.number === strike.number && f.age < NUMBER);
      if (flash) flash.size = sizeOf(strike);
    }
    const fresh = this.news.of(strikes);
    for (const strike of fresh) {
      this.list.push({ number: strike.number, at: new THREE.Vector3(...strike.point),
        size: sizeOf(strike), age: 0 });
    }
    if (this.list.length > MOST) this.list.splice(0, this.list.length - MOST);
    this.scale = this.list.reduce((most, f) => Math.max(most, f.size), this.scale);
    return fresh.length > 0;
  }

  /** Time goes on; true if the picture changes.
   *  @param {number} passed [ms] @param {number} scene its size [m] */
  pass(passed, scene) {
    this.scale *= Math.exp(-passed / 20000);
    const before = this.list.length;
    for (const flash of this.list) flash.age += passed;
    this.list = this.list.filter((f) => f.age < NUMBER);
    const shown = layers.impulses ? this.list.filter((f) => f.age < FLASH) : [];
    let changed = before !== this.list.length || shown.length > 0;
    while (this.pool.length < shown.length) this.pool.push(this.sprite());
    this.pool.forEach((sprite, i) => {
      const flash = shown[i];
      changed ||= sprite.visible !== Boolean(flash);
      sprite.visible = Boolean(flash);
      if (!flash) return;
      const part = flash.age / FLASH;
      // blows are told apart over two decades
      const level = Math.max(0, 1 + 0.5 * Math.log10(Math.max(flash.size / this.scale, 1e-6)));
      const size = 2 * scene * (FAINT + (WIDE - FAINT) * level) * (0.55 + 0.45 * Math.sqrt(part));
      sprite.position.copy(flash.at);
      sprite.scale.set(size, size, 1);
      sprite.material.color.copy(this.colour);
      sprite.material.opacity = (1 - part) ** 1.5;
    });
    return changed;
  }

  sprite() {
    const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map: this.texture, transparent: true,
      depthTest: false, depthWrite: false, toneMapped: false, fog: false }));
    sprite.renderOrder = 9;
    sprite.raycast = () => {};
    this.group.add(sprite);
    return sprite;
  }

  /** Numbers of the newest collisions, the strongest first. @param {number} lane
   *  @returns {import('./labels.js').Label[]} */
  labels(lane) {
    if (!layers.impulses) return [];
    return this.list.filter((f) => f.size > SLIGHT * this.scale).sort((a, b) => b.size - a.size)
      .slice(0, NUMBERS).map((f) => ({ kind: 'impulse', lane, text: si(f.size, 'N·s'), at: f.at }));
  }
}
