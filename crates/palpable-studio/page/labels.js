// Numbers beside arrows: a pool of small texts over the view.
// @ts-check
import { make, write } from './dom.js';
import { quality } from './quality.js';
import { si } from './units.js';

/** @typedef {import('./vendor/three.module.js').Vector3} Vector3
 *  @typedef {{kind: 'force' | 'torque' | 'contact' | 'impulse', lane: number, text: string, at: Vector3}} Label
 *  @typedef {{x: number, y: number, left: number, width: number, height: number,
 *    seen: boolean}} Spot */

/** Kinds that may be left out where they would cover others. @param {Label} [label] */
const isSpare = (label) => label?.kind === 'contact' || label?.kind === 'impulse';

/** Faces of contact that get a number, the strongest first. */
const MOST = 8;

/** @param {import('./contacts.js').Face[]} faces @param {number} lane @returns {Label[]} */
export function contactLabels(faces, lane) {
  const strong = faces.map((face) => ({ face, size: face.force.length() }))
    .filter(({ size }) => size > 0).sort((a, b) => b.size - a.size).slice(0, MOST);
  return strong.map(({ face, size }) => ({ kind: 'contact', lane, text: si(size, 'N'),
    at: face.centre }));
}

export class Labels {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.box = box;
    /** @type {HTMLElement[]} */
    this.pool = [];
    this.wrote = 0;
    /** a number has changed since it was written */
    this.behind = false;
  }

  /** @param {Label[]} labels @param {(at: Vector3, lane: number) => Spot} place */
  show(labels, place) {
    while (this.pool.length < labels.length) {
      const label = make('div', { class: 'label', hidden: true });
      this.pool.push(label);
      this.box.append(label);
    }
    // numbers that change with every frame cannot be read, and cost much to paint
    const due = performance.now() - this.wrote > quality.renewal;
    if (due) this.wrote = performance.now();
    this.behind = false;
    /** @type {number[][]} */
    const taken = [];
    this.pool.forEach((element, i) => {
      const label = labels[i];
      const spot = label && place(label.at, label.lane);
      const near = spot && spot.x > spot.left && spot.x < spot.left + spot.width && spot.y > 0
        && spot.y < spot.height;
      // what the hand feels is always told; contacts where they can be seen
      const [left, top] = spot ? corner(label, spot) : [0, 0];
      // the strongest come first; one that would cover another is left out
      const wide = label ? widthOf(label) : 0;
      const clear = !isSpare(label) || !taken.some(([x, y, width]) =>
        x < left + wide && left < x + width && Math.abs(y - top) < 19);
      const shown = Boolean(spot?.seen && clear && (near || !isSpare(label)));
      if (shown) taken.push([left, top, wide]);
      const fresh = shown && element.hidden;
      if (element.hidden === shown) element.hidden = !shown;
      if (!shown) return;
      const name = `label ${label.kind}`;
      if (element.className !== name) element.className = name;
      if (due || fresh) write(element, label.text);
      else this.behind ||= element.textContent !== label.text;
      const moved = `translate(${left}px, ${top}px)`;
      if (element.style.transform !== moved) element.style.transform = moved;
    });
  }
}

/** About as wide as it is drawn [px]. @param {Label} label */
const widthOf = (label) => 14 + 7 * label.text.length;

/** Upper left corner of a label, inside its lane. @param {Label} label @param {Spot} spot */
function corner(label, spot) {
  const clamp = (/** @type {number} */ v, /** @type {number} */ from, /** @type {number} */ to) =>
    Math.round(Math.min(Math.max(v, from), to));
  const above = { force: 26, torque: -12, contact: 8, impulse: 28 }[label.kind];
  return [clamp(spot.x + 10, spot.left + 4, spot.left + spot.width - widthOf(label) - 4),
    clamp(spot.y - above, 4, spot.height - 26)];
}
