// Puts the page together.
// @ts-check
import { ContactPanel } from './contactpanel.js';
import { buttonById, byId, isOpen, selectById, toast, write } from './dom.js';
import { dropZone, showMistakes } from './drop.js';
import { EnergyPanel } from './energy.js';
import { Gallery } from './gallery.js';
import { Gauge } from './gauge.js';
import { Film } from './film.js';
import { Hand } from './hand.js';
import { HandPanel } from './handpanel.js';
import { Inspector } from './inspect.js';
import { Link } from './link.js';
import { LoopPanel } from './loop.js';
import { Maker } from './make.js';
import { Pad } from './pad.js';
import { Parameters } from './parameters.js';
import { save } from './export.js';
import { quality } from './quality.js';
import { Sound } from './sound.js';
import { TimeBar } from './time.js';
import { View } from './view.js';
import { LOOKING_BACK, PAUSED, Wire } from './wire.js';


class Studio {
  constructor() {
    this.view = new View(/** @type {HTMLCanvasElement} */ (byId('canvas')));
    this.wire = new Wire();
    this.link = new Link();
    this.hand = new Hand(this.view, this.wire);
    this.gallery = new Gallery((id) => {
      this.link.clear(id);
      this.wire.send('load', { scene: id });
    });
    this.parameters = new Parameters(this.wire, (...what) => this.link.note(...what));
    this.handPanel = new HandPanel((...what) => {
      this.parameters.set(...what);
      this.gauge.ask();
    }, (mode) => { this.hand.mode = mode; });
    this.energy = new EnergyPanel();
    this.contact = new ContactPanel(() => {
      this.view.posed = false;
      this.fresh = true;
    });
    this.loop = new LoopPanel();
    this.maker = new Maker(this);
    this.inspector = new Inspector(this.view, this.wire, (body) => this.select(body));
    this.film = new Film(/** @type {HTMLCanvasElement} */ (byId('canvas')), (on) => {
      byId('view').classList.toggle('filming', on);
      toast(on ? 'Filming the view, 12 s at most' : 'The film is saved');
    });
    this.gauge = new Gauge(this.wire, (...what) => this.parameters.set(...what));
    this.time = new TimeBar(this.wire, this);
    this.sound = new Sound();
    this.pad = new Pad(this.hand);
    /** @type {import('./wire.js').Frame | null} */
    this.frame = null;
    /** @type {import('./shapes.js').SceneInfo | null} */
    this.info = null;
    /** @type {string[]} */
    this.schemes = [];
    /** @type {string[]} */
    this.words = [];
    /** @type {string[]} */
    this.laws = [];
    this.frames = 0;
    this.fresh = false;
    this.plotted = this.faded = 0;
    this.listen();
    this.theme(document.documentElement.dataset.theme ?? 'light');
    dropZone((name) => this.open(name));
    requestAnimationFrame((now) => this.animate(now));
  }

