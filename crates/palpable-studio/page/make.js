// Bodies of one's own: put into the scene, thrown into it, taken out of it.
// @ts-check
import * as THREE from './vendor/three.module.js';
import { byId, inputById, make, panelBody, toast } from './dom.js';
import { Slider } from './slider.js';

/** @typedef {import('./shapes.js').SceneInfo} SceneInfo */

/** A body falls from this many of its own sizes above what is below it. */
const ABOVE = 1.2;
/** A body that is thrown crosses the scene in so many seconds. */
const FLIGHT = 0.5;
/** How large it is beside the scene to begin with. */
const SHARE = 0.16;

export class Maker {
  /** @param {any} studio */
  constructor(studio) {
    this.studio = studio;
    /** @type {string[]} meshes that were uploaded */
    this.meshes = [];
    this.body = -1;
    this.touches = true;
    this.kind = make('select', { 'aria-label': 'What to add', id: 'make-kind' });
    this.size = new Slider({ label: 'Size', unit: 'm', from: 1e-3, to: 10,
      hint: 'Edge of a box, diameter of a ball, length of a capsule; of a mesh its scale' }, () => {});
    this.density = new Slider({ label: 'Density', unit: 'kg/m³', from: 1, to: 2e4,
      hint: 'Water has 1000, steel 7800' }, () => {});
    this.friction = new Slider({ label: 'Friction', unit: '', from: 1e-3, to: 10, zero: true }, () => {});
    this.bounce = new Slider({ label: 'Restitution', unit: '', from: 0, to: 1, linear: true }, () => {});
    const button = (/** @type {string} */ id, /** @type {string} */ text,
      /** @type {string} */ title, /** @type {() => void} */ what) => {
      const made = make('button', { id, class: 'small', title }, text);
      made.addEventListener('click', what);
      return made;
    };
    this.remove = button('make-delete', 'Delete', 'Take the selected body out of the scene (Delete)',
      () => this.delete());
    this.file = make('input', { type: 'file', id: 'make-file', accept: '.obj,.stl',
      class: 'visually-hidden', 'aria-label': 'Mesh to add' });
    this.file.addEventListener('change', () => void this.upload());
    this.hint = make('p', { class: 'hint' });
    panelBody('panel-make').append(
      make('div', { class: 'row' }, make('label', { for: 'make-kind' }, 'Add a'), this.kind),
      this.size.row, this.density.row, this.friction.row, this.bounce.row,
      make('div', { class: 'buttons' },
        make('label', { class: 'small', title: 'Choose a mesh (OBJ, STL) to put or throw' }, 'Mesh…', this.file),
        button('make-put', 'Put', 'Let it fall into the middle of the view (B)', () => this.put()),
        button('make-throw', 'Throw', 'Throw it into the view, at the pointer (T)', () => this.throw()),
        this.remove,
        button('make-save', 'Save', 'Save the scene as it is now', () => studio.wire.send('save'))),
      this.hint);
    this.fill();
    this.kind.addEventListener('change', () => this.resize());
    this.density.set(500);
    this.friction.set(0.5);
    this.bounce.set(0.2);
  }

  /** What there is to choose from. @param {string} [chosen] */
  fill(chosen = this.kind.value || 'box') {
    this.kind.replaceChildren(...['box', 'ball', 'capsule'].map((n) => make('option', { value: n }, n)),
      ...this.meshes.map((n) => make('option', { value: `mesh ${n}` }, n)));
    this.kind.value = chosen;
  }

  /** A mesh that was uploaded, chosen. @param {string} name */
  offer(name) {
    if (!this.meshes.includes(name)) this.meshes.push(name);
    this.fill(`mesh ${name}`);
    this.resize();
  }

  /** @param {SceneInfo} info */
  load(info) {
    this.touches = info.parameters.surfaces.length > 0;
    this.resize();
    this.select(-1);
  }

  /** A mesh has its own size; other things suit the scene. */
  resize() {
    const mesh = this.kind.value.startsWith('mesh ');
    this.size.set(mesh ? 1 : round(SHARE * 2 * this.studio.view.radius));
  }

  /** @param {number} body */
  select(body) {
    this.body = body;
    const name = this.studio.info?.bodies[body]?.name;
    this.remove.disabled = body < 0;
    this.remove.textContent = name ? `Delete ${name}` : 'Delete';
    this.hint.textContent = (this.touches ? '' : 'Bodies pass through each other in this scene. ')
      + (body < 0 ? 'Click a body to delete it.' : '');
  }

