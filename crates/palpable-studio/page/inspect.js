// The inspector: what is selected, its numbers and a plot of any of them; motors; what is shown.
// @ts-check
import * as THREE from './vendor/three.module.js';
import { isOpen, make, panelBody, write } from './dom.js';
import { facesOf, pairsOf } from './contacts.js';
import { Strip } from './strip.js';
import { si } from './units.js';

/** @typedef {import('./shapes.js').SceneInfo} SceneInfo
 *  @typedef {import('./wire.js').Frame} Frame */

/** Quantities of a body that can be plotted: name, unit, value. */
const QUANTITIES = /** @type {[string, string, (b: Reading) => number][]} */ ([
  ['Speed', 'm/s', (b) => b.velocity.length()], ['x', 'm', (b) => b.position.x],
  ['y', 'm', (b) => b.position.y], ['z', 'm', (b) => b.position.z],
  ['Velocity x', 'm/s', (b) => b.velocity.x], ['Velocity y', 'm/s', (b) => b.velocity.y],
  ['Velocity z', 'm/s', (b) => b.velocity.z], ['Turning', 'rad/s', (b) => b.turning.length()],
  ['Contact force', 'N', (b) => b.force.length()]]);

/** @typedef {{port: number, name: string, kind: string, limit: number | null, turns: boolean}} Motor */
/** @typedef {{position: THREE.Vector3, quaternion: THREE.Quaternion, velocity: THREE.Vector3,
 *    turning: THREE.Vector3, force: THREE.Vector3, touching: number}} Reading */

/** What a frame says about a body. @param {Frame} frame @param {number} body @returns {Reading} */
export function reading(frame, body) {
  const { poses, velocities, contacts } = frame.lanes[0];
  const mine = pairsOf(facesOf(contacts)).filter((p) => p.bodies.includes(body));
  const force = new THREE.Vector3();
  for (const pair of mine) force.addScaledVector(pair.force, pair.bodies[1] === body ? 1 : -1);
  return { position: new THREE.Vector3().fromArray(poses, body * 7),
    quaternion: new THREE.Quaternion().fromArray(poses, body * 7 + 3),
    velocity: new THREE.Vector3().fromArray(velocities, body * 6),
    turning: new THREE.Vector3().fromArray(velocities, body * 6 + 3), force,
    touching: mine.length };
}

/** Angle of a hinge [rad] or way of a slider [m], by the poses of its ends.
 *  @param {import('./shapes.js').ElementInfo} element @param {Float32Array} poses */
export function jointValue(element, poses) {
  const frames = element.ends.map((end) => {
    const axis = new THREE.Vector3().fromArray(end.axis ?? [0, 0, 1]);
    const at = new THREE.Vector3().fromArray(end.point);
    if (end.body === null) return { axis, at, turn: new THREE.Quaternion() };
    const turn = new THREE.Quaternion().fromArray(poses, end.body * 7 + 3);
    at.applyQuaternion(turn).add(new THREE.Vector3().fromArray(poses, end.body * 7));
    return { axis: axis.applyQuaternion(turn), at, turn };
  });
  const [a, b] = frames;
  if (element.form === 'slider') return a.at.clone().sub(b.at).dot(b.axis);
  const relative = a.turn.clone().multiply(b.turn.clone().invert());
  const along = new THREE.Vector3(relative.x, relative.y, relative.z).dot(b.axis);
  return 2 * Math.atan2(along, relative.w);
}

