// Dropped files and folders: which one is meant, what it names, and where that is.
// @ts-check

/** @typedef {{path: string, file: File}} Found a file and where it lay in what was dropped */

/** Deepest folder that is looked into, and files at most. */
const DEEP = 12, MANY = 5000;
/** What may be opened, best first, and whatever may be named in it. */
const MAIN = [/\.(toml|json)$/i, /\.urdf$/i, /\.(obj|stl)$/i];
const NAMED = /(["'])([^"'\r\n]+\.(?:obj|stl|dae|csv|urdf))\1/gi;
const TEXT = /\.(toml|json|urdf)$/i;

/** Everything in a drop, with folders. The entries must be taken at once: they are gone later.
 *  @param {DataTransfer} transfer @returns {Promise<Found[]>} */
export async function everything(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const flat = [...transfer.files].map((file) => ({ path: file.name, file }));
  if (!entries.some((e) => e?.isDirectory)) return flat;
  /** @type {Found[]} */
  const found = [];
  for (const entry of entries) if (entry) await walk(entry, entry.name, 0, found);
  return found;
}

/** @param {FileSystemEntry} entry @param {string} path @param {number} depth
 *  @param {Found[]} found */
async function walk(entry, path, depth, found) {
  if (depth > DEEP || found.length >= MANY || entry.name.startsWith('.')) return;
  if (entry.isFile) {
    const only = /** @type {FileSystemFileEntry} */ (entry);
    found.push({ path, file: await new Promise((done, fail) => only.file(done, fail)) });
    return;
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  for (;;) { // entries come in batches
    /** @type {FileSystemEntry[]} */
    const batch = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (batch.length === 0) return;
    for (const inside of batch) await walk(inside, `${path}/${inside.name}`, depth + 1, found);
  }
}

const parts = (/** @type {string} */ path) => path.split(/[/\\]+/)
  .filter((p) => p !== '' && p !== '.' && p !== '..');

/** The file that a name means: the one that agrees with it in most folders from the end.
 *  @param {string} name @param {string[]} paths @returns {string | null} */
export function meant(name, paths) {
  const wanted = parts(name.replace(/^(package|model|file):\/\//i, '').toLowerCase()).reverse();
  let best = null, most = 0;
  for (const path of paths) {
    const has = parts(path.toLowerCase()).reverse();
    let same = 0;
    while (same < wanted.length && wanted[same] === has[same]) same++;
    if (same > most) [best, most] = [path, same];
  }
  return best;
}

/** Where a relative name leads from a file. @param {string} path @param {string} name */
function from(path, name) {
  const way = path.split('/').slice(0, -1);
  for (const step of name.split('/')) {
    if (step === '..') way.pop();
    else if (step !== '.') way.push(step);
  }
  return way.join('/');
}

/** Letters, digits and little else: what the studio takes as a name. @param {string} path */
const clean = (path) => parts(path).map((p) => p.replace(/[^\p{L}\p{N}._ -]/gu, '_')
  .replace(/^\./, '_')).join('/');

/** The file to open: what is nearest the top, a scene before a robot before a mesh.
 *  @param {string[]} paths @returns {string | null} */
export function mainOf(paths) {
  for (const kind of MAIN) {
    const all = paths.filter((p) => kind.test(p));
    all.sort((a, b) => parts(a).length - parts(b).length || (a < b ? -1 : 1));
    if (all.length > 0) return all[0];
  }
  return null;
}

/** What must be sent for `main` to open: it and all that it names, names made to fit.
 *  @param {Found[]} found @param {string} main @returns {Promise<{path: string, body: Blob}[]>} */
export async function needed(found, main) {
  const files = new Map(found.map((f) => [f.path, f.file]));
  const paths = [...files.keys()];
  /** @type {Map<string, Blob>} */
  const ready = new Map();
  const queue = [main];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const file = files.get(path);
    if (!file || ready.has(path)) continue;
    if (!TEXT.test(path)) {
      ready.set(path, file);
      continue;
    }
    const up = '../'.repeat(parts(path).length - 1);
    const text = (await file.text()).replace(NAMED, (whole, quote, name) => {
      const target = meant(name, paths);
      if (target === null || target === path) return whole;
      queue.push(target);
      // a name that leads there as it is stays
      const there = from(path, name) === target && clean(target) === target;
      return there ? whole : quote + up + clean(target) + quote;
    });
    ready.set(path, new Blob([text]));
  }
  return [...ready].map(([path, body]) => ({ path: clean(path), body }));
}
