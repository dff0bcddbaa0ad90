// A number with a unit: a text field and a slider on a logarithmic scale.
// @ts-check
import { make, toast } from './dom.js';
import { read, si } from './units.js';

let serial = 0;

/**
 * @typedef {{label: string, unit: string, from: number, to: number, zero?: boolean,
 *   linear?: boolean, hint?: string}} Kind
 */

export class Slider {
  /** @param {Kind} kind @param {(value: number) => void} change */
  constructor(kind, change) {
    this.kind = kind;
    this.change = change;
    this.value = NaN;
    const id = `field-${++serial}`;
    this.text = make('input', { type: 'text', id, autocomplete: 'off', spellcheck: 'false' });
    this.range = make('input', { type: 'range', min: 0, max: 1000,
      'aria-label': `${kind.label}, slider` });
    const label = make('label', { for: id, title: kind.hint ?? kind.label }, kind.label);
    this.row = make('div', { class: 'row' }, label, this.text, this.range);
    this.text.addEventListener('change', () => this.typed());
    this.text.addEventListener('keydown', (e) => e.stopPropagation());
    this.range.addEventListener('input', () => {
      this.dragging = true;
      this.give(this.fromPlace(Number(this.range.value)));
    });
    this.range.addEventListener('change', () => { this.dragging = false; });
  }

  /** @param {number} place 0 to 1000 */
  fromPlace(place) {
    const { from, to, zero, linear } = this.kind;
    if (linear) return from + (to - from) * place / 1000;
    if (zero && place < 10) return 0; // the left end is off
    const t = zero ? (place - 10) / 990 : place / 1000;
    const value = from * (to / from) ** t;
    return Number(value.toPrecision(3));
  }

  /** @param {number} value */
  toPlace(value) {
    const { from, to, zero, linear } = this.kind;
    if (linear) return 1000 * (value - from) / (to - from);
    if (!(value > 0)) return 0;
    const t = Math.log(value / from) / Math.log(to / from);
    return zero ? 10 + 990 * t : 1000 * t;
  }

  typed() {
    const value = read(this.text.value, this.kind.unit);
    const good = value !== null && (value > 0 || (value === 0 && !!this.kind.zero)
      || !!this.kind.linear);
    this.text.setAttribute('aria-invalid', String(!good));
    if (!good) {
      const { label, unit, zero, linear } = this.kind;
      const range = linear ? '' : zero ? ' of 0 or more' : ' greater than 0';
      toast(`${label}: give a number${range}${unit ? `, such as ${si(1, unit)}` : ''}`, true);
    }
    if (good && value !== null) this.give(value);
  }

  /** @param {number} value */
  give(value) {
    this.set(value);
    this.change(value);
  }

  /** Shows a value. @param {number} value */
  set(value) {
    this.value = value;
    if (document.activeElement !== this.text || !this.text.matches(':focus-visible')) {
      this.text.value = si(value, this.kind.unit);
    }
    this.text.setAttribute('aria-invalid', 'false');
    const place = this.toPlace(value);
    this.range.value = String(Number.isFinite(place) ? place : 0);
    this.range.setAttribute('aria-valuetext', si(value, this.kind.unit));
  }

  /** @param {boolean} off */
  disable(off) {
    this.text.disabled = this.range.disabled = off;
  }
}
