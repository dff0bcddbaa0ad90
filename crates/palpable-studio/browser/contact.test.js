// Contacts, surfaces and the device's line in a real browser.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { checks, drag, force, load, send, until, waitForForce, waitForRest } from './harness.js';

const check = checks();

/** Sum of all contact forces with the floor along z [N], and how many faces have an area. */
const weighed = (page) => page.evaluate(async () => {
  const { polygon } = await import('./contacts.js');
  const { faces } = window.studio.view.lanes[0].contacts;
  const floor = window.studio.info.bodies.findIndex((b) => b.shape?.kind === 'plane');
  const on = faces.filter((f) => f.bodies.includes(floor));
  return { weight: on.reduce((sum, f) => sum + Math.abs(f.force.z), 0), faces: on.length,
    areas: on.filter((f) => polygon(f).length >= 3).length };
});

/** Waits until what is weighed is right; simulated time decides, a slow machine waits longer. */
async function weighs(page, right) {
  const start = await page.evaluate(() => window.studio.frame.time);
  for (;;) {
    const now = await weighed(page);
    if (await right(now)) return now;
    const time = await page.evaluate(() => window.studio.frame.time);
    assert.ok(time < start + 5, `after ${time - start} s: ${JSON.stringify(now)}`);
  }
}

/** What stands on the floor weighs on it, once it has come to rest. */
async function standing(page) {
  const weight = 9.81 * await page.evaluate(() => window.studio.parameters.now.bodies
    .reduce((sum, b) => sum + b.mass, 0));
  return weighs(page, async (now) => Math.abs(now.weight - weight) < 1e-3 * weight);
}

describe('contacts', () => {
  check('a stack shows its points, areas, forces to scale and numbers', async (open) => {
    const page = await open('stack-3');
    for (const layer of ['points', 'areas', 'forces', 'numbers']) {
      await page.locator(`#layer-${layer}`).check();
    }
    await until(page, () => window.studio.view.lanes[0].contacts.faces.length >= 3);
    const { faces, areas } = await standing(page);
    assert.deepEqual([faces, areas], [1, 1]);
    // numbers are written a few times a second
    await until(page, () => document.querySelectorAll('.label.contact:not([hidden])').length >= 3);
    const drawn = await page.evaluate(() => {
      const { contacts } = window.studio.view.lanes[0];
      const v = window.studio.frame.lanes[0].contacts.values;
      // the first arrow: its length in metres over its force
      const matrix = [...contacts.shafts.instanceMatrix.array.slice(0, 16)];
      const head = [...contacts.heads.instanceMatrix.array.slice(0, 16)];
      const length = Math.hypot(matrix[8], matrix[9], matrix[10])
        + Math.hypot(head[8], head[9], head[10]);
      return { points: contacts.points.count, arrows: contacts.shafts.count,
        corners: contacts.areas.geometry.drawRange.count,
        scale: length / Math.hypot(v[3], v[4], v[5]) / window.studio.view.forceScale,
        labels: [...document.querySelectorAll('.label.contact:not([hidden])')]
          .map((l) => l.textContent) };
    });
    assert.ok(drawn.points >= 12 && drawn.arrows >= 12 && drawn.corners >= 18, JSON.stringify(drawn));
    assert.ok(Math.abs(drawn.scale - 1) < 0.01, `arrows are to scale: ${drawn.scale}`);
    assert.ok(drawn.labels.length >= 3 && drawn.labels.every((t) => / m?k?N$/.test(t)), `${drawn.labels}`);
    await page.locator('#layer-areas').uncheck();
    await until(page, () => window.studio.view.lanes[0].contacts.areas.geometry.drawRange.count === 0);
    await page.locator('#layer-areas').check();
  });

  check('pushing down on a block presses on what is below it', async (open) => {
    const page = await open('stack-3');
    await until(page, () => window.studio.view.lanes[0].contacts.faces.length >= 3);
    const before = (await standing(page)).weight;
    await send(page, 'grab', { body: 3, point: [0, 0, 0] });
    const at = await page.evaluate(() => window.studio.view.bodyAt(3).toArray());
    await page.evaluate(() => { window.beat = setInterval(() => window.studio.wire.send('move',
      { target: window.goal }), 100); });
    await page.evaluate((goal) => { window.goal = goal; }, [at[0], at[1], at[2] - 0.02]);
    await waitForForce(page);
    await weighs(page, async ({ weight }) => {
      const f = await force(page);
      return weight > before && Math.abs(weight - before - f) < 0.05 * f;
    });
    await page.evaluate(() => { clearInterval(window.beat); window.studio.wire.send('release'); });
    await waitForRest(page);
  });

  check('friction and restitution change live, are paid for and stand in the link', async (open) => {
    const page = await open('sliding-block');
    const field = (label) => page.locator('#panel-parameters .row', { hasText: label })
      .locator('input[type="text"]').first();
    for (const [label, value, what] of [['Friction', '0.9', 0], ['Restitution', '0.25', 1]]) {
      await field(label).fill(value);
      await field(label).press('Enter');
      await until(page, ([w, v]) => window.studio.parameters.now.surfaces.every((s) => s[w] === v),
        [what, Number(value)]);
    }
    const energy = await page.evaluate(() => [...window.studio.frame.lanes[0].energy]);
    assert.ok(Math.abs(energy[10]) < 1e-9 * Math.max(1e-3, Math.abs(energy[12])), `${energy}`);
    const link = await page.evaluate(() => window.studio.link.address());
    assert.match(decodeURIComponent(link), /friction:=0\.9/);
    await load(page, 'demo');
    assert.ok(await page.locator('#panel-contact').isHidden(), 'nothing can touch there');
  });
});

