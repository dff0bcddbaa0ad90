// Files of the user's own: dropped anywhere, mistakes shown at their line.
// @ts-check
import { byId, inputById, make, toast } from './dom.js';

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
    if (e.dataTransfer?.files.length) void upload([...e.dataTransfer.files], open);
  });
  inputById('file').addEventListener('change', () => {
    void upload([...(inputById('file').files ?? [])], open);
    inputById('file').value = '';
  });
}

/** Sends the files, then opens the scene among them, or else a mesh.
 *  @param {File[]} files @param {(name: string) => void} open */
async function upload(files, open) {
  for (const file of files) {
    const answer = await fetch(`upload/${encodeURIComponent(file.name)}`,
      { method: 'POST', body: file });
    if (!answer.ok) {
      toast(`${file.name}: ${(await answer.text()).trim()}`, true);
      return;
    }
  }
  const ends = (/** @type {RegExp} */ pattern) => files.find((f) => pattern.test(f.name));
  const main = ends(/\.(toml|json)$/i) ?? ends(/\.urdf$/i) ?? ends(/\.(obj|stl)$/i) ?? files[0];
  if (main) open(main.name);
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