export class Inspector {
  /** @param {import('./view.js').View} view @param {import('./wire.js').Wire} wire
   *  @param {(body: number) => void} choose */
  constructor(view, wire, choose) {
    this.view = view;
    this.wire = wire;
    this.choose = choose;
    this.body = -1;
    /** @type {SceneInfo | null} */
    this.info = null;
    /** @type {any} */
    this.parameters = null;
    /** @type {Map<string, {zero: number}>} */
    this.zeros = new Map();
    this.name = make('b', {}, 'nothing');
    this.facts = make('dl', { class: 'facts' });
    this.quantity = make('select', { 'aria-label': 'Quantity to plot' },
      ...QUANTITIES.map(([name, unit], i) => make('option', { value: String(i) },
        `${name} [${unit}]`)));
    this.quantity.addEventListener('change', () => this.strip.clear());
    this.jointQuantity = make('select', { 'aria-label': 'Quantity of a joint to plot' });
    this.jointQuantity.addEventListener('change', () => this.jointStrip.clear());
    /** @type {{unit: string, value: (frame: Frame) => number}[]} what joints have to plot */
    this.ofJoints = [];
    const jointPlot = make('div', { class: 'plot' });
    this.jointGroup = make('div', { class: 'group', hidden: true },
      make('h3', {}, 'Joints', this.jointQuantity), jointPlot);
    const plot = make('div', { class: 'plot' });
    this.joints = make('dl', { class: 'facts' });
    this.motors = make('div', { class: 'group', hidden: true });
    this.list = make('ul', { class: 'entities', 'aria-label': 'Bodies' });
    this.selected = make('div', { class: 'group' }, make('h3', {}, this.name, this.quantity), this.facts,
      plot);
    this.hint = make('p', { class: 'hint' }, 'Click a body to see its numbers.');
    const switches = [['frames', 'Axes of bodies'], ['centres', 'Centres of mass'],
      ['inertia', 'Boxes of inertia']].map(([key, label]) => {
      const box = make('input', { type: 'checkbox', id: `show-${key}` });
      box.addEventListener('change', () => {
        view.extras[/** @type {'frames'} */ (key)] = box.checked;
        view.placeExtras();
      });
      return make('label', { class: 'switch' }, box, label);
    });
    this.jointGroup.append(this.joints);
    panelBody('panel-inspect').append(this.hint, this.selected, this.jointGroup, this.motors,
      make('details', { class: 'plain' }, make('summary', {}, 'All bodies'), this.list),
      make('div', { class: 'switches', role: 'group', 'aria-label': 'Shown of bodies' },
        ...switches));
    this.strip = new Strip(plot, 90, [{ label: 'quantity', colour: '--accent' }],
      (v) => si(v, QUANTITIES[Number(this.quantity.value)][1]), true);
    this.jointStrip = new Strip(jointPlot, 90, [{ label: 'joint', colour: '--accent' }],
      (v) => si(v, this.ofJoints[Number(this.jointQuantity.value)]?.unit ?? ''), true);
    /** @type {Record<string, HTMLElement>} */
    this.cells = {};
    for (const name of ['Mass', 'Position', 'Orientation', 'Velocity', 'Turning', 'Contacts']) {
      this.cells[name] = make('dd');
      this.facts.append(make('dt', {}, name), this.cells[name]);
    }
  }

  /** @param {SceneInfo} info */
  load(info) {
    this.info = info;
    this.parameters = info.parameters;
    this.zeros.clear();
    this.select(-1);
    this.fillList();
    this.fillMotors();
    const joints = info.elements.filter((e) => e.form === 'hinge' || e.form === 'slider');
    this.measured = joints.slice(0, 12);
    /** @type {HTMLElement[]} */
    this.angles = this.measured.map(() => make('dd'));
    this.joints.replaceChildren(...this.measured.flatMap((e, i) =>
      [make('dt', {}, e.name || e.form || ''), (this.angles ?? [])[i]]));
    this.fillJoints();
  }

  /** Angles and ways of joints, and what motors do. */
  fillJoints() {
    const motors = /** @type {Motor[]} */ (/** @type {any} */ (this.info)?.motors ?? []);
    this.efforts = motors.slice(0, 24).map(() => make('dd'));
    this.joints.append(...motors.slice(0, 24).flatMap((m, i) =>
      [make('dt', {}, `${m.name}, motor`), (this.efforts ?? [])[i]]));
    const angle = (this.measured ?? []).map((e) => ({ name: e.name || e.form || '',
      what: e.form === 'slider' ? 'way' : 'angle', unit: e.form === 'slider' ? 'm' : 'rad',
      value: (/** @type {Frame} */ f) => jointValue(e, f.lanes[0].poses) }));
    const motor = motors.flatMap((m, i) => [
      [m.turns ? 'torque' : 'force', m.turns ? 'N·m' : 'N', 2], [m.turns ? 'angle' : 'way', m.turns ? 'rad' : 'm', 0],
      ['rate', m.turns ? 'rad/s' : 'm/s', 1]].map(([what, unit, place]) => ({ name: m.name,
      what: String(what), unit: String(unit),
      value: (/** @type {Frame} */ f) => f.lanes[0].motors[3 * i + Number(place)] ?? NaN })));
    this.ofJoints = [...motor, ...angle];
    this.jointQuantity.replaceChildren(...[...motor, ...angle].map((q, i) =>
      make('option', { value: String(i) }, `${q.name} ${q.what} [${q.unit}]`)));
    this.jointGroup.hidden = this.ofJoints.length === 0;
    this.jointStrip.clear();
  }


  fillList() {
    const bodies = this.info?.bodies ?? [];
    const there = bodies.map((body, i) => ({ body, i })).filter(({ body }) => !body.gone);
    this.list.replaceChildren(...there.map(({ body, i }) => {
      const eye = make('input', { type: 'checkbox', 'aria-label': `Show ${body.name}` });
      eye.checked = true;
      eye.addEventListener('change', () => this.view.show1(i, eye.checked));
      const name = make('button', { class: 'link' }, body.name);
      name.addEventListener('click', () => this.choose(i));
      return make('li', {}, eye, name);
    }));
  }

