// The camera: home, frame, follow; and never an empty view unless somebody asked for it.
// @ts-check
import * as THREE from './vendor/three.module.js';
import { OrbitControls } from './vendor/OrbitControls.js';
import { boundsOf } from './shapes.js';

/** @typedef {import('./shapes.js').SceneInfo} SceneInfo
 *  @typedef {import('./shapes.js').Actors} Actors */

/** Angle of view in a wide window [deg]. */
const WIDE = 32;
/** Share of the picture that what is framed may take. */
const FILL = 0.8;
/** The usual direction to look from. */
const FROM = new THREE.Vector3(0.42, -1, 0.36).normalize();
/** Bodies farther away than this many radii of the scene are gone. */
const GONE = 2.2;
/** How low the eye may go unless somebody asked for more [rad from above]. */
const LOW = Math.PI / 2 - 0.03;

export class Camera {
  /** @param {HTMLCanvasElement} canvas @param {() => void} moved */
  constructor(canvas, moved) {
    this.eye = new THREE.PerspectiveCamera(WIDE, 1, 0.01, 100);
    this.eye.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.eye, canvas);
    this.controls.enableDamping = false;
    this.controls.maxPolarAngle = LOW;
    canvas.style.cursor = ''; // the style sheet says what the pointer is over
    /** as long as nobody has moved the camera it keeps everything in view */
    this.own = true;
    /** body that the camera goes along with */
    this.followed = -1;
    this.last = new THREE.Vector3();
    this.attended = 0;
    this.radius = 1;
    this.aspect = 1;
    /** @type {SceneInfo | null} */
    this.info = null;
    this.controls.addEventListener('start', () => { this.own = false; });
    this.controls.addEventListener('change', moved);
    this.moved = moved;
  }

  get target() { return this.controls.target; }

  get distance() { return this.eye.position.distanceTo(this.target); }

  /** True if the eye may go below the floor. */
  get below() { return this.controls.maxPolarAngle > Math.PI / 2; }

  set below(on) {
    this.controls.maxPolarAngle = on ? Math.PI : LOW;
    this.controls.update();
  }

  /** @param {SceneInfo} info */
  load(info) {
    this.info = info;
    this.radius = boundsOf(info).radius;
    this.controls.minDistance = this.radius * 0.05;
    this.controls.maxDistance = this.radius * 40;
    this.clip();
  }

  /** From far away nothing is near: depth stays fine enough to tell the grid from the floor. */
  clip() {
    this.eye.near = Math.max(this.radius * 0.01, this.distance * 0.02);
    this.eye.far = this.radius * 400;
    this.eye.updateProjectionMatrix();
  }

  /** As much of a narrow view as of a wide one. @param {number} width @param {number} height */
  shape(width, height) {
    this.aspect = width / Math.max(1, height);
    this.eye.aspect = this.aspect;
    this.clip();
    this.eye.updateMatrixWorld();
  }

  /** The scene's own viewpoint, or everything at the start. */
  home() {
    this.followed = -1;
    this.own = true;
    if (!this.info) return;
    const { points, centre } = boundsOf(this.info);
    const view = this.info.viewpoint;
    if (view) {
      const [eye, target] = view.map((v) => new THREE.Vector3(...v));
      this.target.copy(target);
      // made for a wide window; a narrow one steps back
      const back = Math.max(1, 1.25 / this.aspect);
      this.eye.position.copy(target).add(eye.sub(target).multiplyScalar(back));
      this.controls.update();
      this.moved();
      return;
    }
    this.frame(points.length ? points : [centre], FROM);
  }

  /** Fills the view with points. @param {THREE.Vector3[]} points
   *  @param {THREE.Vector3} [from] direction to look from; as now if none */
  frame(points, from = this.eye.position.clone().sub(this.target).normalize()) {
    const { at, distance } = this.fit(points, from);
    this.target.copy(at);
    this.eye.position.copy(at).addScaledVector(from, distance);
    this.controls.update();
    this.moved();
  }

  /** Where to look and from how far, so that points fill the view.
   *  @param {THREE.Vector3[]} points @param {THREE.Vector3} from */
  fit(points, from) {
    const [right, up] = [new THREE.Vector3(), new THREE.Vector3()];
    right.crossVectors(this.eye.up, from).normalize();
    up.crossVectors(from, right);
    const high = Math.tan(this.eye.fov * Math.PI / 360) * FILL, wide = high * this.aspect;
    const at = new THREE.Box3().setFromPoints(points).getCenter(new THREE.Vector3());
    let distance = this.radius * 0.1;
    for (let round = 0; round < 8; round++) {
      const seen = points.map((p) => p.clone().sub(at)).map((p) => {
        const depth = Math.max(distance - p.dot(from), 1e-6);
        return { x: p.dot(right) / depth, y: p.dot(up) / depth, p };
      });
      const [x, y] = [seen.map((s) => s.x), seen.map((s) => s.y)];
      const middle = [(Math.min(...x) + Math.max(...x)) / 2, (Math.min(...y) + Math.max(...y)) / 2];
      if (round > 0) {
        at.addScaledVector(right, middle[0] * distance).addScaledVector(up, middle[1] * distance);
      }
      distance = Math.max(this.radius * 0.05, ...points.map((p) => {
        const q = p.clone().sub(at);
        return q.dot(from) + Math.max(Math.abs(q.dot(right)) / wide, Math.abs(q.dot(up)) / high);
      }));
    }
    return { at, distance };
  }

  /** Keeps what moves in view, gently, until somebody takes the camera; goes along with a body that
   *  is followed. True if the camera has moved. @param {Actors} actors
   *  @param {boolean} [now] at once instead */
  attend(actors, now = false) {
    if (this.followed >= 0) return this.goAlong(actors);
    if (!this.own) return false;
    this.eye.updateMatrixWorld();
    const points = this.pointsOf(actors);
    if (points.length === 0) return false;
    const { at, distance } = this.fit(points, this.eye.position.clone().sub(this.target).normalize());
    const all = points.every((p) => {
      const q = p.clone().project(this.eye);
      return Math.abs(q.x) < 0.92 && Math.abs(q.y) < 0.92 && q.z < 1;
    });
    if (all) return false;
    // the same way however often it is drawn
    const time = performance.now();
    const share = now ? 1 : 1 - Math.exp(-Math.min(time - this.attended, 500) / 250);
    this.attended = time;
    const from = this.eye.position.clone().sub(this.target).normalize();
    const most = this.radius * 8;
    const was = this.eye.position.clone();
    const far = this.distance + (Math.min(most, Math.max(distance, this.distance)) - this.distance) * share;
    this.target.lerp(at, share);
    this.eye.position.copy(this.target).addScaledVector(from, far);
    this.controls.update();
    // as near as it gets
    return this.eye.position.distanceTo(was) > 1e-4 * this.radius;
  }

  /** @param {Actors} actors */
  goAlong(actors) {
    const body = actors.bodies[this.followed];
    if (!body) return false;
    const step = body.position.clone().sub(this.last);
    this.last.copy(body.position);
    if (step.lengthSq() === 0) return false;
    this.target.add(step);
    this.eye.position.add(step);
    this.controls.update();
    return true;
  }

  /** @param {number} body @param {Actors | null} actors */
  follow(body, actors) {
    this.followed = body;
    const object = actors?.bodies[body];
    if (object) this.last.copy(object.position);
  }

  /** Corners of what moves; of what is far away only if nothing else is left.
   *  @param {Actors} actors @param {number} [only] */
  pointsOf(actors, only = -1) {
    const bodies = actors.bodies.filter((b, i) => !b.userData.plane && b.visible
      && (only < 0 ? !b.userData.fixed : i === only));
    const home = this.info ? boundsOf(this.info).centre : new THREE.Vector3();
    const near = bodies.filter((b) => b.position.distanceTo(home) < GONE * this.radius);
    // of those that are all gone the first is as good as any
    const chosen = near.length ? near : bodies.slice(0, 1);
    return chosen.flatMap((b) => {
      const { half, middle } = b.userData;
      return [[1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1], [-1, 1, 1], [-1, 1, -1],
        [-1, -1, 1], [-1, -1, -1]].map(([x, y, z]) => new THREE.Vector3(x * half.x, y * half.y,
        z * half.z).add(middle).applyMatrix4(b.matrix));
    });
  }
}
