// The loop panel: how long steps take, and whether they are on time.
// @ts-check
import { isOpen, make, panelBody, write } from './dom.js';
import { quality } from './quality.js';
import { si } from './units.js';
import { themeColour } from './view.js';

const FIRST = 512e-9; // where the first bucket begins [s]; each is a quarter octave

export class LoopPanel {
  constructor() {
    this.canvas = make('canvas', { role: 'img', 'aria-label': 'Histogram of step times',
      style: 'width: 100%; height: 110px' });
    this.facts = make('dl', { class: 'facts' });
    panelBody('panel-loop').append(
      make('div', {}, make('div', { class: 'plot-title' }, make('span', {}, 'Step times'),
        make('span', {}, 'logarithmic both ways')), this.canvas), this.facts);
    /** @type {Record<string, HTMLElement>} */
    this.cells = {};
    for (const name of ['Rate', 'Steps', 'Median', 'p99', 'p99.9', 'Missed deadlines',
      'Time dropped', 'Frames drawn']) {
      this.cells[name] = make('dd');
      this.facts.append(make('dt', {}, name), this.cells[name]);
    }
  }

  /** @param {import('./wire.js').Frame} frame */
  show(frame) {
    this.frame = frame;
  }

  /** @param {Uint32Array} counts @param {number} q */
  quantile(counts, q) {
    const total = counts.reduce((a, b) => a + b, 0);
    let left = Math.ceil(q * total);
    for (let i = 0; i < counts.length; i++) {
      left -= counts[i];
      if (left <= 0 && total > 0) return FIRST * 2 ** ((i + 1) / 4);
    }
    return NaN;
  }

  draw() {
    if (!isOpen('panel-loop') || !this.frame) return;
    const { loop, times } = this.frame;
    const [ticks, missed, dropped, step, speed] = loop;
    const say = (/** @type {string} */ name, /** @type {string} */ text) => {
      write(this.cells[name], text);
    };
    say('Rate', si(speed / step, 'Hz'));
    say('Steps', ticks.toLocaleString('en'));
    say('Median', `≤ ${si(this.quantile(times, 0.5), 's')}`);
    say('p99', `≤ ${si(this.quantile(times, 0.99), 's')}`);
    say('p99.9', `≤ ${si(this.quantile(times, 0.999), 's')}`);
    say('Missed deadlines', `${missed.toLocaleString('en')} (${(100 * missed / Math.max(1, ticks))
      .toFixed(2)} %)`);
    say('Time dropped', si(dropped, 's'));
    say('Frames drawn', `${quality.rate.toFixed(0)} a second${quality.level > 0 ? ', simply' : ''}`);
    this.drawBars(times, step);
  }

  /** @param {Uint32Array} counts @param {number} step */
  drawBars(counts, step) {
    const { canvas } = this;
    const ratio = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (width === 0) return;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (!context) return;
    context.scale(ratio, ratio);
    const low = 18, most = Math.log10(1 + Math.max(1, ...counts));
    const bar = width / counts.length;
    context.fillStyle = themeColour('--accent');
    counts.forEach((count, i) => {
      const size = (height - low - 4) * Math.log10(1 + count) / most;
      context.fillRect(i * bar + 0.5, height - low - size, Math.max(1, bar - 1), size);
    });
    context.fillStyle = context.strokeStyle = themeColour('--muted');
    context.font = '11px system-ui, sans-serif';
    context.textAlign = 'center';
    const place = (/** @type {number} */ t) => bar * 4 * Math.log2(t / FIRST);
    for (const t of [1e-6, 1e-5, 1e-4, 1e-3, 1e-2]) {
      context.fillText(si(t, 's'), Math.min(width - 24, Math.max(14, place(t))), height - 4);
      context.fillRect(place(t), height - low, 1, 3);
    }
    context.strokeStyle = themeColour('--force');
    context.setLineDash([3, 3]);
    context.beginPath();
    context.moveTo(place(step), 0);
    context.lineTo(place(step), height - low);
    context.stroke();
  }
}
