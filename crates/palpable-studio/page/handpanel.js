// The hand panel: force, coupling, and a plot of the force.
// @ts-check
import { isOpen, make, panelBody, write } from './dom.js';
import { Slider } from './slider.js';
import { Strip } from './strip.js';
import { si } from './units.js';

export class HandPanel {
  /** @param {(name: string, part: number | null, value: unknown) => void} set
   *  @param {(mode: string) => void} setMode */
  constructor(set, setMode) {
    const change = () => set('coupling', null,
      [this.k?.value ?? 0, this.b?.value ?? 0, this.r?.value ?? 0]);
    this.force = make('b', {}, '0 N');
    this.detail = make('span', {}, 'holding nothing');
    this.k = new Slider({ label: 'Coupling stiffness K', unit: 'N/m', from: 1e-2, to: 1e5 }, change);
    this.b = new Slider({ label: 'Coupling damping B', unit: 'N·s/m', from: 1e-4, to: 1e3,
      zero: true }, change);
    this.r = new Slider({ label: 'Hold orientation', unit: 'N·m/rad', from: 1e-4, to: 1e2,
      zero: true, hint: 'Above 0 the hand holds the orientation too; W A S D Q E turn it' }, change);
    this.mode = make('select', { id: 'hand-mode', title: 'The wheel moves in depth, or lifts (P)' },
      make('option', { value: 'screen' }, 'in the screen plane'),
      make('option', { value: 'surface' }, 'on surfaces'));
    this.mode.addEventListener('change', () => setMode(this.mode.value));
    /** @type {{hand: Float32Array, holding: string} | null} */
    this.latest = null;
    this.reserve = make('p', { class: 'hint', hidden: true });
    const plot = make('div', { class: 'plot' });
    panelBody('panel-hand').append(
      make('div', { class: 'big', role: 'status', 'aria-label': 'Force on the hand' }, this.force,
        this.detail),
      this.reserve,
      make('div', {}, make('div', { class: 'plot-title' }, make('span', {}, 'Force on the hand [N]'),
        make('span', {}, 'last 10 s')), plot),
      make('div', { class: 'row' }, make('label', { for: 'hand-mode' }, 'Hand moves'), this.mode),
      this.k.row, this.b.row, this.r.row);
    this.strip = new Strip(plot, 96, [{ label: 'force', colour: '--force', fill: true },
      { label: 'compared', colour: '--faint' }], (v) => si(v, 'N'));
  }

  /** @param {number[]} coupling */
  set([k, b, r]) {
    this.k.set(k);
    this.b.set(b);
    this.r.set(r);
  }

  /** @param {import('./wire.js').Frame} frame @param {string} holding */
  show(frame, holding) {
    this.strip.add(frame.time, [frame.lanes[0].hand[12], frame.lanes[1]?.hand[12] ?? null]);
    this.latest = { hand: frame.lanes[0].hand, holding };
  }

  draw() {
    if (!isOpen('panel-hand')) return;
    this.strip.draw();
    if (!this.latest) return;
    const { hand, holding } = this.latest;
    write(this.force, si(Math.hypot(hand[6], hand[7], hand[8]), 'N'));
    write(this.detail, holding ? `on the hand, holding ${holding}` : 'holding nothing');
    const [here, there] = hand.slice(14, 16);
    this.reserve.hidden = !(here > 0 || there > 0);
    write(this.reserve, `In reserve for the line: ${si(here, 'J')} at the device, `
      + `${si(there, 'J')} at the world.`);
  }
}
