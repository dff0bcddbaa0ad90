// The time bar: pause, step, slow motion, rewind, record, replay, compare.
// @ts-check
import { buttonById, byId, inputById, make, selectById, write } from './dom.js';
import { exportMenu } from './export.js';
import { PAUSED, RECORDING, REPLAYABLE, REPLAYING } from './wire.js';

export class TimeBar {
  /** @param {import('./wire.js').Wire} wire @param {any} studio */
  constructor(wire, studio) {
    this.wire = wire;
    this.paused = this.recording = this.replaying = false;
    this.depth = 0;
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
    this.slider();
    exportMenu(studio);
  }

  slider() {
    const slider = inputById('rewind');
    slider.addEventListener('input', () => {
      if (!this.scrubbing) this.wire.send('pause', { on: true });
      this.scrubbing = true;
      byId('ago').textContent = `−${this.ago().toFixed(1)} s`;
    });
    slider.addEventListener('change', () => {
      const ago = this.ago();
      this.scrubbing = false;
      if (ago > 0) this.wire.send('rewind', { seconds: ago });
    });
  }

  ago() {
    return this.depth * (1 - Number(inputById('rewind').value) / 1000);
  }

  /** @param {string[]} schemes @param {string[]} laws */
  setRivals(schemes, laws) {
    const group = (/** @type {string} */ label, /** @type {string} */ kind,
      /** @type {string[]} */ names) => make('optgroup', { label },
      ...names.map((n) => make('option', { value: `${kind} ${n}` }, n)));
    this.laws = group('Contact law', 'law', laws);
    selectById('compare').replaceChildren(make('option', { value: '' }, 'compare…'),
      group('Scheme', 'scheme', schemes), this.laws);
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
    this.paused = (flags & PAUSED) !== 0;
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
    write(byId('clock'), `${this.latest.time.toFixed(2)} s`);
    if (this.scrubbing) return;
    this.depth = this.latest.loop[5];
    if (inputById('rewind').value !== '1000') inputById('rewind').value = '1000';
    write(byId('ago'), this.depth > 0 ? `of ${this.depth.toFixed(0)} s` : 'now');
  }
}
