// The energy panel: where the energy is and where it went, stacked, and as an account.
// @ts-check
import { isOpen, make, panelBody, write } from './dom.js';
import { Strip } from './strip.js';
import { digits, si } from './units.js';
import { themeColour } from './view.js';

/** Name, colour and place of each account in the frame; stored first, then lost. */
const ACCOUNTS = /** @type {[string, string, number][]} */ ([
  ['Kinetic', '--kinetic', 0], ['Elastic', '--elastic', 1], ['Gravity', '--gravity', 2],
  ['Tank', '--tank', 3], ['Damped', '--damped', 5], ['Friction', '--friction', 6],
  ['Impact', '--impact', 7], ['Discarded', '--discarded', 8]]);
const STORED = 4, SUPPLIED = 4, CLOSURE = 10, DEFECT = 11, CREATED = 13;

/** Stacked areas under the line of what was put in. */
class Stack extends Strip {
  /** @param {HTMLElement} place */
  constructor(place) {
    super(place, 190, [...[...ACCOUNTS].reverse().map(([label, colour]) => ({ label, colour,
      width: 0.5 })), { label: 'put in', colour: '--ink', width: 1.5, dash: [4, 3] }],
    (v) => si(v, 'J'));
    this.lowest = Infinity;
  }

  clear() {
    super.clear();
    this.lowest = Infinity;
  }

  /** @param {number} time @param {Float64Array} energy @param {number} initial */
  addEnergy(time, energy, initial) {
    if (energy[2] < this.lowest) this.lowest = energy[2];
    const values = ACCOUNTS.map(([, , at]) => energy[at]);
    this.add(time, [...values, initial + energy[SUPPLIED] + energy[CREATED]]);
  }

  /** Sums from the bottom up; gravity counts from its lowest level so far. */
  columns() {
    const [times, ...raw] = this.data;
    const n = ACCOUNTS.length;
    const base = Number.isFinite(this.lowest) ? this.lowest : 0;
    /** @type {(number | null)[][]} */
    const sums = [];
    let below = times.map(() => 0);
    for (let i = 0; i < n; i++) {
      const lift = i === 2 ? base : 0;
      below = raw[i].map((v, k) => below[k] + Math.max(0, (v ?? 0) - lift));
      sums.unshift(below);
    }
    return [times, ...sums, raw[n].map((v) => v === null ? null : v - base)];
  }

  extra() {
    const n = ACCOUNTS.length;
    const colours = [...ACCOUNTS].reverse().map(([, colour]) => themeColour(colour));
    const bands = [];
    for (let i = 0; i < n - 1; i++) {
      bands.push({ series: /** @type {[number, number]} */ ([i + 1, i + 2]), fill: colours[i] });
    }
    return { bands, hooks: { drawSeries: [], init: [(/** @type {any} */ plot) => {
      // the lowest area reaches down to zero
      plot.series[n].fill = () => colours[n - 1];
    }] } };
  }
}

/** Where energy came from that nobody put in. @param {Float64Array} energy */
function created(energy) {
  return energy[CREATED] > 0 ? `The contact law created ${si(energy[CREATED], 'J')}.`
    : `${si(energy[CLOSURE], 'J')} came from nowhere.`;
}

export class EnergyPanel {
  constructor() {
    const plot = make('div', { class: 'plot' });
    this.table = make('table', { class: 'account' });
    this.verdict = make('p', { class: 'verdict' });
    this.compared = make('p', { class: 'hint', hidden: true });
    panelBody('panel-energy').append(
      make('div', {}, make('div', { class: 'plot-title' },
        make('span', {}, 'Stored and lost; gravity from its lowest'),
        make('span', {}, '- - put in')), plot),
      this.verdict, this.table, this.compared);
    this.stack = new Stack(plot);
    /** @type {HTMLElement[]} */
    this.cells = [];
    this.initial = NaN;
    this.buildTable();
  }

