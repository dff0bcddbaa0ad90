// Files of the user's own: dropped anywhere, mistakes shown at their line.
// @ts-check
import { byId, inputById, make, toast } from './dom.js';
import { everything, mainOf, needed } from './folder.js';

/** @param {(name: string) => void} open */
export function dropZone(open) {
  const veil = byId('dropping');
  let inside = 0;
  addEventListener('dragenter', (e) => {
    e.preventDefault();
    inside++;
    veil.hidden = false;
  });
  addEventListener('dragleave', () => { if (--inside <= 0) veil.hidden = true; });
  addEventListener('dragover', (e) => e.preventDefault());
  addEventListener('drop', (e) => {
    e.preventDefault();
    inside = 0;
    veil.hidden = true;
    if (e.dataTransfer) void take(everything(e.dataTransfer), open);
  });
  inputById('file').addEventListener('change', () => {
    const files = [...(inputById('file').files ?? [])].map((file) => ({ path: file.name, file }));
    inputById('file').value = '';
    void take(Promise.resolve(files), open);
  });
}

/** Sends the scene, robot or mesh among the files with all that it names, and opens it.
 *  @param {Promise<import('./folder.js').Found[]>} coming @param {(name: string) => void} open */
async function take(coming, open) {
  try {
    const found = await coming;
    if (found.length === 0) return;
    const main = mainOf(found.map((f) => f.path));
    if (main === null) {
      const macro = found.some((f) => /\.xacro$/i.test(f.path));
      toast(macro ? 'Turn the .xacro file into a .urdf file first: xacro robot.xacro > robot.urdf'
        : 'Nothing to open there: drop a scene (.toml, .json), a robot (.urdf) or a mesh '
          + '(.obj, .stl)', true);
      return;
    }
    const files = await needed(found, main);
    for (const { path, body } of files) {
      const address = path.split('/').map(encodeURIComponent).join('/');
      const answer = await fetch(`upload/${address}`, { method: 'POST', body });
      if (!answer.ok) throw new Error(`${path}: ${(await answer.text()).trim()}`);
    }
    if (files.length > 0) open(files[0].path);
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), true);
  }
}

/** @param {{file: string, source: string, errors: {line: number, column: number, field: string,
 *    message: string, cure: string}[]}} event */
export function showMistakes(event) {
  byId('mistakes-title').textContent = event.errors.length === 1
    ? `${event.file}: one mistake` : `${event.file}: ${event.errors.length} mistakes`;
  const body = byId('mistakes-body');
  body.replaceChildren();
  const lines = event.source.split('\n');
  const bad = new Set(event.errors.map((e) => e.line));
  if (event.source) {
    const source = make('pre', { class: 'source', tabindex: 0, 'aria-label': 'The file' });
    lines.forEach((text, i) => {
      source.append(make('div', { class: bad.has(i + 1) ? 'at' : '' },
        make('span', {}, String(i + 1)), text || ' '));
    });
    body.append(source);
  }
  for (const e of event.errors) {
    const where = e.line > 0 ? `Line ${e.line}${e.field ? `, ${e.field}` : ''}: ` : '';
    body.append(make('div', { class: 'mistake' }, make('b', {}, where), e.message,
      make('p', {}, e.cure)));
  }
  const dialog = /** @type {HTMLDialogElement} */ (byId('mistakes'));
  if (!dialog.open) dialog.showModal();
  body.querySelector('.at')?.scrollIntoView({ block: 'center' });
}
