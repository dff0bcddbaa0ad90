// The parameters panel: applied live, each jump of energy paid for.
// @ts-check
import { make, panelBody } from './dom.js';
import { Slider } from './slider.js';

/** @typedef {import('./shapes.js').SceneInfo} SceneInfo @typedef {import('./wire.js').Wire} Wire */

export class Parameters {
  /** @param {Wire} wire @param {(name: string, part: number | null, value: unknown) => void} noted */
  constructor(wire, noted) {
    this.wire = wire;
    this.noted = noted;
    /** @type {SceneInfo | null} */
    this.info = null;
    /** @type {any} */
    this.now = null;
    /** the direction of gravity, last time there was any */
    this.down = [0, 0, -1];
    this.body = make('select', { 'aria-label': 'Body' });
    this.spring = make('select', { 'aria-label': 'Spring' });
    this.surface = make('select', { 'aria-label': 'Surface' });
    this.scheme = make('select', { 'aria-label': 'Scheme', id: 'scheme' });
    this.law = make('select', { 'aria-label': 'Contact law', id: 'law', title: 'cone: ours, passive. '
      + 'printed: [Kim2017, (34)] as published; the plastic one creates energy' });
    this.pay = make('select', { 'aria-label': 'Who pays for a jump of energy', id: 'pay' },
      make('option', { value: 'supply' }, 'your hand'),
      make('option', { value: 'tank' }, 'the tank, as far as it reaches'));
    this.build(panelBody('panel-parameters'));
    this.body.addEventListener('change', () => this.refresh());
    this.spring.addEventListener('change', () => this.refresh());
    this.surface.addEventListener('change', () => this.refresh());
    this.law.addEventListener('change', () => this.set('law', 0, this.law.value));
    this.scheme.addEventListener('change', () => this.set('scheme', 0, this.scheme.value));
  }

  /** @param {HTMLElement} panel */
  build(panel) {
    const s = (/** @type {import('./slider.js').Kind} */ kind,
      /** @type {(value: number) => void} */ change) => new Slider(kind, change);
    this.mass = s({ label: 'Mass', unit: 'kg', from: 1e-6, to: 100 },
      (v) => this.set('mass', this.bodyIndex(), v));
    this.drag = s({ label: 'Damping', unit: 'N·s/m', from: 1e-6, to: 100, zero: true,
      hint: 'Viscous damping against the world' }, (v) => this.setDrag(v));
    this.stiffness = s({ label: 'Stiffness', unit: 'N/m', from: 1e-2, to: 1e7, zero: true },
      (v) => this.set('stiffness', this.springIndex(), v));
    this.damping = s({ label: 'Damping', unit: 'N·s/m', from: 1e-5, to: 1e3, zero: true },
      (v) => this.set('damping', this.springIndex(), v));
    this.friction = s({ label: 'Friction', unit: '', from: 1e-3, to: 10, zero: true,
      hint: 'Coefficient; of a pair the geometric mean of both' },
      (v) => this.set('friction', this.surfaceIndex(), v));
    this.bounce = s({ label: 'Restitution', unit: '', from: 0, to: 1, linear: true,
      hint: 'Share of the speed that an impact gives back; of a pair the smaller of both' },
      (v) => this.set('restitution', this.surfaceIndex(), Math.min(1, Math.max(0, v))));
    this.sides = s({ label: 'Sides of the pyramid', unit: '', from: 4, to: 64, linear: true,
      hint: 'The printed laws make the friction cone a pyramid' },
      (v) => this.set('sides', 0, Math.round(Math.min(64, Math.max(4, v)))));
    this.gravity = s({ label: 'Gravity', unit: 'm/s²', from: 0, to: 20, linear: true,
      hint: 'Keeps its direction; downward if there was none' }, (v) => this.setGravity(v));
    this.step = s({ label: 'Step', unit: 's', from: 1e-4, to: 0.1 },
      (v) => this.set('step', null, v));
    const title = (/** @type {string} */ text, /** @type {Node} */ control) =>
      make('h3', {}, text, control);
    this.springGroup = make('div', { class: 'group' }, title('Spring', this.spring),
      this.stiffness.row, this.damping.row);
    this.surfaceGroup = make('div', { class: 'group' }, title('Surface', this.surface),
      this.friction.row, this.bounce.row,
      make('div', { class: 'row' }, make('label', { for: 'law' }, 'Contact law'), this.law),
      this.sides.row);
    panel.append(
      make('div', { class: 'group' }, title('Body', this.body), this.mass.row, this.drag.row),
      this.springGroup, this.surfaceGroup,
      make('div', { class: 'group' }, title('World', make('span')), this.gravity.row,
        this.step.row,
        make('div', { class: 'row' }, make('label', { for: 'scheme' }, 'Scheme'), this.scheme),
        make('div', { class: 'row' }, make('label', { for: 'pay' }, 'Paid for by'),
          this.pay)));
  }