  listen() {
    const { wire } = this;
    wire.on('hello', (e) => {
      byId('lost').hidden = true;
      [this.schemes, this.laws] = [e.schemes, e.laws];
      this.words = e.scheme_words;
      this.parameters.setSchemes(e.schemes);
      this.parameters.setLaws(e.laws);
      this.time.setRivals(e.schemes, e.laws, e.scheme_words);
      this.gauge.setDevices(e.devices);
      this.gallery.fill(e.gallery);
    });
    wire.on('own', (e) => this.gallery.fillOwn(e.scenes));
    wire.on('saved', (e) => void this.keep(e.file, e.text));
    wire.on('scene', (e) => this.load(e));
    wire.on('recast', (e) => this.recast(e));
    wire.on('changed', (e) => this.changed(e));
    wire.on('hand', (e) => this.holder(e));
    wire.on('frame', (frame) => this.receive(frame));
    wire.on('note', (e) => {
      if (e.text.startsWith('The hand let go')) this.hand.release();
      toast(e.text);
    });
    wire.on('error', (e) => toast(e.text, true));
    wire.on('jumped', () => {
      this.clearPlots();
      if (this.view.view.own) this.view.view.home();
    });
    wire.on('load-failed', (e) => showMistakes(e));
    wire.on('lost', (reason) => {
      byId('lost').textContent = `Connection lost: ${reason}. Trying again…`;
      byId('lost').hidden = false;
      this.hand.release();
    });
    this.hand.onChoose = (body) => this.select(body);
    this.hand.onHover = (body, x, y) => this.tellName(body, x, y);
    byId('home').addEventListener('click', () => this.goHome());
    byId('frame').addEventListener('click', () => this.view.frameBody(this.view.chosen));
    byId('follow').addEventListener('click', () => this.follow());
    byId('below').addEventListener('click', () => {
      this.view.view.below = !this.view.view.below;
      byId('below').setAttribute('aria-pressed', String(this.view.view.below));
    });
    byId('canvas').addEventListener('dblclick', (e) => {
      const hit = this.view.pick(e.clientX, e.clientY);
      this.view.frameBody(hit?.body ?? -1);
    });
    this.hand.onHold = () => {
      byId('help').classList.add('gone');
      byId('name').hidden = true;
    };
    this.gallery.isBusy = () => this.hand.holding;
    byId('theme').addEventListener('click', () => this.toggleTheme());
    byId('sound').addEventListener('click', () => this.toggleSound());
    byId('take-hand').addEventListener('click', () => wire.send('take'));
    byId('help-button').addEventListener('click', () =>
      /** @type {HTMLDialogElement} */ (byId('guide')).showModal());
    byId('link').addEventListener('click', () => this.link.copy());
    document.addEventListener('keydown', (e) => this.key(e));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest('input[type="text"], select, textarea, dialog')) return;
    const press = (/** @type {string} */ id) => {
      event.preventDefault();
      buttonById(id).click();
    };
    const onButton = target.closest('button, summary, a, input:not([type="range"])');
    const onRange = target.closest('input[type="range"]') !== null;
    const key = event.key.toLowerCase(); // with Caps Lock too
    if (key === 'home' && onRange) return; // the slider's own
    const keys = /** @type {Record<string, string>} */ ({ '.': 'step', r: 'reset', d: 'theme',
      s: 'sound', '?': 'help-button', h: 'home', home: 'home', f: 'frame', g: 'follow', u: 'below', b: 'make-put',
      t: 'make-throw', delete: 'make-delete' });
    if (key === ' ' && !onButton) press('pause');
    else if (key === 'p') this.toggleMode();
    else if (keys[key]) press(keys[key]);
  }

  /** A mesh goes into the scene that is on while the panel Make is open; all else, and a mesh
   *  otherwise, is a scene of its own. @param {string} name */
  open(name) {
    if (/\.(obj|stl)$/i.test(name)) {
      this.maker.offer(name);
      if (isOpen('panel-make')) {
        this.maker.put();
        return;
      }
    }
    this.wire.send('open', { file: name });
  }

  /** @param {number} body */
  select(body) {
    this.maker.select(body);
    this.parameters.choose(body);
    this.inspector.select(body);
    this.view.mark(this.view.over, body);
    this.fresh = true;
    this.view.posed = false;
  }

  /** The world as a scene file: for the disk, and for the gallery. @param {string} file
   *  @param {string} text */
  async keep(file, text) {
    save(new Blob([text], { type: 'application/toml' }), file);
    const answer = await fetch(`upload/${encodeURIComponent(file)}`, { method: 'POST', body: text });
    if (!answer.ok) toast((await answer.text()).trim(), true);
    else toast(`Saved as ${file}; it is in the gallery once it is opened`);
  }

  goHome() {
    this.view.view.home();
    byId('follow').setAttribute('aria-pressed', 'false');
  }

  /** The camera goes along with what is chosen, or no longer. */
  follow() {
    const camera = this.view.view;
    const on = camera.followed < 0 && this.view.chosen >= 0;
    camera.follow(on ? this.view.chosen : -1, this.view.lanes[0].actors);
    byId('follow').setAttribute('aria-pressed', String(on));
    if (!on && this.view.chosen < 0) toast('Click a body first: the camera then goes along with it');
  }

  /** The name of what the pointer is over. @param {number} body @param {number} x @param {number} y */
  tellName(body, x, y) {
    const tag = byId('name');
    tag.hidden = body < 0 || this.hand.holding;
    if (tag.hidden) return;
    const box = byId('view').getBoundingClientRect();
    write(tag, this.info?.bodies[body]?.name ?? '');
    tag.style.transform = `translate(${Math.round(x - box.left + 14)}px, ${Math.round(y - box.top + 16)}px)`;
  }

  /** @param {any} event */
  load(event) {
    this.info = event;
    this.hand.release();
    this.hand.chosen = -1;
    byId('scene-name').textContent = event.name;
    byId('scene-text').textContent = event.description;
    document.title = `${event.name} – palpable studio`;
    this.gallery.mark(event.id);
    this.view.load(event);
    this.parameters.load(event);
    this.handPanel.set(event.parameters.coupling);
    this.contact.load(event.parameters);
    this.gauge.set(event.parameters.line);
    this.time.load(event);
    this.time.showCompare(event.parameters);
    this.maker.load(event);
    this.inspector.load(event);
    for (const text of event.warnings ?? []) toast(text, true);
    this.clearPlots();
    this.link.arrive(event.id, this.wire);
    this.gauge.ask();
  }

  /** The same scene with others in it: what is looked at and how stays. @param {any} event */
  recast(event) {
    const chosen = this.info?.bodies[this.view.chosen]?.name;
    this.info = event;
    this.hand.release();
    this.view.load(event, true);
    this.parameters.load(event);
    this.inspector.load(event);
    this.time.rivals(event);
    this.maker.touches = event.parameters.surfaces.length > 0;
    const body = event.bodies.findIndex((/** @type {any} */ b) => !b.gone && b.name === chosen);
    this.hand.chosen = body;
    this.select(body);
  }

  /** @param {any} event */
  changed(event) {
    this.inspector.parameters = event;
    this.parameters.changed(event);
    this.handPanel.set(event.coupling);
    this.gauge.set(event.line);
    this.time.showCompare(event);
    this.gauge.ask();
  }

  /** @param {any} event */
  holder(event) {
    const mine = event.holder === this.wire.you;
    this.hand.mine = mine;
    const chip = byId('hand-state');
    chip.classList.toggle('yours', mine);
    chip.textContent = mine ? 'You are the hand' : 'Watching';
    byId('take-hand').hidden = mine;
    if (!mine) this.hand.release();
  }

  /** @param {import('./wire.js').Frame} frame */
  receive(frame) {
    if (frame.generation !== this.info?.generation) return;
    this.frame = frame;
    this.fresh = true;
    const held = frame.lanes[0].hand[13];
    this.handPanel.show(frame, held >= 0 ? this.info.bodies[held]?.name ?? '' : '');
    this.energy.show(frame);
    this.contact.show(frame);
    this.view.flash(frame);
    this.sound.strike(frame);
    this.inspector.show(frame);
    this.loop.show(frame);
  }

  clearPlots() {
    this.energy.clear();
    this.inspector.strip.clear();
    this.inspector.jointStrip.clear();
    this.handPanel.strip.clear();
    this.contact.strip.clear();
  }

  /** @param {number} now [ms] */
  animate(now) {
    requestAnimationFrame((t) => this.animate(t));
    this.pad.tick(now);
    this.hand.tick(now);
    this.fade(now);
    // a frame of the scene before would pose others, and lead the camera to them
    if (this.fresh && this.frame && this.frame.generation === this.info?.generation) {
      this.fresh = false;
      this.view.show(this.frame);
      this.time.show(this.frame);
      this.sound.show(this.frame);
      this.pad.rumble(this.frame);
      this.labels(this.frame);
    }
    if (quality.pace(now, this.view.dirty)) this.view.adapt();
    if (this.view.dirty) this.frames++;
    this.view.draw();
    if (now - this.plotted > quality.renewal) {
      this.plotted = now;
      this.time.draw();
      this.energy.draw();
      this.handPanel.draw();
      this.contact.draw();
      this.inspector.draw();
      this.loop.draw();
    }
  }

  /** Collisions stay in view while time stands still. @param {number} now [ms] */
  fade(now) {
    const passed = Math.min(now - this.faded, 100);
    this.faded = now;
    const flags = this.frame?.loop[6] ?? 0;
    this.view.fade(flags & (PAUSED | LOOKING_BACK) ? 0 : passed);
  }

  /** @param {import('./wire.js').Frame} frame */
  labels(frame) {
    const split = frame.lanes.length > 1;
    byId('view').classList.toggle('split', split);
    const byLaw = split && frame.lanes[0].law !== frame.lanes[1].law;
    [0, 1].forEach((i) => {
      const label = byId(`lane-${i}`);
      const lane = frame.lanes[i];
      label.hidden = !lane || (!split && lane.fate === 0);
      if (!lane) return;
      const means = /** @type {any} */ (this.info)?.stand_ins?.[this.schemes[lane.scheme]] ?? '';
      const way = byLaw ? this.laws[lane.law] : (this.words[lane.scheme] ?? '') + means;
      write(label, (way ?? '') + fateOf(lane));
      label.classList.toggle('bad', lane.fate !== 0);
    });
  }

  /** @param {string} name */
  theme(name) {
    document.documentElement.dataset.theme = name;
    this.view.setTheme(name === 'dark');
  }

  toggleTheme() {
    const name = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    localStorage.setItem('theme', name);
    this.theme(name);
    this.gallery.draw();
  }

  /** Plane of the screen, or surfaces. */
  toggleMode() {
    this.hand.mode = this.hand.mode === 'surface' ? 'screen' : 'surface';
    this.handPanel.mode.value = this.hand.mode;
    toast(`The hand moves ${this.handPanel.mode.selectedOptions[0].textContent}`);
  }

  toggleSound() {
    const on = this.sound.toggle();
    byId('sound').setAttribute('aria-pressed', String(on));
  }
}

/** What became of a lane. @param {import('./wire.js').LaneFrame} lane */
function fateOf(lane) {
  if (lane.fate === 1) {
    return ` — exploded at ${lane.ended.toFixed(3)} s; shown is its last sane state`;
  }
  return lane.fate === 2 ? ' — cannot run this scene' : '';
}

const studio = new Studio();
// for tests and for the curious
Object.assign(window, { studio });
selectById('speed').value = '1';
