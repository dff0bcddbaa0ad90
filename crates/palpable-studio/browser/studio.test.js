// The studio in a real browser.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { describe } from 'node:test';
import { checks, drag, force, load, patiently, running, send, until, waitForForce,
  waitForRest } from './harness.js';

const check = checks();

describe('the gallery', () => {
  check('every scene loads, runs, answers a drag with a force and keeps a finite ledger', async (open, studio) => {
    const page = await open();
    const ids = await page.evaluate(() => window.studio.gallery.infos.map((i) => i.id));
    assert.ok(ids.length >= 28, `${ids}`);
    for (const id of ids) {
      await patiently(async () => {
        await load(page, id);
        const start = await page.evaluate(() => window.studio.frame.time);
        await drag(page);
        await page.mouse.up();
        await waitForRest(page);
        await until(page, (t) => window.studio.frame.time > t + 0.02, start);
      }, id);
      const energy = await page.evaluate(() => [...window.studio.frame.lanes[0].energy]);
      assert.ok(energy.every(Number.isFinite), `${id}: ${energy}`);
      const play = Math.abs(energy[12]) + Math.abs(energy[4]);
      assert.ok(Math.abs(energy[10]) <= 1e-9 * Math.max(play, 1e-9), `${id}: closure ${energy[10]}`);
    }
  });

  check('pictures show the scenes, as they did before', async (open, studio) => {
    const page = await open();
    await until(page, () => document.querySelectorAll('#gallery img').length
      === window.studio.gallery.infos.length, null, 180_000);
    const pictures = await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(12, 7);
      const context = canvas.getContext('2d', { willReadFrequently: true });
      const found = {};
      for (const [id, button] of window.studio.gallery.buttons) {
        const image = button.querySelector('img');
        await image.decode();
        context.clearRect(0, 0, 12, 7);
        context.drawImage(image, 0, 0, 12, 7);
        const { data } = context.getImageData(0, 0, 12, 7);
        // how far each cell is from the sky in the corner
        found[id] = Array.from({ length: 84 }, (_, i) => Math.max(...[0, 1, 2].map((c) =>
          Math.abs(data[i * 4 + c] - data[c]))));
      }
      return found;
    });
    const file = new URL('pictures.json', import.meta.url);
    if (process.env.UPDATE) await writeFile(file, JSON.stringify(pictures, null, 0) + '\n');
    const known = JSON.parse(await readFile(file, 'utf8'));
    for (const [id, cells] of Object.entries(pictures)) {
      assert.ok(cells.some((v) => v > 2), `${id} is blank`);
      if (!known[id]) continue; // a new scene has no past
      const change = cells.reduce((sum, v, i) => sum + Math.abs(v - known[id][i]), 0) / 84;
      assert.ok(change < 12, `${id} changed by ${change} of 255`);
    }
  });
});

describe('safety', () => {
  check('a tab closed in mid-drag and a reload leave the loop running and the force at zero', async (open, studio) => {
    const watcher = await open();
    const page = await open();
    await page.locator('#take-hand').click();
    await until(page, () => window.studio.hand.mine);
    await load(page, 'demo');
    await drag(page);
    await waitForForce(watcher);
    await page.close({ runBeforeUnload: false });
    await waitForRest(watcher);
    await until(watcher, () => window.studio.hand.mine);
    await drag(watcher);
    await watcher.reload();
    await running(watcher);
    await waitForRest(watcher);
    const time = await watcher.evaluate(() => window.studio.frame.time);
    await until(watcher, (t) => window.studio.frame.time > t + 0.1, time);
    await watcher.mouse.up();
  });

  check('bad messages are answered in words and change nothing', async (open, studio) => {
    const page = await open();
    for (const text of ['{', '[]', '{"do":"fly"}', '{"do":"grab","body":-1,"point":[0,0,0]}']) {
      await page.evaluate((t) => window.studio.wire.socket.send(t), text);
    }
    await page.locator('#toasts .bad').first().waitFor();
    const time = await page.evaluate(() => window.studio.frame.time);
    await until(page, (t) => window.studio.frame.time > t + 0.05, time);
    // far too many close the connection with a reason, and the page comes back
    await page.evaluate(() => { for (let i = 0; i < 40; i++) window.studio.wire.socket?.send('x'); });
    await page.locator('#lost:not([hidden])').waitFor();
    assert.match(await page.locator('#lost').textContent(), /too many bad messages/);
    await page.locator('#lost').waitFor({ state: 'hidden' });
    await until(page, (t) => window.studio.frame.time > t + 0.1, time);
  });

  check('without the token there is only a refusal', async (open, studio) => {
    const page = await (await open()).context().newPage();
    const { origin } = new URL(studio.address);
    for (const path of ['/', '/main.js', '/0123456789abcdef0123456789abcdef/']) {
      const answer = await page.goto(origin + path);
      assert.equal(answer.status(), 403);
    }
  });
});

