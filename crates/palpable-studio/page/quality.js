// How well the scene is drawn: as well as this machine can while it stays fluent.
// @ts-check

const asked = new URLSearchParams(location.search);
/** For tests: small, without shadows, always the same. */
export const plain = asked.has('plain');
/** For pictures: everything, however slow. */
const fine = asked.has('fine');

/** Frames that take longer are slow, shorter are quick [ms]. */
const SLOW = 40, QUICK = 22;
/** Frames that are looked at before anything is changed. */
const LOOK = 8;

/** True if no graphics hardware draws here; asked before the view is made. */
function isSoftware() {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (!gl) return false;
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl.getParameter(info?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

/** Steps down from the best: shadows, pixels per pixel of the page at most. */
const LEVELS = [{ shadows: true, sharp: 2 }, { shadows: false, sharp: 1.5 },
  { shadows: false, sharp: 1 }, { shadows: false, sharp: 0.75 }, { shadows: false, sharp: 0.6 }];

export class Quality {
  /** @param {boolean} [fixed] never changes by itself */
  constructor(fixed = plain || fine) {
    this.fixed = fixed;
    this.software = !plain && !fine && isSoftware();
    /** round shapes and soft light */
    this.rich = !this.software;
    this.level = this.software ? 3 : plain ? 2 : 0;
    this.best = this.level;
    /** @type {number[]} how long the last frames took [ms] */
    this.took = [];
    this.last = 0;
    this.changed = 0;
    /** fluent for so long, it tries a better picture again [ms] */
    this.hope = 5000;
    this.mark();
  }

  get shadows() { return LEVELS[this.level].shadows; }

  get ratio() { return Math.min(devicePixelRatio, LEVELS[this.level].sharp); }

  /** As many edges as a round shape gets. @param {number} edges */
  round(edges) { return Math.ceil(this.rich ? edges : edges / 2); }

  /** Numbers and plots beside the view are renewed less often where drawing is dear [ms]. */
  get renewal() { return this.level > 1 && !plain ? 250 : 100; }

  /** Frames per second, lately. */
  get rate() {
    return this.took.length ? 1000 * this.took.length / this.took.reduce((a, b) => a + b, 0) : 0;
  }

  /** Looks at how long frames take; true if the level has changed. @param {number} now [ms]
   *  @param {boolean} [drawing] something is drawn; a picture that rests tells nothing */
  pace(now, drawing = true) {
    const took = now - this.last;
    this.last = now;
    if (!drawing || document.hidden || took > 2000) return false; // nor is a sleeping page slow
    this.took.push(took);
    if (this.took.length > LOOK) this.took.shift();
    if (this.fixed || this.took.length < LOOK) return false;
    const typical = [...this.took].sort((a, b) => a - b)[LOOK / 2];
    if (typical > SLOW && this.level < LEVELS.length - 1) return this.go(this.level + 1, now);
    if (typical > QUICK) this.changed = now;
    if (now - this.changed < this.hope || this.level <= this.best) return false;
    this.hope *= 4; // each disappointment makes it more patient
    return this.go(this.level - 1, now);
  }

  /** @param {number} level @param {number} now [ms] */
  go(level, now) {
    this.level = level;
    this.took = [];
    this.changed = now;
    this.mark();
    return true;
  }

  /** The style sheet leaves out what is dear. */
  mark() {
    document.documentElement.classList.toggle('calm', this.level > 1 && !plain);
  }
}

export const quality = new Quality();
