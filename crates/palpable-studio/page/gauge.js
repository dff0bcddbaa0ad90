// The passivity gauge: where the coupling stands in the K-B plane of a device.
// @ts-check
import { isOpen, make, panelBody } from './dom.js';
import { Slider } from './slider.js';
import { si } from './units.js';

const NS = 'http://www.w3.org/2000/svg';
const W = 320, H = 220, L = 66, B = 30, T = 10, R = 10;

/** @param {string} tag @param {Record<string, string | number>} attributes @param {string} [text] */
function svg(tag, attributes, text) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  if (text !== undefined) element.textContent = text;
  return element;
}

export class Gauge {
  /** @param {import('./wire.js').Wire} wire
   *  @param {(name: string, part: number | null, value: unknown) => void} set */
  constructor(wire, set) {
    this.wire = wire;
    const ask = () => this.ask();
    const line = () => {
      set('line', null, [this.damping?.value ?? 2, this.delay?.value ?? 0,
        (this.loss?.value ?? 0) / 100]);
      this.ask();
    };
    /** @type {{name: string, damping: number, rate: number, delay: number, status: string,
     *    assumed: string[]}[]} */
    this.devices = [];
    this.device = make('select', { id: 'device' });
    this.status = make('p', { class: 'hint' });
    this.device.addEventListener('change', () => { this.choose(); line(); });
    this.damping = new Slider({ label: 'Device damping b', unit: 'N·s/m', from: 1e-2, to: 1e2,
      hint: 'Viscous damping of the device; it pays for sampling, delay and loss' }, line);
    this.rate = new Slider({ label: 'Device rate', unit: 'Hz', from: 50, to: 1e4 }, ask);
    this.delay = new Slider({ label: 'Delay, each way', unit: 's', from: 1e-4, to: 0.5, zero: true,
      hint: 'Between hand and world; above 0 both sides keep an energy account (PSPM)' }, line);
    this.loss = new Slider({ label: 'Packets lost', unit: '%', from: 0, to: 90, linear: true }, line);
    this.picture = make('div', { class: 'gauge' });
    this.words = make('p', { class: 'verdict' });
    this.sampled = make('p', { class: 'hint' });
    panelBody('panel-passivity').append(
      make('div', { class: 'row' }, make('label', { for: 'device' }, 'Device'), this.device),
      this.status, this.picture, this.words, this.sampled, this.damping.row, this.rate.row,
      this.delay.row, this.loss.row);
    this.damping.set(2);
    this.rate.set(1000);
    this.set([2, 0, 0]);
    wire.on('gauge', (event) => this.show(event));
    document.getElementById('panel-passivity')?.addEventListener('toggle', ask);
  }

  /** @param {typeof this.devices} devices */
  setDevices(devices) {
    const chosen = this.device.value;
    this.devices = devices;
    this.device.replaceChildren(make('option', { value: '' }, 'your own numbers, below'),
      ...devices.map((d, i) => make('option', { value: i }, d.name)));
    this.device.value = chosen;
  }

  /** Takes over the numbers of the chosen device. */
  choose() {
    const device = this.devices[Number(this.device.value)];
    const known = this.device.value !== '' && device;
    const guessed = known && device.assumed.length ? `; assumed: ${device.assumed.join(', ')}` : '';
    this.status.textContent = known ? device.status + guessed : '';
    if (!known) return;
    this.rate.set(device.rate);
    this.set([device.damping, device.delay, this.loss.value / 100]);
  }

  /** New values of damping, delay and loss arrived. @param {number[]} line */
  set([damping, delay, loss]) {
    this.damping.set(damping);
    this.delay.set(delay);
    this.loss.set(loss * 100);
  }

  /** Asks the studio; it answers with a curve. */
  ask() {
    if (!isOpen('panel-passivity')) return;
    const device = this.device.value === '' ? null : Number(this.device.value);
    this.wire.send('gauge', { device, damping: this.damping.value, rate: this.rate.value,
      delay: this.delay.value });
  }

