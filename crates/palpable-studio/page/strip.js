// A live plot of the last ten seconds.
// @ts-check
import uPlot from './vendor/uPlot.esm.js';
import { themeColour } from './view.js';

/** Simulated time that is shown [s]. */
export const WINDOW = 10;
const MOST = 1200;

/** @typedef {{label: string, colour: string, fill?: boolean, width?: number, dash?: number[],
 *    stacked?: boolean}} Series */

export class Strip {
  /**
   * @param {HTMLElement} place @param {number} height @param {Series[]} series
   * @param {(value: number) => string} words @param {boolean} [loose] need not begin at 0
   */
  constructor(place, height, series, words, loose = false) {
    this.loose = loose;
    this.place = place;
    this.height = height;
    this.series = series;
    this.words = words;
    /** @type {(number | null)[][]} */
    this.data = [[], ...series.map(() => [])];
    /** @type {uPlot | null} */
    this.plot = null;
    this.theme = '';
    this.fresh = false;
    new ResizeObserver(() => this.resize()).observe(place);
  }

  resize() {
    const width = this.place.clientWidth;
    if (this.plot && width > 0 && width !== this.plot.width) {
      this.plot.setSize({ width, height: this.height });
    }
  }

  clear() {
    this.data.forEach((column) => { column.length = 0; });
    this.fresh = true;
  }

  /** @param {number} time @param {(number | null)[]} values */
  add(time, values) {
    const times = this.data[0];
    const last = times[times.length - 1];
    if (last !== undefined && last !== null && time <= last) {
      if (time < last) this.clear();
      else return;
    }
    times.push(time);
    values.forEach((v, i) => this.data[i + 1].push(v !== null && Number.isFinite(v) ? v : null));
    if (times.length > MOST || Number(times[0]) < time - WINDOW - 2) {
      this.data.forEach((column) => column.shift());
    }
    this.fresh = true;
  }

  /** Draws what is new. */
  draw() {
    const theme = document.documentElement.dataset.theme ?? '';
    if (theme !== this.theme || !this.plot) {
      this.theme = theme;
      this.build();
    } else if (this.fresh) {
      this.plot.setData(/** @type {uPlot.AlignedData} */ (this.columns()));
    }
    this.fresh = false;
  }

  columns() {
    return this.data;
  }

  build() {
    this.plot?.destroy();
    const width = this.place.clientWidth || 320;
    const axis = { stroke: themeColour('--muted'), font: '11px Inter, system-ui, sans-serif',
      grid: { stroke: themeColour('--line'), width: 1 }, ticks: { show: false } };
    /** @type {uPlot.Options} */
    const options = {
      width, height: this.height, pxAlign: true, cursor: { show: false }, legend: { show: false },
      padding: [6, 14, 0, 0],
      scales: { x: { time: false, range: (_u, _min, max) => [Math.max(0, max - WINDOW),
        Math.max(max, WINDOW)] }, y: { range: (_u, min, max) => this.loose ? around(min, max) : span(min, max) } },
      axes: [{ ...axis, size: 20, gap: 3, space: 60,
        values: (_u, ticks) => ticks.map((t) => `${Math.round(t * 1000) / 1000} s`) },
      // room for the longest number
      { ...axis, gap: 4, space: 24, size: (_u, words) => Math.max(54,
        10 + 6.2 * Math.max(0, ...(words ?? []).map((w) => w.length))),
        values: (_u, ticks) => ticks.map((v) => this.words(v)) }],
      series: [{}, ...this.series.map((s) => ({
        label: s.label, stroke: themeColour(s.colour), width: s.width ?? 1.5, dash: s.dash,
        fill: s.fill ? alpha(themeColour(s.colour), 0.14) : undefined, points: { show: false },
      }))],
      ...this.extra(),
    };
    this.plot = byProcessor(() => new uPlot(options,
      /** @type {uPlot.AlignedData} */ (this.columns()), this.place));
    const { canvas } = this.plot.ctx;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', `Over time: ${this.series.map((s) => s.label).join(', ')}`);
  }

  /** @returns {Partial<uPlot.Options>} */
  extra() {
    return {};
  }
}

/** Makes canvases that the processor draws: hundreds of short lines cost it less than they cost
 *  graphics that are emulated, and the 3D view has those to itself.
 *  @template T @param {() => T} build */
function byProcessor(build) {
  const kind = HTMLCanvasElement.prototype;
  const usual = kind.getContext;
  kind.getContext = /** @type {typeof usual} */ (function (/** @type {any} */ name,
    /** @type {any} */ how) {
    // @ts-ignore: the canvas itself
    return usual.call(this, name, { ...how, willReadFrequently: true });
  });
  try { return build(); } finally { kind.getContext = usual; }
}

/** A range with a little room above; never empty. @param {number | null} min
 *  @param {number | null} max @returns {[number, number]} */
function span(min, max) {
  const low = Math.min(0, min ?? 0), high = Math.max(max ?? 0, low);
  if (high - low < 1e-9) return [low, low + 1e-3];
  return [low, low + (high - low) * 1.08];
}

/** A range that holds all values with a little room. @param {number | null} min
 *  @param {number | null} max @returns {[number, number]} */
function around(min, max) {
  const low = min ?? 0, high = max ?? 0;
  const room = Math.max((high - low) * 0.1, Math.abs(high) * 1e-3, 1e-6);
  return [low - room, high + room];
}

/** @param {string} colour @param {number} opacity */
export function alpha(colour, opacity) {
  return `color-mix(in srgb, ${colour} ${Math.round(opacity * 100)}%, transparent)`;
}
