// A link that restores scene and parameters: everything that was changed stands after the #.
// @ts-check
import { toast } from './dom.js';

export class Link {
  constructor() {
    this.scene = '';
    /** @type {Map<string, unknown>} what was changed, by name and part */
    this.changes = new Map();
    this.wanted = decode(location.hash);
  }

  /** @param {string} scene */
  clear(scene) {
    this.scene = scene;
    this.changes.clear();
    this.wanted = null;
    history.replaceState(null, '', location.pathname + location.search);
  }

  /** @param {string} what @param {number | null} part @param {unknown} value */
  note(what, part, value) {
    const key = `${what}:${part ?? ''}`;
    this.changes.delete(key); // the last change comes last
    this.changes.set(key, value);
  }

  /** A scene arrived: brings about what the address asks for.
   *  @param {string} id @param {import('./wire.js').Wire} wire */
  arrive(id, wire) {
    this.scene = id;
    const wanted = this.wanted;
    if (!wanted) return;
    if (wanted.scene && wanted.scene !== id) {
      wire.send('load', { scene: wanted.scene });
      if (!wanted.asked) { wanted.asked = true; return; }
    }
    this.wanted = null;
    for (const [key, value] of wanted.changes) {
      const [what, part] = key.split(':');
      const index = part === '' ? null : Number(part);
      this.note(what, index, value);
      wire.send('set', { what, part: index, value });
    }
  }

  address() {
    const parts = [`scene=${encodeURIComponent(this.scene)}`];
    for (const [key, value] of this.changes) {
      parts.push(`${encodeURIComponent(key)}=${encodeURIComponent(JSON.stringify(value))}`);
    }
    return `${location.origin}${location.pathname}#${parts.join('&')}`;
  }

  /** What restores scene and parameters on any machine with palpable: no address of this session,
   *  which ends with it. */
  command() {
    return `palpable studio --at '${this.address().split('#')[1]}'`;
  }

  copy() {
    const command = this.command();
    history.replaceState(null, '', this.address());
    const told = `Copied: ${command.length > 60 ? `${command.slice(0, 57)}…` : command}`;
    navigator.clipboard?.writeText(command).then(() => toast(told),
      () => toast(command));
  }
}

/** @param {string} hash
 *  @returns {{scene: string, asked: boolean, changes: [string, unknown][]} | null} */
function decode(hash) {
  const parts = [...new URLSearchParams(hash.slice(1))];
  if (parts.length === 0) return null;
  const scene = parts.find(([key]) => key === 'scene')?.[1] ?? '';
  /** @type {[string, unknown][]} */
  const changes = [];
  for (const [key, text] of parts) {
    if (key === 'scene') continue;
    try { changes.push([key, JSON.parse(text)]); } catch { /* a broken part is left out */ }
  }
  return { scene, asked: false, changes };
}
