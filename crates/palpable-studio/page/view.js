// The 3D view: one or two lanes with one camera, forces as arrows to scale.
// @ts-check
import * as THREE from './vendor/three.module.js';
import { Arrow, CurvedArrow } from './arrows.js';
import { Camera } from './camera.js';
import { AreaLayer } from './areas.js';
import { ContactLayer, LONGEST, layers, showsForces } from './contacts.js';
import { write } from './dom.js';
import { Actors, boundsOf } from './shapes.js';
import { Extras } from './extras.js';
import { Flashes } from './flashes.js';
import { Floor, cellOf } from './floor.js';
import { Labels, contactLabels } from './labels.js';
import { Light, environment } from './light.js';
import { palette } from './palette.js';
import { plain, quality } from './quality.js';
import { nice, si } from './units.js';

/** @typedef {import('./shapes.js').SceneInfo} SceneInfo */

/** What has not moved for so long rests [ms]. */
const REST = 300;

/** @param {string} name */
export function themeColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Largest force of a contact [N]. @param {import('./wire.js').Contacts} contacts */
function strongest({ count, values }) {
  let most = 0;
  for (let i = 0; i < count; i++) {
    most = Math.max(most, Math.hypot(values[i * 8 + 3], values[i * 8 + 4], values[i * 8 + 5]));
  }
  return most;
}

/** True if two frames would look the same.
 *  @param {import('./wire.js').Frame} a @param {import('./wire.js').Frame | undefined} b */
function isSame(a, b) {
  const equal = (/** @type {ArrayLike<number>} */ x, /** @type {ArrayLike<number>} */ y) => {
    if (x.length !== y.length) return false;
    for (let i = 0; i < x.length; i++) if (!Object.is(x[i], y[i])) return false;
    return true;
  };
  return a.generation === b?.generation && a.lanes.length === b.lanes.length
    && a.lanes.every((lane, i) => equal(lane.poses, b.lanes[i].poses)
      && equal(lane.hand, b.lanes[i].hand)
      && equal(lane.contacts.bodies, b.lanes[i].contacts.bodies));
}

/** What a lane shows beside its bodies. */
class Lane {
  constructor() {
    this.scene = new THREE.Scene();
    this.light = new Light(this.scene);
    /** @type {Floor | null} */
    this.floor = null;
    this.arrow = new Arrow();
    this.twist = new CurvedArrow();
    this.target = new THREE.Mesh(new THREE.SphereGeometry(1, 20, 14),
      new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.55, depthTest: false }));
    this.target.visible = false;
    const line = new THREE.BufferGeometry();
    line.setAttribute('position', new THREE.BufferAttribute(new Float32Array(6), 3));
    this.tether = new THREE.Line(line, new THREE.LineBasicMaterial({ transparent: true,
      opacity: 0.7, depthTest: false }));
    this.tether.frustumCulled = this.tether.visible = false;
    this.contacts = new ContactLayer();
    this.areas = new AreaLayer();
    this.scene.add(this.arrow.group, this.twist.group, this.target, this.tether,
      this.contacts.group, this.areas.group);
    this.flashes = new Flashes();
    this.scene.add(this.flashes.group);
    /** @type {Actors | null} */
    this.actors = null;
    for (const object of [this.target, this.tether]) object.raycast = () => {};
  }
}

