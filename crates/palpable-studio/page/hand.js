// The mouse, a finger, the keyboard or a gamepad as the hand.
// @ts-check
import * as THREE from './vendor/three.module.js';

/** @typedef {import('./view.js').View} View @typedef {import('./wire.js').Wire} Wire */

/** Longest silence while holding [ms]; the studio lets go after two seconds. */
const HEARTBEAT = 200;
/** Shortest time between two moves that are sent [ms]: well below what the studio allows. */
const SOON = 6;

export class Hand {
  /** @param {View} view @param {Wire} wire */
  constructor(view, wire) {
    this.view = view;
    this.wire = wire;
    this.holding = false;
    this.mine = false;
    /** the body chosen with the keyboard, or touched last */
    this.chosen = -1;
    this.target = new THREE.Vector3();
    this.grip = new THREE.Vector3();
    this.turn = new THREE.Quaternion();
    this.plane = new THREE.Plane();
    this.lane = 0;
    this.pointer = -1;
    this.sent = 0;
    this.changed = false;
    /** 'screen': moves in the plane of the screen; 'surface': on whatever is under the pointer */
    this.mode = 'screen';
    /** height above the surface [m] */
    this.lift = 0;
    this.pointed = { x: 0, y: 0 };
    /** where the pointer last was over the view @type {{x: number, y: number} | null} */
    this.hovered = null;
    /** @type {(body: number) => void} */
    this.onChoose = () => {};
    /** @type {(body: number, x: number, y: number) => void} */
    this.onHover = () => {};
    /** @type {(on: boolean) => void} */
    this.onHold = () => {};
    this.listen(view.canvas);
    // drawing may be slow; holding on must not depend on it
    setInterval(() => this.tick(performance.now()), HEARTBEAT / 2);
  }

