// The export menu: pictures and recordings as files.
// @ts-check
import { buttonById, byId, make, toast } from './dom.js';

/** @param {any} studio */
export function exportMenu(studio) {
  const button = buttonById('export'), list = byId('export-list');
  const close = () => {
    list.hidden = true;
    button.setAttribute('aria-expanded', 'false');
  };
  const item = (/** @type {string} */ title, /** @type {string} */ text,
    /** @type {() => void} */ what) => {
    const entry = make('button', { role: 'menuitem' }, title, make('small', {}, text));
    entry.addEventListener('click', () => { close(); what(); });
    list.append(entry);
  };
  item('Picture of the view', 'PNG', () => picture(studio));
  const take = (/** @type {string} */ title, /** @type {string} */ text,
    /** @type {string} */ name) => item(title, text, () => void fetchTake(name));
  take('Take as CSV', 'energy, hand and poses, a row per step', 'take.csv');
  take('Take as MCAP', 'for Foxglove and Rerun', 'take.mcap');
  take('Take as a figure', 'PNG: energy and force over time', 'take.png');
  button.addEventListener('click', () => {
    list.hidden = !list.hidden;
    button.setAttribute('aria-expanded', String(!list.hidden));
    if (!list.hidden) /** @type {HTMLElement} */ (list.firstElementChild)?.focus();
  });
  document.addEventListener('pointerdown', (e) => {
    if (!list.hidden && !(e.target instanceof Node && list.parentElement?.contains(e.target))) close();
  });
  list.addEventListener('keydown', (e) => {
    if (e.key === 'Escape') { close(); button.focus(); }
  });
}

/** @param {any} studio */
function picture(studio) {
  studio.view.dirty = true;
  studio.view.draw();
  studio.view.canvas.toBlob((/** @type {Blob | null} */ blob) => {
    if (!blob) { toast('the picture could not be made', true); return; }
    save(blob, `${studio.info?.id ?? 'palpable'}.png`);
  });
}

/** @param {string} name */
async function fetchTake(name) {
  const answer = await fetch(`export/${name}`);
  if (answer.ok) save(await answer.blob(), name);
  else toast((await answer.text()).trim(), true);
}

/** @param {Blob} blob @param {string} name */
export function save(blob, name) {
  const link = make('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
