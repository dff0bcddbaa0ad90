// Films of the view as WebM: from now on, or the last seconds, which are then shown once more.
// @ts-check
import { save } from './export.js';
import { toast } from './dom.js';

/** Longest film [s], and how much of the past is shown again. */
const LONGEST = 12, LAST = 10;

/** Records the view. */
export class Film {
  /** @param {HTMLCanvasElement} canvas @param {(on: boolean) => void} told */
  constructor(canvas, told) {
    this.canvas = canvas;
    this.told = told;
    /** @type {MediaRecorder | null} */
    this.recorder = null;
  }

  get running() { return this.recorder !== null; }

  /** Begins, or ends and hands out the film. @param {string} name */
  toggle(name) {
    if (this.running) this.stop();
    else this.begin(name);
  }

  /** Films what was: shows the last seconds again, picture by picture, and goes back to where time
   *  was. @param {string} name @param {import('./time.js').TimeBar} time */
  async again(name, time) {
    const from = Math.min(time.depth, LAST);
    if (this.running || time.back || time.replaying || from <= 0) {
      toast(from > 0 ? 'Not while a film or a replay runs, or an earlier moment is on show'
        : 'Nothing has happened yet', true);
      return;
    }
    const wasPaused = time.paused;
    time.wire.send('peek', { seconds: from });
    if (!this.begin(name)) {
      time.wire.send('pause', { on: wasPaused });
      return;
    }
    const began = performance.now();
    for (let ago = from; ago > 0 && this.running;) {
      await new Promise((next) => { requestAnimationFrame(next); });
      ago = from - (performance.now() - began) / 1000;
      if (ago > 0) time.wire.send('peek', { seconds: ago });
    }
    time.wire.send('peek', { seconds: 0 });
    time.wire.send('pause', { on: wasPaused });
    this.stop();
  }

  stop() { this.recorder?.stop(); }

  /** True if a film has begun. @param {string} name */
  begin(name) {
    if (typeof MediaRecorder === 'undefined' || !this.canvas.captureStream) {
      toast('This browser cannot record the view', true);
      return false;
    }
    const kind = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm']
      .find((k) => MediaRecorder.isTypeSupported(k));
    if (!kind) {
      toast('This browser cannot make WebM films', true);
      return false;
    }
    const recorder = new MediaRecorder(this.canvas.captureStream(30), { mimeType: kind,
      videoBitsPerSecond: 8e6 });
    /** @type {Blob[]} */
    const parts = [];
    recorder.ondataavailable = (e) => { if (e.data.size) parts.push(e.data); };
    recorder.onstop = () => {
      this.recorder = null;
      this.told(false);
      this.last = new Blob(parts, { type: 'video/webm' });
      save(this.last, `${name}.webm`);
    };
    recorder.start(500);
    this.recorder = recorder;
    this.told(true);
    setTimeout(() => { if (this.recorder === recorder) recorder.stop(); }, LONGEST * 1000);
    return true;
  }
}
