// The gallery: scenes with pictures made from the scenes themselves.
// @ts-check
import * as THREE from './vendor/three.module.js';
import { byId, make } from './dom.js';
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
    this.round = 0;
    /** @type {Actors | null} */
    this.last = null;
    /** pictures can wait while something better is to be done */
    this.isBusy = () => false;
  }

  /** @param {SceneInfo[]} infos */
  fill(infos) {
    this.infos = infos;
    this.buttons.clear();
    byId('gallery').replaceChildren(...infos.map((info) => {
      const button = make('button', { title: info.description },
        make('div', { class: 'blank', 'aria-hidden': 'true' }), make('span', {}, info.name));
      button.addEventListener('click', () => this.open(info.id));
      this.buttons.set(info.id, button);
      return make('li', {}, button);
    }));
    this.draw();
  }

  /** @param {string} id */
  mark(id) {
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
    const dark = document.documentElement.dataset.theme === 'dark';
    const queue = [...this.infos];
    const next = () => {
      if (this.isBusy() && round === this.round) {
        setTimeout(next, 500);
        return;
      }
      const info = queue.shift();
      if (!info || round !== this.round) {
        this.last?.dispose();
        this.last = null;
        renderer.dispose();
        renderer.forceContextLoss();
        return;
      }
      const picture = this.picture(renderer, info, dark);
      const button = this.buttons.get(info.id);
      button?.firstElementChild?.replaceWith(make('img', { src: picture, alt: '' }));
      idle(next);
    };
    idle(next);
  }

  /** @param {THREE.WebGLRenderer} renderer @param {SceneInfo} info @param {boolean} dark */
  picture(renderer, info, dark) {
    const scene = new THREE.Scene();
    const sun = new THREE.DirectionalLight(0xffffff, 2.2);
    const actors = new Actors(info, dark, false);
    const { centre, radius } = boundsOf(info);
    sun.position.copy(centre).add(new THREE.Vector3(1, -1.2, 2));
    sun.target.position.copy(centre);
    const sky = new THREE.HemisphereLight(0xffffff, 0x8d99a8, dark ? 1.3 : 1.9);
    sky.position.set(0, 0, 1);
    scene.add(sun, sun.target, sky, actors.group);
    const camera = new THREE.PerspectiveCamera(30, 16 / 9, radius * 0.05, radius * 20);
    camera.up.set(0, 0, 1);
    camera.position.copy(centre)
      .addScaledVector(new THREE.Vector3(0.45, -1, 0.38).normalize(), radius * 3.1);
    camera.lookAt(centre);
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
