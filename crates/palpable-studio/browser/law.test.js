// Contact laws in a real browser: chosen live, side by side, and honest about what they create.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { checks, load, until } from './harness.js';

const check = checks();
const lanes = (page) => page.evaluate(() => window.studio.frame.lanes.map((l) => [...l.energy]));
/** Created by the contact law [J], and what the books leave open [J]. */
const CREATED = 13, CLOSURE = 10;

describe('contact laws', () => {
  check('a law is chosen live, with its sides, and stands in the link', async (open) => {
    const page = await open('box-drop');
    const sides = page.locator('#panel-parameters .row', { hasText: 'Sides' });
    assert.equal(await page.locator('#law').inputValue(), 'cone');
    assert.ok(await sides.isHidden(), 'a cone has no sides');
    await page.locator('#law').selectOption('printed-elastic');
    await until(page, () => window.studio.parameters.now.laws[0] === 'printed-elastic');
    await sides.locator('input[type="text"]').fill('12');
    await sides.locator('input[type="text"]').press('Enter');
    await until(page, () => window.studio.parameters.now.sides === 12);
    const link = decodeURIComponent(await page.evaluate(() => window.studio.link.address()));
    assert.match(link, /law:0="printed-elastic"/);
    assert.match(link, /sides:0=12/);
    await until(page, () => window.studio.frame.lanes[0].law === 1);
    await page.locator('#law').selectOption('cone');
    await until(page, () => window.studio.parameters.now.sides === null);
    await load(page, 'oscillator');
    assert.ok(await page.locator('#law').isHidden(), 'nothing can touch there');
  });

  check('the cone beside the printed law: one creates energy, and the page says so', async (open) => {
    const page = await open('printed-plastic');
    assert.equal(await page.locator('#law').inputValue(), 'printed-plastic');
    await page.locator('#compare').selectOption('law cone');
    await until(page, () => window.studio.frame.lanes.length === 2);
    assert.equal(await page.locator('#compare').inputValue(), 'law cone');
    // both from the start, however long the first has run by now; the comparison outlives it
    const generation = await page.evaluate(() => window.studio.info.generation);
    await page.locator('#reset').click();
    await until(page, (g) => window.studio.info.generation > g
      && window.studio.frame?.generation === window.studio.info.generation
      && window.studio.frame.lanes.length === 2, generation);
    await page.locator('#lane-0', { hasText: 'printed-plastic' }).waitFor();
    await page.locator('#lane-1', { hasText: 'cone' }).waitFor();
    assert.deepEqual(await page.evaluate(() => window.studio.parameters.now.laws),
      ['printed-plastic', 'cone']);
    await until(page, (at) => window.studio.frame.lanes[0].energy[at] > 0, CREATED);
    await page.locator('#panel-energy .verdict.bad', { hasText: 'contact law created' }).waitFor();
    const [, cone] = await lanes(page);
    assert.equal(cone[CREATED], 0);
    assert.ok(Math.abs(cone[CLOSURE]) < 1e-9, `${cone}`);
    await page.locator('#compare').selectOption('');
    await until(page, () => window.studio.frame?.lanes.length === 1);
  });
});
