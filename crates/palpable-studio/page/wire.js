// The connection to the studio, and the reader of its frames.
// @ts-check
import { areasIn } from './areas.js';

/**
 * @typedef {{count: number, values: Float32Array, bodies: Uint16Array}} Contacts eight words each;
 *   the last holds the bodies
 * @typedef {{number: number, point: number[], impulse: number[], bodies: number[]}} Strike one
 *   collision: where [m], impulse on its second body [N·s]
 * @typedef {{velocities: Float32Array, ended: number, poses: Float32Array, hand: Float32Array, energy: Float64Array, fate: number,
 *   scheme: number, law: number, touching: number, deepest: number, contacts: Contacts,
 *   strikes: Strike[], areas: import('./areas.js').Area[], motors: Float32Array}} LaneFrame
 *   motors: three numbers each
 * @typedef {{generation: number, time: number, lanes: LaneFrame[], loop: Float64Array,
 *   times: Uint32Array}} Frame
 */

/**
 * Reads a binary frame; see `protocol` in the crate for its layout.
 * @param {ArrayBuffer} buffer
 * @returns {Frame | null}
 */
export function readFrame(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < 16 || view.getUint16(0) !== 0x7066 || view.getUint8(2) !== 2) return null;
  /** @type {LaneFrame[]} */
  const lanes = [];
  for (let i = 0; i < view.getUint8(3); i++) {
    lanes.push({ velocities: new Float32Array(), ended: 0, poses: new Float32Array(), hand: new Float32Array(16),
      energy: new Float64Array(14), fate: 0, scheme: 0, law: 0, touching: 0, deepest: 0,
      contacts: contactsIn(new ArrayBuffer(0)), strikes: [], areas: [], motors: new Float32Array() });
  }
  /** @type {Frame} */
  const frame = { generation: view.getUint32(4, true), time: view.getFloat64(8, true), lanes,
    loop: new Float64Array(9), times: new Uint32Array() };
  for (let at = 16; at + 8 <= buffer.byteLength;) {
    const [kind, lane] = [view.getUint8(at), lanes[view.getUint8(at + 1)]];
    const length = view.getUint32(at + 4, true);
    // a copy, so that the numbers are aligned
    const part = buffer.slice(at + 8, at + 8 + length);
    if (lane) readSection(frame, lane, kind, part);
    at += 8 + length;
  }
  return frame;
}

/**
 * @param {Frame} frame @param {LaneFrame} lane @param {number} kind @param {ArrayBuffer} part
 */
function readSection(frame, lane, kind, part) {
  switch (kind) {
    case 1: lane.poses = new Float32Array(part); break;
    case 2: lane.hand = new Float32Array(part); break;
    case 3: lane.energy = new Float64Array(part); break;
    case 4:
      [lane.fate, lane.scheme] = new Uint8Array(part);
      lane.touching = new DataView(part).getUint16(2, true);
      lane.deepest = new DataView(part).getFloat32(4, true);
      lane.law = new Uint8Array(part)[8] ?? 0;
      if (part.byteLength >= 16) lane.ended = new DataView(part).getFloat32(12, true);
      break;
    case 5: frame.loop = new Float64Array(part); break;
    case 6: frame.times = new Uint32Array(part); break;
    case 7: lane.contacts = contactsIn(part); break;
    case 8: lane.velocities = new Float32Array(part); break;
    case 9: lane.strikes = strikesIn(part); break;
    case 10: lane.areas = areasIn(part); break;
    case 11: lane.motors = new Float32Array(part); break;
    default: // a newer studio may say more
  }
}

/** @param {ArrayBuffer} part @returns {Contacts} */
function contactsIn(part) {
  return { count: part.byteLength / 32, values: new Float32Array(part), bodies: new Uint16Array(part) };
}

/** @param {ArrayBuffer} part @returns {Strike[]} */
function strikesIn(part) {
  const [values, words] = [new Float32Array(part), new Uint32Array(part)];
  return Array.from({ length: part.byteLength / 32 }, (_, i) => ({ number: words[i * 8 + 7],
    point: [...values.subarray(i * 8, i * 8 + 3)], impulse: [...values.subarray(i * 8 + 3, i * 8 + 6)],
    bodies: [words[i * 8 + 6] & 0xffff, words[i * 8 + 6] >>> 16] }));
}

export const PAUSED = 1, RECORDING = 2, REPLAYING = 4, REPLAYABLE = 8, LOOKING_BACK = 16;

/** Talks to the studio; connects again when the connection is lost. */
export class Wire extends EventTarget {
  constructor() {
    super();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.you = 0;
    this.connect();
  }

  connect() {
    const address = new URL('socket', location.href);
    address.protocol = 'ws:';
    address.hash = address.search = '';
    const socket = new WebSocket(address);
    socket.binaryType = 'arraybuffer';
    socket.onmessage = (message) => this.hear(message.data);
    socket.onclose = (event) => {
      this.socket = null;
      this.emit('lost', event.reason || 'the studio does not answer');
      setTimeout(() => this.connect(), 1500);
    };
    socket.onopen = () => { this.socket = socket; };
  }

  /** @param {string | ArrayBuffer} data */
  hear(data) {
    if (typeof data !== 'string') {
      const frame = readFrame(data);
      if (frame) this.emit('frame', frame);
      return;
    }
    const event = JSON.parse(data);
    if (event.event === 'hello') this.you = event.you;
    this.emit(event.event, event);
  }

  /** @param {string} name @param {unknown} detail */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** @param {string} name @param {(detail: any) => void} what */
  on(name, what) {
    this.addEventListener(name, (event) => what(/** @type {CustomEvent} */ (event).detail));
  }

  /** @param {string} name @param {object} [rest] */
  send(name, rest = {}) {
    if (this.socket?.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify({ do: name, ...rest }));
    }
  }
}