  /** @param {string[]} names */
  setSchemes(names) {
    this.scheme.replaceChildren(...names.map((n) => make('option', { value: n }, n)));
  }

  /** @param {string[]} names */
  setLaws(names) {
    this.law.replaceChildren(...names.map((n) => make('option', { value: n }, n)));
  }

  bodyIndex() { return this.body.value === '' ? null : Number(this.body.value); }
  surfaceIndex() { return this.surface.value === '' ? null : Number(this.surface.value); }
  springIndex() { return this.spring.value === '' ? null : Number(this.spring.value); }

  /** @param {string} what @param {number | null} part @param {unknown} value */
  set(what, part, value) {
    this.noted(what, part, value);
    this.wire.send('set', { what, part, value, pay: this.pay.value });
  }

  /** @param {number} value */
  setDrag(value) {
    // the rotation keeps its own damping
    const one = this.firstBody();
    this.set('body-damping', this.bodyIndex(), [value, one?.damping[1] ?? 0]);
  }

  /** @param {number} value */
  setGravity(value) {
    const now = /** @type {number[]} */ (this.now?.gravity ?? [0, 0, -1]);
    const size = Math.hypot(...now);
    if (size > 0) this.down = now.map((g) => g / size);
    const unit = this.down;
    this.set('gravity', null, unit.map((g) => g * value));
  }

  firstBody() {
    const index = this.bodyIndex();
    const moving = index === null ? 0 : this.info?.bodies[index].moving ?? 0;
    return this.now?.bodies[moving];
  }

  /** @param {SceneInfo} info */
  load(info) {
    this.info = info;
    const option = (/** @type {string} */ value, /** @type {string} */ text) =>
      make('option', { value }, text);
    const bodies = info.bodies.map((b, i) => ({ b, i })).filter(({ b }) => b.moving !== null);
    const springs = info.elements.map((e, i) => ({ e, i }))
      .filter(({ e, i }) => !e.port && !this.isHard(info.parameters, i));
    this.body.replaceChildren(option('', `all ${bodies.length}`),
      ...bodies.map(({ b, i }) => option(String(i), b.name)));
    this.spring.replaceChildren(option('', 'all springs'),
      ...springs.map(({ e, i }) => option(String(i), e.name || `${e.joint ? 'joint' : 'spring'} ${i + 1}`)));
    this.surface.replaceChildren(option('', 'all surfaces'),
      ...info.bodies.flatMap((b, i) => (b.gone ? [] : [option(String(i), b.name)])));
    if (this.surfaceGroup) this.surfaceGroup.hidden = info.parameters.surfaces.length === 0;
    if (bodies.length === 1) this.body.value = String(bodies[0].i);
    if (springs.length === 1) this.spring.value = String(springs[0].i);
    if (this.springGroup) this.springGroup.hidden = springs.length === 0;
    this.changed(info.parameters);
  }

  /** JSON has no infinity: a hard row is null. @param {any} parameters @param {number} index */
  isHard(parameters, index) {
    const rows = this.info?.elements[index].rows ?? 0;
    return parameters.elements[index].stiffness.slice(0, rows)
      .every((/** @type {number | null} */ k) => k === null);
  }

  /** New values arrived. @param {any} parameters */
  changed(parameters) {
    this.now = parameters;
    this.refresh();
  }

  refresh() {
    const p = this.now;
    if (!p || !this.info) return;
    const body = this.firstBody();
    if (body) {
      this.mass?.set(body.mass);
      this.drag?.set(body.damping[0]);
    }
    let index = this.springIndex();
    if (index === null) index = this.info.elements.findIndex((e) => !e.port && !e.joint);
    const spring = p.elements[index];
    if (spring) {
      const soft = spring.stiffness.findIndex((/** @type {number | null} */ k) => (k ?? 0) > 0);
      this.stiffness?.set(spring.stiffness[Math.max(0, soft)] ?? 0);
      this.damping?.set(spring.damping[0]);
    }
    const surface = p.surfaces[this.surfaceIndex() ?? 0];
    if (surface) {
      this.friction?.set(surface[0]);
      this.bounce?.set(surface[1]);
    }
    this.gravity?.set(Math.hypot(...p.gravity));
    this.step?.set(p.step);
    this.scheme.value = p.schemes[0];
    this.law.value = p.laws[0];
    this.sides?.set(p.sides ?? 8);
    if (this.sides) this.sides.row.hidden = p.sides === null;
  }

  /** Shows the body that the hand touches. @param {number} body */
  choose(body) {
    this.body.value = String(body);
    this.refresh();
  }
}
