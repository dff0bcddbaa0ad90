// Contacts over an area in a real browser: pressure as colours, the torque of friction.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { checks, until } from './harness.js';

const check = checks();

describe('areas', () => {
  check('a spinning disc shows its pressure and the torque that brakes it', async (open) => {
    const page = await open('soft-disc');
    await page.evaluate(async () => { window.colourOf = (await import('./areas.js')).colourOf; });
    // the disc turns for a part of a second, again and again: what is asked is asked in one frame
    await until(page, () => {
      const { areas } = window.studio.frame.lanes[0], layer = window.studio.view.lanes[0].areas;
      const [area] = areas, drawn = layer.mesh.geometry.drawRange.count;
      const arcs = layer.arcs.filter((arc) => arc?.group.visible).length;
      if (!area?.slides || !drawn || !arcs) return false;
      const hex = (share) => `#${window.colourOf(share, layer.mesh.material.color.clone()).getHexString()}`;
      window.seen = { count: areas.length, corners: area.corners.length / 4, area: area.area,
        force: area.pressure * area.area, torque: Math.abs(area.torque), drawn, arcs,
        colours: [hex(0), hex(0.5), hex(1)] };
      return Math.abs(window.seen.force / 4.9 - 1) < 0.1;
    });
    const seen = await page.evaluate(() => window.seen);
    assert.equal(seen.count, 1);
    assert.equal(seen.drawn, 3 * seen.corners);
    assert.ok(seen.arcs === 1, 'the torque of friction is drawn');
    // 500 g on a disc of 5 cm, whose polygon has the area of its circle
    assert.ok(Math.abs(seen.area / (Math.PI * 0.0025) - 1) < 1e-3, `${seen.area} m²`);
    assert.ok(Math.abs(seen.force / 4.9 - 1) < 0.1, `${seen.force} N`);
    assert.ok(Math.abs(seen.torque / (2 / 3 * 0.3 * 4.9 * 0.05) - 1) < 0.1, `${seen.torque} N m`);
    assert.equal(new Set(seen.colours).size, 3);
    if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
    await page.locator('#layer-pressure').uncheck();
    await until(page, () => window.studio.view.lanes[0].areas.mesh.geometry.drawRange.count === 0);
  });
});
