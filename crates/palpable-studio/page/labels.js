// Numbers beside arrows: a pool of small texts over the view.
// @ts-check
import { make } from './dom.js';
import { si } from './units.js';

/** @typedef {import('./vendor/three.module.js').Vector3} Vector3
 *  @typedef {{kind: 'force' | 'torque' | 'contact', lane: number, text: string, at: Vector3}} Label
 *  @typedef {{x: number, y: number, left: number, width: number, height: number,
 *    seen: boolean}} Spot */

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
  }

  /** @param {Label[]} labels @param {(at: Vector3, lane: number) => Spot} place */
  show(labels, place) {
    while (this.pool.length < labels.length) {
      const label = make('div', { class: 'label' });
      this.pool.push(label);
      this.box.append(label);
    }
    this.pool.forEach((element, i) => {
      const label = labels[i];
      const spot = label && place(label.at, label.lane);
      const near = spot && spot.x > spot.left && spot.x < spot.left + spot.width && spot.y > 0
        && spot.y < spot.height;
      // what the hand feels is always told; contacts where they can be seen
      const shown = spot?.seen && (near || label.kind !== 'contact');
      element.hidden = !shown;
      if (!shown) return;
      element.className = `label ${label.kind}`;
      element.textContent = label.text;
      const clamp = (/** @type {number} */ v, /** @type {number} */ from, /** @type {number} */ to) =>
        Math.round(Math.min(Math.max(v, from), to));
      const left = clamp(spot.x + 10, spot.left + 4, spot.left + spot.width - 70);
      const above = { force: 26, torque: -12, contact: 8 }[label.kind];
      const top = clamp(spot.y - above, 4, spot.height - 26);
      element.style.transform = `translate(${left}px, ${top}px)`;
    });
  }
}