describe('what a user can do', () => {
  check('the keyboard alone takes hold, pulls, lets go and pauses', async (open, studio) => {
    const page = await open('demo');
    await page.locator('#canvas').focus();
    await page.keyboard.press('n');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
    await waitForForce(page);
    await page.keyboard.press('Escape');
    await waitForRest(page);
    await page.keyboard.press(' ');
    await until(page, () => window.studio.time.paused);
    const tick = await page.evaluate(() => window.studio.frame.loop[7]);
    await page.keyboard.press('.');
    await until(page, (t) => window.studio.frame.loop[7] === t + 1, tick);
    await page.keyboard.press(' ');
    await until(page, () => !window.studio.time.paused);
  });

  check('everything that can be operated has a name', async (open, studio) => {
    const page = await open();
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
    const nameless = await page.evaluate(() => {
      const all = document.querySelectorAll('button, a[href], input, select, summary, canvas, '
        + '[role="img"], [tabindex]');
      const name = (e) => e.getAttribute('aria-label') || e.getAttribute('aria-labelledby')
        || (e.labels && [...e.labels].map((l) => l.textContent.trim()).join(''))
        || (e.matches('input, select, canvas') ? '' : e.textContent.trim());
      return [...all].filter((e) => !name(e)).map((e) => e.outerHTML.slice(0, 120));
    });
    assert.deepEqual(nameless, []);
  });

  check('symplectic Euler explodes beside ours when the mass becomes a milligram', async (open, studio) => {
    const page = await open('oscillator');
    await page.locator('#compare').selectOption('scheme symplectic-euler');
    await until(page, () => window.studio.frame.lanes.length === 2);
    const mass = page.locator('#panel-parameters input[type="text"]').first();
    await mass.fill('1 mg');
    await mass.press('Enter');
    await until(page, () => window.studio.frame.lanes[1]?.fate === 1);
    await page.locator('#lane-1', { hasText: 'symplectic Euler — exploded' }).waitFor();
    const lane = await page.evaluate(() => ({ fate: window.studio.frame.lanes[0].fate,
      energy: [...window.studio.frame.lanes[0].energy] }));
    assert.equal(lane.fate, 0);
    // half a joule and what the change of mass cost
    const [kinetic, elastic, gravity, tank, supplied] = lane.energy;
    assert.ok(Math.abs(kinetic + elastic + gravity + tank - supplied - 0.5) < 1e-9, `${lane.energy}`);
    await page.locator('#compare').selectOption('');
    await until(page, () => window.studio.frame.lanes.length === 1);
  });

  check('a take is recorded, replayed bit for bit and exported', async (open, studio) => {
    const page = await open('double-pendulum');
    await page.locator('#record').click();
    await page.locator('#record[aria-pressed="true"]').waitFor();
    await drag(page);
    await page.mouse.up();
    await waitForRest(page);
    await page.locator('#record').click();
    await page.locator('#replay:not([disabled])').click();
    await page.locator('#toasts', { hasText: 'bit for bit' }).waitFor();
    await page.locator('#export').click();
    for (const [name, start] of [['CSV', 't'], ['MCAP', '\u0089MCAP0'], ['figure', '\u0089PNG']]) {
      if (await page.locator('#export-list').isHidden()) await page.locator('#export').click();
      const [download] = await Promise.all([page.waitForEvent('download'),
        page.locator('#export-list button', { hasText: name }).click()]);
      const text = (await readFile(await download.path())).toString('latin1');
      assert.ok(text.startsWith(start) && text.length > 500, `${name}: ${text.slice(0, 40)}`);
    }
  });

  check('rewinding goes back in time', async (open, studio) => {
    const page = await open('chain');
    await until(page, () => window.studio.time.depth > 1);
    const time = await page.evaluate(() => window.studio.frame.time);
    await page.locator('#rewind').focus();
    await page.keyboard.press('PageDown');
    await page.keyboard.press('Home');
    await until(page, (t) => window.studio.frame.time < t && window.studio.time.paused, time);
    await page.locator('#pause').click();
    await until(page, () => !window.studio.time.paused);
  });

  check('a link restores scene and parameters', async (open, studio) => {
    const page = await open('oscillator');
    const mass = page.locator('#panel-parameters input[type="text"]').first();
    await mass.fill('25 g');
    await mass.press('Enter');
    await until(page, () => window.studio.parameters.now.bodies[0].mass === 0.025);
    const link = await page.evaluate(() => window.studio.link.address());
    await load(page, 'demo');
    await page.close();
    const other = await open(null, link);
    await until(other, () => window.studio.info.id === 'oscillator'
      && window.studio.parameters.now.bodies[0].mass === 0.025);
  });

  check("a file of one's own opens, and its mistakes are shown at their line", async (open, studio) => {
    const page = await open();
    const give = (name, text) => page.locator('#file').setInputFiles({ name, mimeType: 'text/plain',
      buffer: Buffer.from(text) });
    const ball = 'version = 1\n[[body]]\nname = "ball"\nshape = { sphere = { radius = 0.05 } }\n';
    await give('wrong.toml', ball + 'mas = 3\n');
    await page.locator('#mistakes[open]').waitFor();
    assert.match(await page.locator('#mistakes .at').first().textContent(), /^5.*mas = 3/);
    assert.match(await page.locator('#mistakes .mistake').first().textContent(), /Line 5/);
    await page.keyboard.press('Escape');
    await give('ball.toml', ball);
    await until(page, () => window.studio.info.id === 'ball.toml');
    await running(page);
  });

  check('live parameters are paid for: the account still closes', async (open, studio) => {
    const page = await open('demo');
    await send(page, 'set', { what: 'mass', part: null, value: 0.4 });
    await send(page, 'set', { what: 'stiffness', part: null, value: 900 });
    await send(page, 'set', { what: 'gravity', part: null, value: [0, 0, -3] });
    await until(page, () => window.studio.parameters.now.gravity[2] === -3);
    const energy = await page.evaluate(() => [...window.studio.frame.lanes[0].energy]);
    assert.ok(Math.abs(energy[10]) < 1e-9, `closure ${energy[10]}`);
    assert.equal(await force(page), 0);
  });
});
