// The gallery: scenes with pictures made from the scenes themselves.
// @ts-check
import * as THREE from './vendor/three.module.js';
import { Camera } from './camera.js';
import { byId, make } from './dom.js';
import { Floor } from './floor.js';
import { Light, environment } from './light.js';
import { palette } from './palette.js';
import { plain, quality } from './quality.js';
import { Actors, boundsOf } from './shapes.js';

/** @typedef {import('./shapes.js').SceneInfo} SceneInfo */

export class Gallery {
  /** @param {(id: string) => void} open */
  constructor(open) {
    this.open = open;
    /** @type {Map<string, HTMLButtonElement>} */
    this.buttons = new Map();
    /** @type {SceneInfo[]} */
    this.infos = [];
    /** @type {SceneInfo[]} */
    this.scenes = [];
    /** @type {SceneInfo[]} */
    this.own = [];
    this.marked = '';
    /** @type {Map<string, string>} pictures that are made already */
    this.pictures = new Map();
    this.round = 0;
    /** @type {THREE.Texture | null} */
    this.room = null;
    /** @type {Actors | null} */
    this.last = null;
    /** pictures can wait while something better is to be done */
    this.isBusy = () => false;
  }

  /** @param {SceneInfo[]} infos */
  fill(infos) {
    this.scenes = infos;
    this.build();
  }

  /** The user's own scenes come first. @param {SceneInfo[]} infos */
  fillOwn(infos) {
    this.own = infos;
    this.build();
  }

  /** Groups that fold; the first two are open, and the one with the scene that is on. */
  build() {
    this.infos = [...this.own, ...this.scenes];
    this.buttons.clear();
    /** @type {Map<string, SceneInfo[]>} */
    const groups = new Map();
    for (const info of this.infos) {
      groups.set(info.group ?? '', [...groups.get(info.group ?? '') ?? [], info]);
    }
    const folded = new Set(JSON.parse(localStorage.getItem('folded') ?? 'null')
      ?? [...groups.keys()].slice(3));
    byId('gallery').replaceChildren(...[...groups].map(([name, infos]) => {
      const list = make('ul', {}, ...infos.map((info) => this.card(info)));
      const group = make('details', { open: !folded.has(name) },
        make('summary', {}, name, make('small', {}, String(infos.length))), list);
      group.addEventListener('toggle', () => {
        folded[group.open ? 'delete' : 'add'](name);
        localStorage.setItem('folded', JSON.stringify([...folded]));
      });
      return group;
    }));
    if (this.marked) this.mark(this.marked);
    this.draw();
  }

  /** @param {SceneInfo} info */
  card(info) {
    const kept = this.pictures.get(this.key(info));
    const button = make('button', { title: info.description },
      kept ? make('img', { src: kept, alt: '' })
        : make('div', { class: 'blank', 'aria-hidden': 'true' }),
      make('span', {}, info.name));
    button.addEventListener('click', () => this.open(info.id));
    this.buttons.set(info.id, button);
    return make('li', {}, button);
  }

  /** @param {SceneInfo} info */
  key(info) { return `${document.documentElement.dataset.theme} ${info.id} ${info.bodies.length}`; }

  /** @param {string} id */
  mark(id) {
    this.marked = id;
    const group = /** @type {HTMLDetailsElement | null} */ (this.buttons.get(id)?.closest('details'));
    if (group) group.open = true;
    for (const [name, button] of this.buttons) {
      if (name === id) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
  }

  /** Draws the pictures one by one, when the page has nothing better to do. */
  draw() {
    const round = ++this.round;
    const canvas = make('canvas');
    const renderer = new THREE.WebGLRenderer({ canvas, antialias: quality.rich, alpha: true,
      preserveDrawingBuffer: true });
    renderer.debug.checkShaderErrors = false; // asking takes longer than compiling
    renderer.setPixelRatio(plain || quality.rich ? 2 : 1);
    renderer.setSize(184, 103.5, false);
    renderer.toneMapping = THREE.NeutralToneMapping;
    const dark = document.documentElement.dataset.theme === 'dark';
    const room = quality.rich && !plain ? environment(renderer, dark) : null;
    this.room = room;
    const queue = this.infos.filter((info) => !this.pictures.has(this.key(info)));
    const next = () => {
      if (this.isBusy() && round === this.round) {
        setTimeout(next, 500);
        return;
      }
      const info = queue.shift();
      if (!info || round !== this.round) {
        this.last?.dispose();
        this.last = null;
        room?.dispose();
        renderer.dispose();
        renderer.forceContextLoss();
        return;
      }
      const picture = this.picture(renderer, info, dark);
      this.pictures.set(this.key(info), picture);
      const button = this.buttons.get(info.id);
      button?.firstElementChild?.replaceWith(make('img', { src: picture, alt: '' }));
      idle(next);
    };
    idle(next);
  }

  /** @param {THREE.WebGLRenderer} renderer @param {SceneInfo} info @param {boolean} dark */
  picture(renderer, info, dark) {
    const scene = new THREE.Scene();
    const light = new Light(scene);
    light.dim(dark, this.room);
    const actors = new Actors(info, dark, false);
    const { centre, radius, ground } = boundsOf(info);
    light.shineOn(centre, radius);
    scene.add(actors.group);
    const own = actors.floors.length === 0 ? new Floor(radius, dark, false) : null;
    if (own) {
      own.group.position.z = ground;
      scene.add(own.group);
    }
    const view = new Camera(make('canvas'), () => {});
    view.load(info);
    view.shape(16, 9);
    view.home();
    const sky = palette(dark).sky;
    scene.background = new THREE.Color(sky);
    const { distance, target, eye: camera } = view;
    scene.fog = new THREE.Fog(sky, distance + radius * 3, distance * 2.2 + radius * 7);
    for (const floor of [own, ...actors.floors]) floor?.follow(target, distance);
    camera.updateMatrixWorld();
    renderer.render(scene, camera);
    const picture = renderer.domElement.toDataURL('image/png');
    // one scene too late: what the next needs is not compiled again
    this.last?.dispose();
    this.last = actors;
    return picture;
  }
}

/** @param {() => void} what */
function idle(what) {
  if ('requestIdleCallback' in window) requestIdleCallback(what, { timeout: 1500 });
  else setTimeout(what, 50);
}