  /** A slider for each motor: what the scene says until it is moved. */
  fillMotors() {
    const motors = /** @type {any} */ (this.info)?.motors ?? [];
    this.motors.hidden = motors.length === 0;
    const units = /** @type {Record<string, [string, string, number]>} */ ({ target: ['rad', 'm', 3],
      rate: ['rad/s', 'm/s', 10], effort: ['N·m', 'N', 10] });
    this.motors.replaceChildren(make('h3', {}, 'Motors', make('span', {}, '')),
      ...motors.map((/** @type {Motor} */ m) => {
        const [round, straight, usual] = units[m.kind];
        const unit = m.turns ? round : straight;
        const most = m.kind === 'effort' ? m.limit ?? usual : usual;
        const slide = make('input', { type: 'range', min: -most, max: most, step: most / 200,
          'aria-label': `Motor ${m.name}` });
        const value = make('span', { class: 'hint' }, 'as the scene says');
        const send = (/** @type {number | null} */ v) => {
          this.wire.send('drive', { port: m.port, kind: m.kind, value: v });
          write(value, v === null ? 'as the scene says' : `${m.kind} ${v.toFixed(2)} ${unit}`);
        };
        slide.value = '0';
        slide.addEventListener('input', () => send(Number(slide.value)));
        slide.addEventListener('dblclick', () => send(null));
        return make('div', { class: 'row', title: 'Double click: as the scene says' },
          make('label', {}, m.name), value, slide);
      }));
  }

  /** @param {number} body */
  select(body) {
    if (body !== this.body) this.strip.clear();
    this.body = body;
    this.selected.hidden = body < 0;
    this.hint.hidden = body >= 0;
    write(this.name, this.info?.bodies[body]?.name ?? 'nothing');
  }

  /** @param {Frame} frame */
  show(frame) {
    this.frame = frame;
    const joint = this.ofJoints[Number(this.jointQuantity.value)];
    if (joint) this.jointStrip.add(frame.time, [joint.value(frame)]);
    if (this.body < 0 || frame.lanes[0].velocities.length === 0) return;
    const [, , value] = QUANTITIES[Number(this.quantity.value)];
    this.strip.add(frame.time, [value(reading(frame, this.body))]);
  }

  draw() {
    if (!isOpen('panel-inspect') || !this.frame || !this.info) return;
    const { poses } = this.frame.lanes[0];
    this.measured?.forEach((element, i) => {
      const value = jointValue(element, poses);
      const cell = this.angles?.[i];
      if (cell) write(cell, element.form === 'slider' ? si(value, 'm') : `${(value * 180 / Math.PI).toFixed(1)}°`);
    });
    const motors = /** @type {Motor[]} */ (/** @type {any} */ (this.info).motors ?? []);
    this.efforts?.forEach((cell, i) => {
      const [at, , effort] = this.frame?.lanes[0].motors.subarray(3 * i, 3 * i + 3) ?? [NaN, NaN, NaN];
      write(cell, motors[i].turns ? `${(at * 180 / Math.PI).toFixed(1)}°, ${si(effort, 'N·m')}`
        : `${si(at, 'm')}, ${si(effort, 'N')}`);
    });
    if (!this.jointGroup.hidden) this.jointStrip.draw();
    if (this.body < 0) return;
    this.strip.draw();
    const b = reading(this.frame, this.body);
    const three = (/** @type {THREE.Vector3} */ v, /** @type {string} */ unit) =>
      `${[v.x, v.y, v.z].map((c) => (Math.abs(c) < 5e-4 ? 0 : c).toFixed(3).replace('-', '−'))
        .join('  ')} ${unit}`;
    const moving = this.info.bodies[this.body]?.moving;
    const mass = moving === null || moving === undefined ? 'fixed'
      : si(this.parameters?.bodies[moving]?.mass ?? NaN, 'kg');
    const turn = 2 * Math.acos(Math.min(1, Math.abs(b.quaternion.w))) * 180 / Math.PI;
    write(this.cells.Mass, mass);
    write(this.cells.Position, three(b.position, 'm'));
    write(this.cells.Orientation, `${turn.toFixed(1)}° from upright axes`);
    write(this.cells.Velocity, three(b.velocity, 'm/s'));
    write(this.cells.Turning, three(b.turning, 'rad/s'));
    write(this.cells.Contacts, b.touching === 0 ? 'none'
      : `${b.touching} bod${b.touching === 1 ? 'y' : 'ies'}, ${si(b.force.length(), 'N')}`);
  }
}