  /** @param {any} g */
  show(g) {
    const most = 1.25 * Math.max(g.ceiling, g.stiffness);
    const wide = 1.25 * Math.max(g.device, g.damping);
    const x = (/** @type {number} */ b) => L + (W - L - R) * b / wide;
    const y = (/** @type {number} */ k) => H - B - (H - B - T) * k / most;
    const box = svg('svg', { viewBox: `0 0 ${W} ${H}`, role: 'img',
      'aria-label': `K ${si(g.stiffness, 'N/m')}, B ${si(g.damping, 'N·s/m')}; `
        + `passive up to K ${si(g.ceiling, 'N/m')}` });
    const area = (/** @type {number[][]} */ points, /** @type {string} */ fill) => svg('polygon',
      { points: points.map(([b, k]) => `${x(b)},${y(k)}`).join(' '), style: `fill: ${fill}` });
    const good = 'color-mix(in srgb, var(--good) 18%, transparent)';
    box.append(
      svg('rect', { x: L, y: T, width: W - L - R, height: H - B - T, style: 'fill: var(--well)' }),
      area([[0, 0], [0, g.ceiling], [wide, g.ceiling], [wide, 0]], good),
      area([[0, 0], ...g.curve, [g.device, 0]], good),
      ...this.limits(g, most).map(([k, , stroke]) => svg('line', { x1: L, x2: W - R, y1: y(k),
        y2: y(k), style: `stroke: ${stroke}; stroke-width: 1.5` })),
      svg('polyline', { points: g.curve.map((/** @type {number[]} */ [b, k]) => `${x(b)},${y(k)}`)
        .join(' '), style: 'fill: none; stroke: var(--good); stroke-dasharray: 4 3' }));
    const text = (/** @type {Record<string, string | number>} */ at, /** @type {string} */ words) =>
      box.append(svg('text', at, words));
    text({ x: L - 4, y: y(g.ceiling) + 4, 'text-anchor': 'end' }, si(g.ceiling, 'N/m'));
    if (H - B - y(g.ceiling) > 14) text({ x: L - 4, y: H - B, 'text-anchor': 'end' }, '0');
    text({ x: x(g.device), y: H - B + 14, 'text-anchor': 'middle' }, si(g.device, 'N·s/m'));
    text({ x: W - R, y: H - 3, 'text-anchor': 'end' }, 'coupling damping B');
    text({ x: L + 5, y: T + 13 }, 'stiffness K');
    for (const [k, words] of this.limits(g, most)) {
      text({ x: W - R - 4, y: y(k) + (y(k) > T + 20 ? -4 : 13), 'text-anchor': 'end' }, words);
    }
    const fine = g.coupled ? 'var(--good)' : 'var(--bad)';
    box.append(svg('circle', { cx: x(g.damping), cy: y(g.stiffness), r: 6,
      style: `fill: ${fine}; stroke: var(--panel); stroke-width: 2` }));
    this.picture.replaceChildren(box);
    this.words.classList.toggle('bad', !g.coupled);
    this.words.textContent = g.coupled
      ? `Passive on ${g.name}: K may rise to ${si(g.ceiling, 'N/m')}.`
      : `Too stiff for ${g.name} by ${(g.stiffness / g.ceiling).toFixed(1)}×: lower K to `
        + `${si(g.ceiling, 'N/m')}, or find more damping.`;
    this.sampled.textContent = g.sampled
      ? 'Computed from samples (dashed), it would be passive too.'
      : `Computed from samples (dashed), it would need ${si(g.needed, 'N·s/m')} of damping.`;
  }

  /** Ceilings of the stiffness that fit into the picture: value, words, colour.
   *  @param {any} g @param {number} most @returns {[number, string, string][]} */
  limits(g, most) {
    /** @type {[number | null, string, string][]} */
    const all = [[g.sampling, 'sampling and delay', 'var(--good)'],
      [g.quantisation, 'encoder steps', 'var(--tank)'], [g.published, "maker's limit", 'var(--faint)']];
    return /** @type {[number, string, string][]} */ (all.filter(([k]) => k !== null && k <= most));
  }
}
