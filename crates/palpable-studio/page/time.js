// The time bar: pause, step, slow motion, rewind, record, replay, compare.
// @ts-check
import { buttonById, byId, inputById, make, selectById, write } from './dom.js';
import { exportMenu } from './export.js';
import { LOOKING_BACK, PAUSED, RECORDING, REPLAYABLE, REPLAYING } from './wire.js';

export class TimeBar {
  /** @param {import('./wire.js').Wire} wire @param {any} studio */
  constructor(wire, studio) {
    this.wire = wire;
    this.paused = this.recording = this.replaying = false;
    this.depth = 0;
    this.still = 'paused';
    this.flags = -1;
    /** @type {import('./wire.js').Frame | null} */
    this.latest = null;
    this.scrubbing = false;
    const on = (/** @type {string} */ id, /** @type {() => void} */ what) =>
      byId(id).addEventListener('click', what);
    on('reset', () => {
      studio.link.clear(studio.info?.id ?? '');
      wire.send('reset');
    });
    on('pause', () => wire.send('pause', { on: !this.paused }));
    on('step', () => wire.send('step'));
    on('record', () => wire.send('record', { on: !this.recording }));
    on('replay', () => wire.send('replay', { on: !this.replaying }));
    selectById('speed').addEventListener('change', () =>
      wire.send('speed', { value: Number(selectById('speed').value) }));
    selectById('compare').addEventListener('change', () => {
      const [kind, name] = selectById('compare').value.split(' ');
      wire.send('compare', kind ? { [kind]: name } : {});
    });
    selectById('end').addEventListener('change', () =>
      wire.send('end', { then: selectById('end').value }));
    /** @type {{wall: number, time: number}[]} */
    this.marks = [];
    this.slider();
    exportMenu(studio);
  }

  slider() {
    const slider = inputById('rewind');
    slider.addEventListener('input', () => {
      this.scrubbing = true;
      const seconds = this.ago();
      this.wire.send('peek', { seconds });
      write(byId('ago'), seconds > 0 ? `−${seconds.toFixed(1)} s` : 'now');
    });
    slider.addEventListener('change', () => { this.scrubbing = false; });
  }

  ago() {
    return this.depth * (1 - Number(inputById('rewind').value) / 1000);
  }

  /** @param {string[]} schemes @param {string[]} laws @param {string[]} words */
  setRivals(schemes, laws, words) {
    const group = (/** @type {string} */ label, /** @type {string} */ kind,
      /** @type {string[]} */ names) => make('optgroup', { label },
      ...names.map((n) => make('option', { value: `${kind} ${n}` }, n)));
    this.laws = group('Contact law', 'law', laws);
    this.schemes = make('optgroup', { label: 'Scheme' }, ...schemes.slice(1).map((n, i) =>
      make('option', { value: `scheme ${n}` }, words[i + 1] ?? n)));
    selectById('compare').replaceChildren(make('option', { value: '' }, 'compare…'), this.schemes,
      this.laws);
  }

  /** @param {any} info */
  load(info) {
    this.rivals(info);
    selectById('end').value = info.end ?? 'go-on';
    this.marks = [];
  }

  /** What cannot run this scene is greyed out, with the reason; what others do about contact and
   *  joints is told. @param {any} info */
  rivals(info) {
    for (const option of this.schemes?.children ?? []) {
      const name = /** @type {HTMLOptionElement} */ (option).value.split(' ')[1];
      const reason = info.rivals?.[name];
      const plain = (option.textContent ?? name).split(' — ')[0].split(', penalty')[0].split(', soft')[0];
      option.textContent = reason ? `${plain} — ${reason}` : plain + (info.stand_ins?.[name] ?? '');
      /** @type {HTMLOptionElement} */ (option).disabled = Boolean(reason);
    }
  }

  /** @param {any} p the parameters */
  showCompare(p) {
    const by = p.laws[1] === p.laws[0] ? `scheme ${p.schemes[1]}` : `law ${p.laws[1]}`;
    selectById('compare').value = p.schemes.length > 1 ? by : '';
    if (this.laws) this.laws.disabled = p.surfaces.length === 0;
  }

  /** @param {import('./wire.js').Frame} frame */
  show(frame) {
    const flags = frame.loop[6];
    this.latest = frame;
    if (flags === this.flags) return;
    this.flags = flags;
    const replayed = this.replaying && (flags & (REPLAYING | PAUSED | LOOKING_BACK)) === PAUSED;
    this.paused = (flags & PAUSED) !== 0;
    // why time stands still, for as long as it does
    this.still = replayed ? 'replayed' : this.paused ? this.still : 'paused';
    this.back = (flags & LOOKING_BACK) !== 0;
    this.recording = (flags & RECORDING) !== 0;
    this.replaying = (flags & REPLAYING) !== 0;
    const pause = buttonById('pause');
    pause.classList.toggle('paused', this.paused);
    pause.setAttribute('aria-label', this.paused ? 'Run' : 'Pause');
    byId('record').setAttribute('aria-pressed', String(this.recording));
    const replay = buttonById('replay');
    replay.disabled = (flags & REPLAYABLE) === 0 && !this.replaying;
    replay.textContent = this.replaying ? 'Stop replay' : 'Replay';
    this.draw();
  }

  /** Renews the numbers, a few times a second. */
  draw() {
    if (!this.latest) return;
    // single steps are seen on the clock
    const step = this.latest.loop[3];
    const digits = this.paused ? Math.max(2, Math.min(5, Math.ceil(-Math.log10(step)))) : 2;
    write(byId('clock'), `${this.latest.time.toFixed(digits)} s`);
    this.showPace();
    const ago = this.back ? this.latest.loop[8] : 0;
    // what there was before the moment on show, and what comes after it
    this.depth = this.latest.loop[5] + ago;
    if (this.scrubbing) return;
    const place = this.depth > 0 ? Math.round(1000 * (1 - ago / this.depth)) : 1000;
    if (inputById('rewind').value !== String(place)) inputById('rewind').value = String(place);
    write(byId('ago'), ago > 0 ? `−${ago.toFixed(1)} s` : 'now');
    byId('ago').classList.toggle('back', ago > 0);
  }

  /** Simulated seconds per second of the wall over the last second and a half, against what was
   *  asked for. */
  showPace() {
    if (!this.latest) return;
    const now = performance.now();
    const last = this.marks[this.marks.length - 1];
    if (this.paused || (last && this.latest.time < last.time)) this.marks = [];
    this.marks.push({ wall: now, time: this.latest.time });
    while (this.marks.length > 2 && now - this.marks[0].wall > 1500) this.marks.shift();
    const first = this.marks[0];
    const wall = (now - first.wall) / 1000;
    const pace = byId('pace');
    if (this.paused) {
      write(pace, this.still);
      pace.classList.remove('bad');
    }
    if (!this.paused && wall > 0.4) {
      // pictures may come late in a bunch; time never runs faster than it was asked to
      const factor = Math.min(100 * (this.latest.time - first.time) / wall, 100 * this.latest.loop[4]);
      write(pace, `${factor >= 99.5 && factor < 101 ? 100 : factor.toFixed(factor < 10 ? 1 : 0)} %`);
      pace.classList.toggle('bad', factor < 90 * this.latest.loop[4]);
    }
  }
}