  /** @param {HTMLCanvasElement} canvas */
  listen(canvas) {
    // before the orbit controls see the event
    canvas.addEventListener('pointerdown', (e) => this.down(e), { capture: true });
    canvas.addEventListener('pointermove', (e) => this.move(e));
    // comes at once; a move waits until the page has drawn
    canvas.addEventListener('pointerrawupdate', (e) => {
      if (this.mode === 'screen' && this.holding) this.move(/** @type {PointerEvent} */ (e));
    });
    for (const name of /** @type {const} */ (['pointerup', 'pointercancel', 'lostpointercapture'])) {
      canvas.addEventListener(name, (e) => { if (e.pointerId === this.pointer) this.release(); });
    }
    canvas.addEventListener('wheel', (e) => this.wheel(e), { capture: true, passive: false });
    canvas.addEventListener('keydown', (e) => {
      canvas.classList.add('keyboard');
      this.key(e);
    });
    canvas.addEventListener('pointerdown', () => canvas.classList.remove('keyboard'));
    canvas.addEventListener('blur', () => { if (this.pointer < 0) this.release(); });
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.button !== 0 || this.holding || !this.mine) return;
    const hit = this.view.pick(event.clientX, event.clientY);
    if (!hit) return;
    this.pressed = { x: event.clientX, y: event.clientY };
    event.stopImmediatePropagation();
    this.view.canvas.focus({ preventScroll: true });
    this.view.canvas.setPointerCapture(event.pointerId);
    this.pointer = event.pointerId;
    this.lane = hit.lane;
    this.take(hit.body, hit.local, hit.point);
  }

  /** @param {number} body @param {THREE.Vector3} local @param {THREE.Vector3} point */
  take(body, local, point) {
    this.holding = true;
    this.choose(body);
    this.target.copy(point);
    this.turn.identity();
    this.grip = local.clone();
    this.lift = 0;
    this.facePlane();
    this.view.canvas.classList.add('holding');
    this.wire.send('grab', { body, point: local.toArray() });
    this.onHold(true);
    this.changed = true;
  }

  /** What the pointer is over can be told from its look and its name. @param {number} x
   *  @param {number} y */
  hover(x, y) {
    this.hovered = { x, y };
    const hit = this.view.pick(x, y);
    this.view.canvas.classList.toggle('over', this.mine && hit !== null);
    this.view.mark(hit?.body ?? -1, this.view.chosen);
    this.onHover(hit?.body ?? -1, x, y);
  }

  /** The hand moves in the plane of the screen through the point it holds. */
  facePlane() {
    const normal = this.view.camera.getWorldDirection(new THREE.Vector3());
    this.plane.setFromNormalAndCoplanarPoint(normal, this.target);
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (!this.holding || event.pointerId !== this.pointer) {
      if (!this.holding && event.pointerType === 'mouse' && event.buttons === 0) {
        this.hover(event.clientX, event.clientY);
      }
      return;
    }
    this.pointed = { x: event.clientX, y: event.clientY };
    this.follow();
    const now = performance.now();
    if (now - this.sent >= SOON) this.tick(now);
  }

  /** Moves the target to where the pointer is. */
  follow() {
    const { caster } = this.view.ray(this.pointed.x, this.pointed.y);
    const point = (this.mode === 'surface' ? this.onSurface(caster) : null)
      ?? caster.ray.intersectPlane(this.plane, new THREE.Vector3());
    if (!point) return;
    this.target.copy(point);
    this.changed = true;
  }

  /** Where the held point must go for the body to rest on the surface under the pointer.
   *  @param {THREE.Raycaster} caster */
  onSurface(caster) {
    const bodies = this.view.lanes[this.lane].actors?.bodies ?? [];
    const held = /** @type {THREE.Mesh | undefined} */ (bodies[this.chosen]);
    const others = bodies.filter((b) => b !== held);
    const hit = caster.intersectObjects(others, false).find((h) => h.face);
    if (!hit?.face || !held) return null;
    const normal = hit.face.normal.clone().transformDirection(hit.object.matrixWorld);
    if (normal.dot(caster.ray.direction) > 0) normal.negate();
    this.plane.setFromNormalAndCoplanarPoint(caster.ray.direction, hit.point);
    return hit.point.clone().addScaledVector(normal, this.clearance(held, normal) + this.lift);
  }

  /** How far the held point is above the lowest point of its body along a direction [m].
   *  @param {THREE.Mesh} held @param {THREE.Vector3} normal */
  clearance(held, normal) {
    const grip = held.localToWorld(this.grip.clone());
    const place = held.geometry.attributes.position;
    const corner = new THREE.Vector3();
    let most = 0;
    for (let i = 0; i < place.count; i++) {
      held.localToWorld(corner.fromBufferAttribute(place, i));
      most = Math.max(most, grip.clone().sub(corner).dot(normal));
    }
    return most;
  }

  /** The wheel moves what is held nearer or farther. @param {WheelEvent} event */
  wheel(event) {
    if (!this.holding) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (this.mode === 'surface' && this.pointer >= 0) {
      this.lift = Math.max(0, this.lift - event.deltaY * 0.0005 * this.view.radius);
      this.follow();
      return;
    }
    const away = this.target.clone().sub(this.view.camera.position);
    const factor = Math.exp(-Math.max(-200, Math.min(200, event.deltaY)) * 0.001);
    this.target.copy(this.view.camera.position).addScaledVector(away, factor);
    this.facePlane();
    this.changed = true;
  }

  release() {
    if (!this.holding) return;
    this.holding = false;
    this.pointer = -1;
    this.view.canvas.classList.remove('holding');
    this.wire.send('release');
    this.onHold(false);
  }

  /** @param {number} body */
  choose(body) {
    this.chosen = body;
    this.view.mark(this.view.over, body);
    this.view.dirty = true;
    this.onChoose(body);
  }

  /** Chooses the next body that moves. @param {number} by */
  chooseNext(by) {
    const bodies = this.view.info?.bodies ?? [];
    if (!bodies.some((b) => b.moving !== null)) return;
    let index = this.chosen;
    do { index = (index + by + bodies.length) % bodies.length; } while (bodies[index].moving === null);
    this.choose(index);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.mine) return;
    const used = this.holding ? this.keyHolding(event) : this.keyFree(event);
    if (used) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** @param {KeyboardEvent} event */
  keyFree(event) {
    if (event.key === 'n' || event.key === 'N') this.chooseNext(event.shiftKey ? -1 : 1);
    else if (event.key === 'Enter') {
      if (this.chosen < 0) this.chooseNext(1);
      if (this.chosen >= 0) this.take(this.chosen, new THREE.Vector3(), this.view.bodyAt(this.chosen));
    } else return false;
    return true;
  }

  /** Arrows move in the screen, page keys in depth, Q W E A S D turn. @param {KeyboardEvent} event */
  keyHolding(event) {
    if (event.key === 'Escape' || event.key === 'Enter') {
      this.release();
      return true;
    }
    const { camera } = this.view;
    const axes = [0, 1, 2].map((i) => new THREE.Vector3().setFromMatrixColumn(camera.matrix, i));
    const moves = /** @type {Record<string, [number, number]>} */ ({ ArrowRight: [0, 1],
      ArrowLeft: [0, -1], ArrowUp: [1, 1], ArrowDown: [1, -1], PageDown: [2, 1], PageUp: [2, -1] });
    const turns = /** @type {Record<string, [number, number]>} */ ({ d: [1, 1], a: [1, -1],
      s: [0, 1], w: [0, -1], q: [2, 1], e: [2, -1] });
    const [move, turn] = [moves[event.key], turns[event.key.toLowerCase()]];
    const fine = event.shiftKey ? 0.2 : 1;
    if (move) this.target.addScaledVector(axes[move[0]], move[1] * fine * this.view.radius * 0.06);
    else if (turn) {
      this.turn.premultiply(new THREE.Quaternion().setFromAxisAngle(axes[turn[0]],
        turn[1] * fine * 0.12));
    } else return false;
    this.facePlane();
    this.changed = true;
    return true;
  }

  /** Sends what has changed; called at display rate. @param {number} now [ms] */
  tick(now) {
    // a surface or the body itself may have turned
    if (this.holding && this.pointer >= 0 && this.mode === 'surface') this.follow();
    if (!this.holding || (!this.changed && now - this.sent < HEARTBEAT)) return;
    this.sent = now;
    this.changed = false;
    const angle = 2 * Math.acos(Math.min(1, Math.abs(this.turn.w)));
    const axis = new THREE.Vector3(this.turn.x, this.turn.y, this.turn.z).normalize()
      .multiplyScalar(angle * Math.sign(this.turn.w || 1));
    this.wire.send('move', { target: this.target.toArray(), turn: axis.toArray() });
  }
}
