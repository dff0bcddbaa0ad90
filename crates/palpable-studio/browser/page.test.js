// The page itself: the first paint, what it gives up where drawing is slow, small screens, help.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { checks, running, until } from './harness.js';

const check = checks();

describe('drawing', () => {
  check('the title is painted alone, then nothing stays hidden', async (open, studio) => {
    const page = await open();
    const text = await page.evaluate(async () => (await fetch('index.html')).text());
    assert.match(text, /<html lang="en" class="bare">/);
    assert.equal(await page.evaluate(() => document.documentElement.classList.contains('bare')), false);
    for (const part of ['nav', 'main', 'aside', '#export']) {
      assert.ok(await page.locator(part).isVisible(), part);
    }
  });

  // times are made up: whether a machine is slow does not matter
  check('gives way after eight slow frames and returns when it is fluent', async (open) => {
    const page = await open();
    const found = await page.evaluate(async () => {
      const { Quality } = await import('./quality.js');
      const quality = new Quality(false);
      let now = 1e6;
      const run = (ms, seconds) => {
        const changes = [];
        for (const end = now + seconds * 1000; now < end;) {
          now += ms;
          if (quality.pace(now)) changes.push(quality.level);
        }
        return changes;
      };
      Object.assign(quality, { level: 0, best: 0, last: now });
      const result = { fluent: run(16, 10), slow: run(120, 0.97), slower: run(120, 8),
        early: run(16, 4), back: run(16, 4), patient: run(16, 15), later: run(16, 10) };
      quality.pace(now += 60_000); // the page slept
      return { ...result, slept: run(16, 1) };
    });
    assert.deepEqual(found, { fluent: [], slow: [1], slower: [2, 3, 4], early: [], back: [3],
      patient: [], later: [2], slept: [] });
  });

  check('is simple from the start without graphics hardware, unless the best is asked for', async (open, studio) => {
    const plain = await open();
    const context = plain.context();
    await plain.close();
    for (const [query, rich] of [['', false], ['?fine', true]]) {
      const page = await context.newPage();
      page.setDefaultTimeout(120_000);
      await page.goto(studio.address + query);
      await running(page);
      const how = await page.evaluate(() => {
        const { renderer, lanes } = window.studio.view;
        const body = lanes[0].actors.bodies.find((b) => !b.userData.fixed);
        return [renderer.shadowMap.enabled, renderer.getContext().getContextAttributes().antialias,
          body.material.type === 'MeshStandardMaterial', lanes[0].scene.environment !== null];
      });
      assert.deepEqual(how, [rich, true, rich, rich], query);
      await page.close();
    }
  });
});

describe('on a phone', () => {
  check('nothing sticks out, and what is touched is large enough', async (open) => {
    const page = await open('stack-13');
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
    const found = await page.evaluate(() => {
      const seen = [...document.querySelectorAll('button, select, summary, .switch')]
        .filter((e) => e.checkVisibility()).map((e) => [e.id || e.textContent, e.getBoundingClientRect()]);
      const outside = [...document.querySelectorAll('header *, main *, aside *')]
        .filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1);
      return { wide: document.documentElement.scrollWidth - innerWidth,
        small: seen.filter(([, r]) => r.height < 40 || r.width < 40).map(([name]) => name),
        outside: outside.map((e) => e.id || e.className || e.tagName) };
    });
    assert.deepEqual(found, { wide: 0, small: [], outside: [] });
  }, { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
});

describe('help', () => {
  check('opens with its key and its button, and closes', async (open) => {
    const page = await open();
    const guide = page.locator('#guide');
    await page.keyboard.press('?');
    await guide.waitFor();
    assert.match(await guide.textContent(), /Drag a body/);
    const time = await page.evaluate(() => window.studio.frame.time);
    await page.keyboard.press('Escape');
    await guide.waitFor({ state: 'hidden' });
    await page.locator('#help-button').click();
    await guide.getByText('Close').click();
    await guide.waitFor({ state: 'hidden' });
    await until(page, (t) => window.studio.frame.time > t, time); // it went on meanwhile
  });
});

describe('at rest', () => {
  check('what stands still is not drawn again, and its numbers are the newest', async (open) => {
    const page = await open('stack-13');
    await page.evaluate(() => window.studio.wire.send('pause', { on: true }));
    await until(page, () => window.studio.time.paused && !window.studio.fresh
      && !window.studio.view.labels.behind);
    const drawn = await page.evaluate(async () => {
      const { view } = window.studio;
      let arrived = 0;
      window.studio.wire.on('frame', () => { arrived++; });
      const wait = () => new Promise((r) => { requestAnimationFrame(r); });
      // sooner or later ten frames come of which none is drawn
      let [still, before] = [1, 0];
      for (let chance = 0; chance < 20 && still > 0; chance++) {
        [arrived, before] = [0, window.studio.frames];
        while (arrived < 10) await wait();
        still = window.studio.frames - before;
      }
      view.controls.dispatchEvent({ type: 'change' });
      await wait();
      await wait();
      const orbited = window.studio.frames - before - still;
      // layers and themes still take effect
      document.getElementById('layer-points').click();
      await wait();
      await wait();
      const points = view.lanes[0].contacts.points.count;
      document.getElementById('theme').click();
      await wait();
      await wait();
      const far = view.lanes[0].actors.bodies.reduce((most, body, i) => Math.max(most,
        Math.abs(body.position.x - window.studio.frame.lanes[0].poses[i * 7])), 0);
      return { still, orbited: orbited > 0, points: points > 0, far };
    });
    assert.deepEqual(drawn, { still: 0, orbited: true, points: true, far: 0 });
    // a step is drawn
    const before = await page.evaluate(() => window.studio.frames);
    await page.evaluate(() => window.studio.wire.send('pause', { on: false }));
    await page.evaluate(() => window.studio.wire.send('reset'));
    await until(page, (n) => window.studio.frames > n, before);
  });
});