describe('the device', () => {
  check('a late and lossy line still carries a force, and its account is told', async (open) => {
    const page = await open('oscillator');
    await send(page, 'set', { what: 'line', part: null, value: [2, 0.01, 0.2] });
    await until(page, () => window.studio.parameters.now.line[1] === 0.01);
    await drag(page);
    await until(page, () => window.studio.frame.lanes[0].hand[14] > 0);
    const told = await page.locator('#panel-hand .hint').textContent();
    assert.match(told, /reserve.*J at the device.*J at the world/);
    await page.mouse.up();
    await waitForRest(page);
    const energy = await page.evaluate(() => [...window.studio.frame.lanes[0].energy]);
    assert.ok(energy.every(Number.isFinite) && Math.abs(energy[10]) < 1e-9, `${energy}`);
  });

  check('the gauge knows the devices and where the coupling stands', async (open) => {
    const page = await open();
    await page.evaluate(() => { document.getElementById('panel-passivity').open = true; });
    const names = await page.locator('#device option').allTextContents();
    assert.ok(names.length >= 8 && names.some((n) => n.includes('Touch')), `${names}`);
    const touch = names.findIndex((n) => n.startsWith('3D Systems Touch'));
    await page.locator('#device').selectOption({ index: touch });
    await page.locator('.gauge svg').waitFor();
    await until(page, () => window.studio.parameters.now.line[0] === 0.1);
    const verdict = () => page.locator('#panel-passivity .verdict').textContent();
    // 0.1 N·s/m at 1 kHz: 2 b/T = 200 N/m
    const set = async (k) => {
      await send(page, 'set', { what: 'coupling', part: null, value: [k, 0, 0] });
      await until(page, (v) => window.studio.parameters.now.coupling[0] === v, k);
    };
    await set(150);
    await page.locator('#panel-passivity .verdict', { hasText: 'Passive on 3D' }).waitFor();
    assert.match(await verdict(), /may rise to 200 N\/m/);
    await set(400);
    await page.locator('#panel-passivity .verdict.bad', { hasText: 'Too stiff' }).waitFor();
    assert.match(await verdict(), /by 2\.0×: lower K to 200 N\/m/);
    assert.match(await page.locator('#panel-passivity .hint').first().textContent(), /unverified/);
  });
});