  buildTable() {
    const row = (/** @type {string} */ label, /** @type {string} */ colour,
      /** @type {string} */ kind) => {
      const cell = make('td');
      this.cells.push(cell);
      const mark = colour ? [make('i', { style: `background: var(${colour})` })] : [];
      this.table.append(make('tr', { class: kind }, make('td', {}, ...mark, label), cell));
    };
    row('At the start', '', '');
    row('Put in since', '', '');
    row('Created by contact', '', 'created');
    row('Sum', '', 'sum');
    ACCOUNTS.forEach(([label, colour], i) => row(label, colour, i === 0 ? 'gap' : ''));
    row('Sum', '', 'sum');
  }

  clear() {
    this.stack.clear();
    this.initial = NaN;
  }

  /** @param {import('./wire.js').Frame} frame */
  show(frame) {
    const energy = frame.lanes[0].energy;
    const stored = energy[0] + energy[1] + energy[2] + energy[3];
    const lost = energy[5] + energy[6] + energy[7] + energy[8];
    // closure = stored − initial − supplied − created + lost
    if (!Number.isFinite(this.initial)) {
      this.initial = stored + lost - energy[SUPPLIED] - energy[CREATED] - energy[CLOSURE];
      // gravity may have begun lower than at the first frame that came
      this.stack.lowest = Math.min(this.stack.lowest, this.initial);
    }
    this.stack.addEnergy(frame.time, energy, this.initial);
    this.latest = { energy, stored, lost, other: frame.lanes[1] };
  }

  draw() {
    if (!isOpen('panel-energy') || !this.latest) return;
    this.stack.draw();
    const { energy, stored, lost, other } = this.latest;
    // gravity counts from its lowest level, as in the plot
    const base = Number.isFinite(this.stack.lowest) ? this.stack.lowest : 0;
    const initial = this.initial - base;
    const values = [initial, energy[SUPPLIED], energy[CREATED],
      initial + energy[SUPPLIED] + energy[CREATED],
      ...ACCOUNTS.map(([, , at]) => energy[at] - (at === 2 ? base : 0)), stored + lost - base];
    // what is below the rounding of the largest account is none
    const least = 1e-11 * Math.max(...values.map(Math.abs), Math.abs(base));
    values.forEach((v, i) => write(this.cells[i], si(Math.abs(v) < least ? 0 : v, 'J')));
    ACCOUNTS.slice(STORED).forEach(([, , at], i) => {
      const row = /** @type {HTMLElement} */ (this.cells[4 + STORED + i].parentElement);
      row.hidden = Math.abs(energy[at]) <= least;
    });
    /** @type {HTMLElement} */ (this.cells[2].parentElement).hidden = energy[CREATED] === 0;
    const play = Math.max(Math.abs(stored), Math.abs(lost), Math.abs(energy[SUPPLIED]), 1e-300);
    const gap = Math.abs(energy[CLOSURE]) / play;
    const good = gap < 1e-9 && !(energy[CREATED] > 0);
    this.verdict.classList.toggle('bad', !good);
    write(this.verdict, good
      ? `The account closes to ${gap < 1e-12 ? 'round-off' : `${digits(gap)} of the energy in play`}.`
      : created(energy));
    this.verdict.title = `worst step: ${digits(energy[DEFECT])}`;
    this.compared.hidden = !other;
    if (other) {
      const e = other.energy;
      const total = e[0] + e[1] + e[2] + e[3];
      // a comparison begun late goes on from a copy of the first, with its history
      this.compared.textContent = other.fate === 1
        ? `Compared: it exploded at ${other.ended.toFixed(3)} s.` : e[CREATED] > 0
        ? `Compared: ${si(total, 'J')} stored, ${si(e[CREATED], 'J')} created since the start.`
        : `Compared: ${si(total, 'J')} stored, ${si(e[CLOSURE], 'J')} `
          + `${e[CLOSURE] >= 0 ? 'created' : 'lost'} by the scheme.`;
    }
  }
}