  /** @param {THREE.Vector3} position @param {THREE.Vector3} velocity */
  add(position, velocity) {
    const [kind, ...file] = this.kind.value.split(' ');
    const s = this.size.value;
    const size = kind === 'capsule' ? [s / 2, s / 2, s] : [s, s, s];
    this.studio.wire.send('add', { kind, size, file: file.join(' '), position: position.toArray(),
      velocity: velocity.toArray(), density: this.density.value, friction: this.friction.value,
      restitution: Math.min(1, this.bounce.value) });
  }

  /** Room that a new body needs [m]. */
  room() {
    return this.kind.value.startsWith('mesh ') ? SHARE * 2 * this.studio.view.radius * this.size.value
      : this.size.value;
  }

  /** Above whatever is in the middle of the view. */
  put() {
    const { view } = this.studio;
    const box = view.canvas.getBoundingClientRect();
    const { caster, lane } = view.ray(box.left + box.width / (view.split ? 4 : 2), box.top + box.height / 2);
    const bodies = (view.lanes[lane].actors?.bodies ?? []).filter((/** @type {any} */ b) => b.visible);
    const hit = caster.intersectObjects(bodies, false)[0];
    const at = hit ? hit.point.clone() : view.controls.target.clone();
    // clear of everything above that place
    at.z = this.clearOf(at, bodies) + ABOVE * this.room();
    this.add(at, new THREE.Vector3());
  }

  /** The highest point of what stands where something comes down [m]. @param {THREE.Vector3} at
   *  @param {THREE.Mesh[]} bodies */
  clearOf(at, bodies) {
    const half = this.room() / 2;
    let top = at.z;
    for (const body of bodies) {
      if (body.userData.plane) continue;
      const box = new THREE.Box3().setFromObject(body);
      const near = box.min.x < at.x + half && box.max.x > at.x - half
        && box.min.y < at.y + half && box.max.y > at.y - half;
      if (near) top = Math.max(top, box.max.z);
    }
    return top;
  }

  /** From beside the eye towards what the pointer was last over, or the middle of the view. */
  throw() {
    const { view, hand } = this.studio;
    const box = view.canvas.getBoundingClientRect();
    const over = hand.hovered && hand.hovered.x > box.left && hand.hovered.x < box.right
      && hand.hovered.y > box.top && hand.hovered.y < box.bottom;
    const { caster } = over ? view.ray(hand.hovered.x, hand.hovered.y)
      : view.ray(box.left + box.width / (view.split ? 4 : 2), box.top + box.height / 2);
    const direction = caster.ray.direction.clone().normalize();
    const goal = view.controls.target;
    const away = goal.clone().sub(caster.ray.origin).dot(direction);
    const start = Math.max(away - 2.2 * view.radius, view.radius * 0.3);
    const from = caster.ray.origin.clone().addScaledVector(direction, start);
    // not out of the floor
    if (view.lanes[0].actors?.floors.length) from.z = Math.max(from.z, this.room());
    const speed = (away - start) / FLIGHT;
    const velocity = direction.multiplyScalar(speed);
    const gravity = this.studio.parameters.now?.gravity ?? [0, 0, 0];
    // what falls on its way is thrown higher
    velocity.addScaledVector(new THREE.Vector3(...gravity), -FLIGHT / 2);
    this.add(from, velocity);
  }

  delete() {
    if (this.body >= 0) this.studio.wire.send('delete', { body: this.body });
    else toast('Click a body first: it is then the one to delete');
  }

  async upload() {
    const file = this.file.files?.[0];
    this.file.value = '';
    if (!file) return;
    const name = file.name.replace(/[^\p{L}\p{N}\-_. ]/gu, '_');
    const answer = await fetch(`upload/${encodeURIComponent(name)}`, { method: 'POST', body: file });
    if (!answer.ok) toast((await answer.text()).trim(), true);
    else {
      this.offer(name);
      toast(`${name} is ready: Put or Throw`);
    }
  }
}

/** To one digit. @param {number} v */
function round(v) {
  const power = 10 ** Math.floor(Math.log10(v));
  return Math.round(v / power) * power;
}