export class View {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
    this.renderer.debug.checkShaderErrors = false; // asking takes longer than compiling
    this.renderer.setPixelRatio(quality.ratio);
    this.renderer.shadowMap.enabled = quality.shadows;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    // neutral, so that the accent stays the accent
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.renderer.autoClear = false;
    this.view = new Camera(canvas, () => {
      this.dirty = true;
      this.moved = performance.now();
    });
    this.camera = this.view.eye;
    this.controls = this.view.controls;
    this.lanes = [new Lane(), new Lane()];
    this.labels = new Labels(element('labels'));
    this.split = false;
    this.shaped = 1;
    this.dark = false;
    this.sky = 0xffffff;
    /** @type {SceneInfo | null} */
    this.info = null;
    this.radius = 1;
    this.bounds = { centre: new THREE.Vector3(), radius: 1, ground: 0 };
    this.forceScale = 1; // metres per newton
    this.torqueScale = 1; // metres per newton metre
    /** false until the bodies stand where the newest frame has them */
    this.posed = false;
    this.moved = performance.now();
    this.peak = this.peakTorque = this.peakContact = 0;
    this.scaled = performance.now();
    this.extras = new Extras();
    this.over = this.chosen = -1;
    /** @type {THREE.Texture | null} */
    this.room = null;
    new ResizeObserver(() => this.resize()).observe(/** @type {Element} */ (canvas.parentElement));
    this.resize();
    this.dirty = true;
  }

  /** @param {SceneInfo} info @param {boolean} [same] the scene that was on, with others in it */
  load(info, same = false) {
    const fresh = this.info?.id !== info.id;
    this.info = info;
    this.posed = false;
    const bounds = boundsOf(info);
    // what comes and goes does not change the size of everything
    if (!same) this.bounds = bounds;
    const { centre, radius, ground } = this.bounds;
    this.radius = radius;
    this.peak = this.peakTorque = this.peakContact = 0;
    for (const lane of this.lanes) {
      lane.contacts.clear();
      lane.areas.clear();
      lane.flashes.clear();
      const old = lane.actors;
      // what both need is not compiled again
      if (old) requestAnimationFrame(() => requestAnimationFrame(() => old.dispose()));
      old?.group.removeFromParent();
      lane.actors = new Actors(info, this.dark, quality.shadows, radius);
      lane.scene.add(lane.actors.group);
      const poses = this.frame?.lanes[this.lanes.indexOf(lane)]?.poses;
      if (same && poses) lane.actors.pose(poses); // those who stay, until the next frame
      lane.light.shineOn(centre, radius);
      lane.floor?.dispose();
      lane.floor = null;
      if (lane.actors.floors.length > 0) continue; // a floor of its own
      lane.floor = new Floor(radius, this.dark, false);
      lane.floor.group.position.z = ground;
      lane.scene.add(lane.floor.group);
    }
    this.placeExtras();
    if (same) this.view.info = info;
    else this.view.load(info);
    if (fresh) this.view.home();
    this.over = this.chosen = -1;
    this.dirty = true;
  }

  /** @param {boolean} dark */
  setTheme(dark) {
    this.dark = dark;
    this.sky = palette(dark).sky;
    this.room?.dispose();
    this.room = quality.rich && !plain ? environment(this.renderer, dark) : null;
    for (const lane of this.lanes) {
      lane.light.dim(dark, this.room);
      lane.scene.fog = new THREE.Fog(this.sky, 1, 2);
      const force = themeColour('--force');
      lane.arrow.material.color.set(force);
      lane.twist.material.color.set(force);
      /** @type {THREE.MeshBasicMaterial} */ (lane.target.material).color.set(force);
      /** @type {THREE.LineBasicMaterial} */ (lane.tether.material).color.set(force);
      lane.contacts.paint(themeColour('--contact'));
      lane.areas.paint(themeColour('--friction'));
      lane.flashes.paint(themeColour('--impulse'));
    }
    if (this.info) this.load(this.info);
    this.dirty = true;
  }

  resize() {
    const box = /** @type {Element} */ (this.canvas.parentElement).getBoundingClientRect();
    if (box.width < 1 || box.height < 1) return; // hidden: there is nothing to look at
    this.renderer.setSize(Math.max(1, box.width), Math.max(1, box.height), false);
    const aspect = box.width / Math.max(1, box.height);
    const other = Math.abs(aspect / this.shaped - 1) > 0.02;
    this.shaped = aspect;
    // a window of another shape wants another place to look from
    if (other && this.view.own && this.info) {
      this.frameFor(this.area(0)[2], this.area(0)[3]);
      this.view.home();
      const { actors } = this.lanes[0];
      // what has gone elsewhere since the start
      if (actors && this.frame) this.view.attend(actors, true);
    }
    this.dirty = true;
  }

  /** @param {import('./wire.js').Frame} frame */
  show(frame) {
    const still = this.posed && isSame(frame, this.frame);
    this.frame = frame;
    if (still) {
      // the camera may still be on its way
      this.attend(frame);
      return;
    }
    this.posed = true;
    this.moved = performance.now();
    const split = frame.lanes.length > 1;
    if (split !== this.split) {
      this.split = split;
      this.frameFor(this.area(0)[2], this.area(0)[3]);
      if (this.view.own) this.view.home();
    }
    this.chooseScale();
    frame.lanes.forEach((lane, i) => {
      const shown = this.lanes[i];
      shown.actors?.pose(lane.poses);
      shown.actors?.mark(Math.round(lane.hand[13]), this.over, this.chosen);
      this.showHand(shown, lane.hand);
      this.showContacts(shown, lane);
    });
    this.attend(frame);
    this.dirty = true;
  }

  /** Keeps what moves in view, unless a hand holds something. @param {import('./wire.js').Frame} frame */
  attend(frame) {
    const first = this.lanes[0].actors;
    if (first && !(frame.lanes[0].hand[13] >= 0) && this.view.attend(first)) this.dirty = true;
  }

  /** Collisions of a frame begin to flash. @param {import('./wire.js').Frame} frame */
  flash(frame) {
    frame.lanes.forEach(({ strikes }, i) => this.lanes[i].flashes.hear(strikes));
  }

  /** Flashes fade. @param {number} passed [ms] */
  fade(passed) {
    // not lost where the bodies are small and their surroundings large
    const size = Math.max(this.radius, 0.3 * this.view.distance);
    for (const { flashes } of this.lanes) {
      if (!flashes.pass(passed, size)) continue;
      this.dirty = true;
      this.moved = performance.now();
    }
  }

  /** Hides or shows a body. @param {number} body @param {boolean} on */
  show1(body, on) {
    for (const lane of this.lanes) {
      const object = lane.actors?.bodies[body];
      if (object) object.visible = on;
    }
    this.dirty = true;
  }

  placeExtras() {
    for (const lane of this.lanes) if (lane.actors) this.extras.place(lane.actors);
    this.dirty = true;
  }

  /** Marks what is under the pointer and what is chosen. @param {number} over
   *  @param {number} chosen */
  mark(over, chosen) {
    [this.over, this.chosen] = [over, chosen];
    this.lanes.forEach((lane, i) => {
      const held = Math.round(this.frame?.lanes[i]?.hand[13] ?? -1);
      if (lane.actors?.mark(held, over, chosen)) this.dirty = true;
    });
  }

  /** Fills the view with one body, or with all that moves. @param {number} body */
  frameBody(body) {
    const actors = this.lanes[0].actors;
    if (!actors) return;
    const points = this.view.pointsOf(actors, body);
    if (points.length) this.view.frame(points);
    this.view.own = body < 0;
  }

  /** The longest arrow takes up to 0.8 of the scene's radius, a torque's arc 0.3 of it; scales are
   *  round numbers and the same for hand and contacts. */
  chooseScale() {
    const lanes = this.frame?.lanes ?? [];
    // old peaks fade within seconds, however fast drawing is
    const now = performance.now();
    const fade = Math.exp((this.scaled - now) / 2000);
    this.scaled = now;
    const largest = (/** @type {number} */ sum, /** @type {number} */ v) =>
      Number.isFinite(v) ? Math.max(sum, v) : sum;
    const torque = (/** @type {Float32Array} */ h) => Math.hypot(h[9], h[10], h[11]);
    this.peak = lanes.map((l) => l.hand[12]).reduce(largest, this.peak * fade);
    this.peakContact = showsForces()
      ? lanes.map((l) => strongest(l.contacts)).reduce(largest, this.peakContact * fade) : 0;
    this.peakTorque = lanes.map((l) => torque(l.hand)).reduce(largest, this.peakTorque * fade);
    const fit = (/** @type {number} */ now, /** @type {number} */ wanted) =>
      now > wanted || now < wanted / 4 ? nice(wanted) : now;
    const wanted = Math.min(this.peak > 0 ? 0.8 * this.radius / this.peak : Infinity,
      this.peakContact > 0 ? LONGEST * this.radius / this.peakContact : Infinity);
    if (wanted < Infinity) this.forceScale = fit(this.forceScale, wanted);
    if (this.peakTorque > 0) {
      this.torqueScale = fit(this.torqueScale, 0.3 * this.radius / this.peakTorque);
    }
  }

  /** @param {Lane} lane @param {Float32Array} hand */
  showHand(lane, hand) {
    const held = hand[13] >= 0;
    lane.target.visible = lane.tether.visible = held;
    lane.arrow.group.visible = lane.twist.group.visible = held;
    if (!held) return;
    const [reference, point] = [new THREE.Vector3(...hand.slice(0, 3)),
      new THREE.Vector3(...hand.slice(3, 6))];
    const size = this.radius * 0.018;
    lane.target.position.copy(reference);
    lane.target.scale.setScalar(size);
    const place = /** @type {THREE.BufferAttribute} */ (lane.tether.geometry.attributes.position);
    reference.toArray(place.array, 0);
    point.toArray(place.array, 3);
    place.needsUpdate = true;
    const force = new THREE.Vector3(...hand.slice(6, 9)).multiplyScalar(this.forceScale);
    if (Number.isFinite(force.length())) lane.arrow.show(reference, force, size * 0.55);
    const torque = new THREE.Vector3(...hand.slice(9, 12)).multiplyScalar(this.torqueScale);
    if (Number.isFinite(torque.length())) lane.twist.show(reference, torque, size * 0.5);
  }

  /** @param {Lane} lane @param {import('./wire.js').LaneFrame} data */
  showContacts(lane, data) {
    const isFixed = (/** @type {number} */ body) => this.info?.bodies[body]?.moving === null;
    const own = [Math.round(data.hand[13]), this.chosen].filter((b) => b >= 0);
    lane.contacts.show(data.contacts, { isFixed, own, size: this.radius * 0.008,
      scale: this.forceScale, longest: LONGEST * this.radius });
    lane.areas.show(data.areas);
  }

  /** The part of the canvas that a lane takes: left, bottom, width, height. @param {number} i */
  area(i) {
    const box = this.canvas.getBoundingClientRect();
    if (!this.split) return [0, 0, box.width, box.height];
    return [i * box.width / 2, 0, box.width / 2, box.height];
  }

  /** What stands still is drawn sharply, once. */
  sharpen() {
    const still = performance.now() - this.moved > REST;
    const ratio = still ? Math.max(quality.ratio, Math.min(devicePixelRatio, 1)) : quality.ratio;
    if (this.renderer.getPixelRatio() === ratio) return;
    this.renderer.setPixelRatio(ratio);
    this.resize();
  }

  draw() {
    this.sharpen();
    if (!this.dirty) {
      if (this.labels.behind) this.placeLabels();
      return;
    }
    this.dirty = false;
    const { renderer, camera } = this;
    renderer.setScissorTest(true);
    renderer.setClearColor(this.sky);
    const { target, distance } = this.view;
    for (let i = 0; i < (this.split ? 2 : 1); i++) {
      const [x, y, width, height] = this.area(i);
      renderer.setViewport(x, y, width, height);
      renderer.setScissor(x, y, width, height);
      renderer.clear();
      this.frameFor(width, height);
      const { scene, floor, actors } = this.lanes[i];
      for (const f of [floor, ...(actors?.floors ?? [])]) f?.follow(target, distance);
      const fog = /** @type {THREE.Fog} */ (scene.fog);
      [fog.near, fog.far] = [distance + this.radius * 3, distance * 2.2 + this.radius * 7];
      renderer.render(scene, camera);
    }
    this.placeLabels();
  }

  /** @param {number} width @param {number} height */
  frameFor(width, height) {
    this.view.shape(width, height);
  }

  /** Draws as well as is wanted now. */
  adapt() {
    const { renderer } = this;
    if (renderer.shadowMap.enabled !== quality.shadows) {
      renderer.shadowMap.enabled = quality.shadows;
      for (const lane of this.lanes) lane.light.sun.castShadow = quality.shadows;
      if (this.info) this.load(this.info);
      if (this.frame) this.show(this.frame);
    }
    this.sharpen();
    this.dirty = true;
  }

  placeLabels() {
    const bar = element('scale');
    /** @type {import('./labels.js').Label[]} */
    const labels = [];
    const zero = new THREE.Vector3();
    (this.frame?.lanes ?? []).forEach(({ hand }, lane) => {
      const held = hand[13] >= 0;
      const read = (/** @type {number} */ i) => new THREE.Vector3(...hand.slice(i, i + 3));
      const [at, force, torque] = [read(0), read(6), read(9)];
      const good = (/** @type {THREE.Vector3} */ v) => Number.isFinite(v.length()) ? v : zero;
      if (held) {
        labels.push({ kind: 'force', lane, text: si(force.length(), 'N'),
          at: at.clone().addScaledVector(good(force), this.forceScale) });
      }
      if (held && this.lanes[lane].twist.group.visible) {
        const aside = new THREE.Vector3(1, 0, 0).applyQuaternion(this.lanes[lane].twist.group.quaternion);
        labels.push({ kind: 'torque', lane, text: si(torque.length(), 'N·m'),
          at: at.clone().addScaledVector(aside, -good(torque).length() * this.torqueScale) });
      }
      const { shown, faces } = this.lanes[lane].contacts;
      labels.push(...this.lanes[lane].flashes.labels(lane));
      if (layers.numbers) labels.push(...contactLabels(shown.length ? shown : faces, lane));
    });
    this.labels.show(labels, (point, lane) => {
      const [x, , width, height] = this.area(lane);
      this.frameFor(width, height);
      const p = point.clone().project(this.camera);
      return { x: x + (p.x * 0.5 + 0.5) * width, y: (0.5 - p.y * 0.5) * height, left: x, width, height,
        seen: p.z < 1 };
    });
    this.placeCross();
    bar.hidden = Math.max(this.peak, this.peakContact) <= 0 || !this.lanes.some((l) => l.arrow.group.visible
      || l.contacts.shafts.count > 0);
    if (!bar.hidden) this.placeScale(bar);
  }

  /** The axes of the world, and what the lines of the floor are apart. */
  placeCross() {
    const cross = element('cross');
    const inverse = this.camera.quaternion.clone().invert();
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]].forEach((axis, i) => {
      const p = new THREE.Vector3(...axis).applyQuaternion(inverse);
      const line = cross.querySelectorAll('line')[i], text = cross.querySelectorAll('text')[i];
      const [x, y] = [p.x * 18, -p.y * 18];
      line.setAttribute('x2', x.toFixed(1));
      line.setAttribute('y2', y.toFixed(1));
      text.setAttribute('x', (x * 1.4).toFixed(1));
      text.setAttribute('y', (y * 1.4 + 3.5).toFixed(1));
    });
    const cell = cellOf(this.radius);
    write(element('cell'), `lines ${si(cell, 'm')}, ${si(cell * 10, 'm')}`);
  }

  /** @param {HTMLElement} bar */
  placeScale(bar) {
    const distance = this.camera.position.distanceTo(this.controls.target);
    const [, , , height] = this.area(0);
    const pixelsPerMetre = height / (2 * distance * Math.tan(this.camera.fov * Math.PI / 360));
    const newton = nice(110 / (pixelsPerMetre * this.forceScale));
    const rule = /** @type {HTMLElement} */ (bar.querySelector('i'));
    rule.style.width = `${Math.round(newton * this.forceScale * pixelsPerMetre)}px`;
    write(/** @type {HTMLElement} */ (bar.querySelector('span')), si(newton, 'N'));
  }

  /**
   * The ray under a point of the canvas, and the lane it is in.
   * @param {number} clientX @param {number} clientY
   */
  ray(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    const lane = this.split && clientX - box.left > box.width / 2 ? 1 : 0;
    const [x, , width, height] = this.area(lane);
    const place = new THREE.Vector2(((clientX - box.left - x) / width) * 2 - 1,
      1 - ((clientY - box.top) / height) * 2);
    this.frameFor(width, height);
    const caster = new THREE.Raycaster();
    caster.setFromCamera(place, this.camera);
    return { caster, lane };
  }

  /** The moving body under a point of the canvas. @param {number} x @param {number} y */
  pick(x, y) {
    const { caster, lane } = this.ray(x, y);
    const actors = this.lanes[lane].actors;
    if (!actors) return null;
    const hit = caster.intersectObjects(actors.bodies.filter((b) => b.visible), true)
      .find((h) => h.object.userData.body !== undefined);
    if (hit) {
      if (hit.object.userData.plane) return this.nearest(actors, lane, x, y);
      if (hit.object.userData.fixed) return null;
      return { body: Number(hit.object.userData.body), lane, point: hit.point,
        local: hit.object.worldToLocal(hit.point.clone()) };
    }
    return this.nearest(actors, lane, x, y);
  }

  /** A body whose middle is within a fingertip of the pointer.
   *  @param {Actors} actors @param {number} lane @param {number} x @param {number} y */
  nearest(actors, lane, x, y) {
    const REACH = 14; // pixels
    let best = null, least = REACH;
    for (const object of actors.bodies) {
      if (object.userData.fixed || !object.visible) continue;
      const [px, py] = this.onScreen(object.position, lane);
      const distance = Math.hypot(px - x, py - y);
      if (distance < least) {
        least = distance;
        best = { body: Number(object.userData.body), lane, point: object.position.clone(),
          local: new THREE.Vector3() };
      }
    }
    return best;
  }

  /** Where a point of a lane is in the window. @param {THREE.Vector3} point @param {number} lane */
  onScreen(point, lane) {
    const box = this.canvas.getBoundingClientRect();
    const [x, , width, height] = this.area(lane);
    this.frameFor(width, height);
    const p = point.clone().project(this.camera);
    return [box.left + x + (p.x * 0.5 + 0.5) * width, box.top + (0.5 - p.y * 0.5) * height];
  }

  /** Where a body of the first lane is. @param {number} body */
  bodyAt(body) {
    return this.lanes[0].actors?.bodies[body]?.position.clone() ?? new THREE.Vector3();
  }
}
