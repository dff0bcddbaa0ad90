// Numbers for people: SI prefixes, and reading them back.
// @ts-check

const PREFIXES = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'],
  [1e-9, 'n'], [1e-12, 'p']];

/**
 * A number with three digits and a prefix, such as `2.5 kN/m`.
 * @param {number} value
 * @param {string} unit
 * @returns {string}
 */
export function si(value, unit) {
  if (!Number.isFinite(value)) return value !== value ? '–' : value > 0 ? '∞' : '−∞';
  if (value === 0) return `0 ${unit}`.trim();
  if (unit === '%') return `${digits(value)} %`;
  let [scale, prefix] = [value, ''];
  if (unit === 'kg') {
    // mass counts in grams
    const grams = si(value * 1e3, 'g');
    return grams.endsWith('kg') || Math.abs(value) < 1 ? grams : digits(value) + ' kg';
  }
  const size = Math.abs(value);
  const found = PREFIXES.find(([factor]) => size >= /** @type {number} */ (factor) * 0.9995);
  if (!found) return value.toExponential(1).replaceAll('-', '−') + ' ' + unit;
  if (unit) [scale, prefix] = [value / Number(found[0]), String(found[1])];
  return `${digits(scale)} ${prefix}${unit}`.trim();
}

/** @param {number} value */
export function digits(value) {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) return value.toExponential(2).replaceAll('-', '−');
  const decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return value.toFixed(decimals).replace('-', '−');
}

/**
 * Reads `2.5 kN/m`, `10 mg`, `0.3`; `null` if it is no number.
 * @param {string} text
 * @param {string} unit
 * @returns {number | null}
 */
export function read(text, unit) {
  const match = text.trim().replace('−', '-').replace(',', '.')
    .match(/^([-+]?[0-9.]+(?:e[-+]?[0-9]+)?)\s*(.*)$/i);
  if (!match) return null;
  const value = Number(match[1]);
  const given = match[2].replace('μ', 'µ').replace(/^u(?=\w)/, 'µ').trim();
  if (!Number.isFinite(value)) return null;
  if (given === '' || given === unit) return value;
  const base = unit === 'kg' ? 'g' : unit;
  const factor = PREFIXES.find(([, prefix]) => given === prefix + base);
  if (!factor) return null;
  return value * Number(factor[0]) * (unit === 'kg' ? 1e-3 : 1);
}

/**
 * The nearest of 1, 2, 5 times a power of ten at or below.
 * @param {number} value
 */
export function nice(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = value / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}
