// The contact panel: how many, how deep, how hard; and what the view shows of them.
// @ts-check
import { byId, isOpen, make, panelBody, write } from './dom.js';
import { highest, strongestTorque } from './areas.js';
import { layers } from './contacts.js';
import { sizeOf } from './flashes.js';
import { Strip } from './strip.js';
import { si } from './units.js';

const NAMES = /** @type {[keyof typeof layers, string][]} */ ([
  ['own', 'Forces on what is held'], ['pairs', 'Forces of every pair'], ['points', 'Points'],
  ['areas', 'Areas'], ['forces', 'Force at every point'], ['numbers', 'Numbers'],
  ['impulses', 'Collisions'], ['pressure', 'Pressure of areas']]);

export class ContactPanel {
  /** @param {() => void} redraw */
  constructor(redraw) {
    this.facts = make('dl', { class: 'facts' });
    /** @type {Record<string, HTMLElement>} */
    this.cells = {};
    for (const name of ['Contacts', 'Deepest overlap', 'Strongest force', 'Highest pressure',
      'Friction torque', 'Last impulse']) {
      this.cells[name] = make('dd', {}, '0');
      this.facts.append(make('dt', {}, name), this.cells[name]);
    }
    // only where collisions are told
    const rows = /** @type {HTMLElement[]} */ ([...this.facts.children]);
    this.struck = rows.slice(-2);
    // only where surfaces yield
    this.pressed = rows.slice(-6, -2);
    this.impulse = 0;
    const kept = JSON.parse(localStorage.getItem('contacts') ?? '{}');
    const switches = NAMES.map(([name, label]) => {
      layers[name] = kept[name] ?? layers[name];
      const box = make('input', { type: 'checkbox', id: `layer-${name}` });
      box.checked = layers[name];
      box.addEventListener('change', () => {
        layers[name] = box.checked;
        localStorage.setItem('contacts', JSON.stringify(layers));
        redraw();
      });
      return make('label', { class: 'switch' }, box, label);
    });
    const plot = make('div', { class: 'plot' });
    panelBody('panel-contact').append(this.facts,
      make('div', {}, make('div', { class: 'plot-title' }, make('span', {}, 'Deepest overlap [m]'),
        make('span', {}, 'last 10 s')), plot),
      make('div', { class: 'switches', role: 'group', 'aria-label': 'Shown in the view' },
        ...switches));
    this.strip = new Strip(plot, 80, [{ label: 'overlap', colour: '--contact', fill: true },
      { label: 'compared', colour: '--faint' }], (v) => si(v, 'm'));
  }

  /** Scenes in which nothing can touch have no such panel. @param {any} parameters */
  load(parameters) {
    byId('panel-contact').hidden = parameters.surfaces.length === 0;
    this.strip.clear();
    this.impulse = 0;
  }

  /** @param {import('./wire.js').Frame} frame */
  show(frame) {
    this.strip.add(frame.time, [frame.lanes[0].deepest, frame.lanes[1]?.deepest ?? null]);
    this.frame = frame;
    const { strikes } = frame.lanes[0];
    if (strikes.length) this.impulse = sizeOf(strikes[strikes.length - 1]);
  }

  draw() {
    if (!isOpen('panel-contact') || !this.frame) return;
    this.strip.draw();
    const { touching, deepest, contacts, areas } = this.frame.lanes[0];
    let most = 0;
    for (let i = 0; i < contacts.count; i++) {
      most = Math.max(most, Math.hypot(...contacts.values.subarray(i * 8 + 3, i * 8 + 6)));
    }
    write(this.cells['Contacts'], String(touching));
    write(this.cells['Highest pressure'], si(highest(areas), 'Pa'));
    write(this.cells['Friction torque'], si(strongestTorque(areas), 'N·m'));
    for (const cell of this.pressed) cell.hidden = areas.length === 0;
    write(this.cells['Deepest overlap'], si(Math.max(0, deepest), 'm'));
    write(this.cells['Strongest force'], si(most, 'N'));
    write(this.cells['Last impulse'], si(this.impulse, 'N·s'));
    for (const cell of this.struck) cell.hidden = this.impulse === 0;
  }
}
