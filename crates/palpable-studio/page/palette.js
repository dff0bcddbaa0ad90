// Few colours: two greys for what lies about, dark for what is fixed, metal for parts of machines,
// and one accent for what the hand holds.
// @ts-check
import * as THREE from './vendor/three.module.js';

const LIGHT = { bodies: [0xc3ccd4, 0x8399ad], fixed: 0x6d7985, steel: 0x98a4b0, dark: 0x343d47,
  floor: 0xf1f3f5, ink: 0x5b6875, sky: 0xe9edf1, held: 0xf26a0f, beam: 0x9aa9b6,
  tendon: 0xb07c3a };
const DARK = { bodies: [0xb4c0cb, 0x6f8ba6], fixed: 0x7b8794, steel: 0x9eabb8, dark: 0x59656f,
  floor: 0x262e37, ink: 0x8d9bab, sky: 0x171d24, held: 0xff8a3d, beam: 0x8fa0b0,
  tendon: 0xc7955a };

/** @param {boolean} dark */
export const palette = (dark) => (dark ? DARK : LIGHT);

/** @param {number} index @param {boolean} dark */
export function bodyColour(index, dark) {
  const { bodies } = palette(dark);
  return new THREE.Color(bodies[index % bodies.length]);
}
