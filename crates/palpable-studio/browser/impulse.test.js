// Collisions in a real browser: seen, told in numbers, and heard.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { checks, load, send, until } from './harness.js';

const check = checks();

/** Notes every collision that the page is told, from now on. */
const listen = (page) => page.evaluate(() => {
  window.told = new Map();
  window.most = 0;
  window.sizes = new Set();
  window.studio.wire.on('frame', (frame) => {
    const { strikes } = frame.lanes[0];
    window.most = Math.max(window.most, strikes.length);
    for (const s of strikes) {
      window.told.set(s.number, { ...s, size: Math.hypot(...s.impulse) });
      window.sizes.add(Math.hypot(...s.impulse));
    }
  });
});
const told = (page) => page.evaluate(() => [...window.told.values()]);

/** Begins a scene anew, stopped in its first step. */
async function begin(page, id) {
  await load(page, id);
  await send(page, 'pause', { on: true });
  await until(page, () => window.studio.time.paused);
  await listen(page);
  await send(page, 'reset');
  await until(page, () => window.studio.frame.time < 0.02);
}

describe('collisions', () => {
  check('a peg that strikes a corner flashes and tells its momentum', async (open) => {
    const page = await open();
    await begin(page, 'crisp-corner');
    await send(page, 'pause', { on: false });
    await page.waitForFunction(() => window.told.size > 0, null, { polling: 10 });
    await send(page, 'pause', { on: true });
    await until(page, () => window.studio.view.lanes[0].flashes.list.length > 0);
    // 0.4 N for the way to the top wall: p = sqrt(2 m F s), and 0.32 N to the left one
    const first = (await told(page))[0];
    const names = await page.evaluate((b) => b.map((i) => window.studio.info.bodies[i].name),
      first.bodies);
    const [force, way] = names.includes('top') ? [0.4, 0.02 - 0.00525] : [0.32, 0.02 - 0.0105];
    const expected = Math.sqrt(2 * 2 * force * way);
    // one step of 1 ms early or late at most, and single precision
    assert.ok(Math.abs(first.size - expected) <= 2e-3 * force, `${first.size} ${expected}`);
    // a flash is drawn, and stays while time stands still
    const flash = () => page.evaluate(() => {
      const { pool, list } = window.studio.view.lanes[0].flashes;
      return { drawn: pool.filter((s) => s.visible).length, list: list.length,
        labels: [...document.querySelectorAll('.label.impulse:not([hidden])')]
          .map((l) => l.textContent) };
    });
    await until(page, () => document.querySelector('.label.impulse:not([hidden])'));
    const seen = await flash();
    assert.ok(seen.labels.length > 0 && seen.labels.every((t) => / m?N·s$/.test(t)),
      JSON.stringify(seen));
    // off by a switch, on again by it; its number goes with it
    await page.locator('#layer-impulses').uncheck();
    await until(page, () => !document.querySelector('.label.impulse:not([hidden])')
      && window.studio.view.lanes[0].flashes.pool.every((s) => !s.visible));
    await page.locator('#layer-impulses').check();
    assert.match(await page.locator('#panel-contact .facts').textContent(), /Last impulse.*N·s/);
    // and gone two seconds after
    await send(page, 'pause', { on: false });
    await until(page, () => window.studio.frame.time > 1);
    await until(page, () => window.studio.view.lanes[0].flashes.list.length === 0
      && !document.querySelector('.label.impulse:not([hidden])'));
  });

  check('clicks are as loud as the blow, and silent unless asked for', async (open) => {
    const page = await open();
    await begin(page, 'crisp-corner');
    await send(page, 'pause', { on: false });
    await page.waitForFunction(() => window.told.size > 0, null, { polling: 10 });
    assert.equal(await page.evaluate(() => window.studio.sound.clicks), 0, 'muted at first');
    await page.locator('#sound').click();
    assert.equal(await page.locator('#sound').getAttribute('aria-pressed'), 'true');
    await page.evaluate(() => {
      const { sound } = window.studio;
      window.heard = [];
      const click = sound.click.bind(sound);
      sound.click = (level) => { click(level); window.heard.push([level, sound.loudness, sound.blow]); };
      window.told.clear();
    });
    await send(page, 'reset');
    await until(page, () => window.heard.length >= 2);
    const heard = await page.evaluate(() => window.heard);
    const sizes = await page.evaluate(() => [...window.sizes]);
    for (const [level, loudness, blow] of heard) {
      assert.ok(level > 0 && level <= 1 && Math.abs(loudness - 0.7 * level) < 1e-12, `${heard}`);
      const near = Math.min(...sizes.map((s) => Math.abs(s / (level * blow) - 1)));
      assert.ok(near < 1e-9, `a click of ${level * blow} N·s, told were ${sizes}`);
    }
    assert.equal(await page.evaluate(() => window.studio.sound.context.state), 'running');
    await page.locator('#sound').click();
    const before = await page.evaluate(() => [window.studio.sound.clicks, window.told.clear()][0]);
    await send(page, 'reset');
    await until(page, () => window.told.size > 0);
    assert.equal(await page.evaluate(() => window.studio.sound.clicks), before, 'silent again');
  });

  check('the shocks of a cradle are equal, and a heap tells nothing', async (open) => {
    const page = await open();
    await begin(page, 'cradle');
    await send(page, 'pause', { on: false });
    await until(page, () => window.told.size >= 4);
    const sizes = (await told(page)).slice(0, 4).map((s) => s.size);
    for (const size of sizes) {
      // the balls in between hang and move on by the arc of one step
      assert.ok(Math.abs(size / sizes[0] - 1) < 1e-5, `${sizes}`);
    }
    assert.ok(await page.evaluate(() => window.most) <= 32);
    await load(page, 'stack-13');
    await listen(page);
    await until(page, () => window.studio.frame.time > 0.5);
    assert.deepEqual(await told(page), [], 'hard contacts without a choice are not told');
    assert.ok(!/Last impulse/.test(await page.locator('#panel-contact .facts').innerText()));
  });
});
