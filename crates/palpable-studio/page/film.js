// Films: the last seconds of the view as WebM, kept while the page is open.
// @ts-check
import { save } from './export.js';
import { toast } from './dom.js';

/** How much of the view is kept [s]. */
const LONGEST = 12;

/** Records the view until it is told to stop. */
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
    if (this.recorder) {
      this.recorder.stop();
      return;
    }
    if (typeof MediaRecorder === 'undefined' || !this.canvas.captureStream) {
      toast('This browser cannot record the view', true);
      return;
    }
    const kind = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm']
      .find((k) => MediaRecorder.isTypeSupported(k));
    if (!kind) {
      toast('This browser cannot make WebM films', true);
      return;
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
  }
}
