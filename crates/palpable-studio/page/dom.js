// Small helpers for building the page.
// @ts-check

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element #${id}`);
  return found;
}

/** @param {string} id @returns {HTMLInputElement} */
export const inputById = (id) => /** @type {HTMLInputElement} */ (byId(id));
/** @param {string} id @returns {HTMLSelectElement} */
export const selectById = (id) => /** @type {HTMLSelectElement} */ (byId(id));
/** @param {string} id @returns {HTMLButtonElement} */
export const buttonById = (id) => /** @type {HTMLButtonElement} */ (byId(id));

/**
 * An element with attributes and children.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Record<string, string | number | boolean | undefined>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/** Changes a text only if it is another: what stays need not be painted again.
 *  @param {Element} element @param {string} text */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** The part of a panel that holds its content. @param {string} id */
export function panelBody(id) {
  const body = byId(id).querySelector('.body');
  if (!body) throw new Error(`no body in #${id}`);
  return /** @type {HTMLElement} */ (body);
}

/** True if a panel is unfolded. @param {string} id */
export const isOpen = (id) => /** @type {HTMLDetailsElement} */ (byId(id)).open;

/** Tells the user something for a few seconds. @param {string} text @param {boolean} [bad] */
export function toast(text, bad = false) {
  const box = byId('toasts');
  while (box.children.length > 2) box.firstChild?.remove();
  const note = make('div', { class: bad ? 'bad' : '' }, text);
  box.append(note);
  setTimeout(() => note.remove(), bad ? 6000 : 3500);
}
