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
  item('Picture of the view', 'PNG with its title and scale', () => picture(studio));
  item('Film of the last seconds', 'WebM; they are shown once more', () =>
    void studio.film.again(nameOf(studio), studio.time));
  item('Film from now on', 'WebM; once more to stop', () => studio.film.toggle(nameOf(studio)));
  item('World as a scene file', 'TOML: everything where it is now', () => studio.wire.send('save'));
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

/** What files of this scene are called. @param {any} studio @returns {string} */
const nameOf = (studio) => studio.info?.id.split('/').pop().split('.')[0] ?? 'palpable';

/** @param {any} studio */
function picture(studio) {
  studio.view.dirty = true;
  studio.view.draw();
  const { canvas } = studio.view;
  const sheet = make('canvas', { width: canvas.width, height: canvas.height });
  const pen = sheet.getContext('2d');
  if (!pen) { toast('the picture could not be made', true); return; }
  pen.drawImage(canvas, 0, 0);
  const scale = canvas.width / canvas.getBoundingClientRect().width;
  caption(pen, studio, scale);
  sheet.toBlob((/** @type {Blob | null} */ blob) => {
    if (blob) save(blob, `${nameOf(studio)}.png`);
  });
}

/** What the page writes over the view. @param {CanvasRenderingContext2D} pen @param {any} studio
 *  @param {number} scale pixels per pixel of the page */
function caption(pen, studio, scale) {
  const box = studio.view.canvas.getBoundingClientRect();
  const text = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => text.getPropertyValue(name).trim();
  pen.scale(scale, scale);
  pen.textBaseline = 'top';
  pen.fillStyle = colour('--ink');
  pen.font = '600 15px Inter, sans-serif';
  pen.fillText(studio.info?.name ?? '', 14, 12);
  pen.font = '12px Inter, sans-serif';
  pen.fillStyle = colour('--muted');
  pen.fillText(`${studio.frame?.time.toFixed(2) ?? 0} s · ${byId('cell').textContent}`, 14, 33);
  for (const label of document.querySelectorAll('#labels .label, .lane-label, .scale')) {
    const at = label.getBoundingClientRect();
    if (at.width === 0 || !label.textContent) continue;
    const [x, y] = [at.left - box.left, at.top - box.top];
    const style = getComputedStyle(label);
    pen.fillStyle = style.backgroundColor;
    if (!label.classList.contains('scale')) pen.fillRect(x, y, at.width, at.height);
    pen.fillStyle = style.color;
    pen.font = `600 ${style.fontSize} Inter, sans-serif`;
    pen.fillText(label.textContent, x + 7, y + 3);
  }
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
