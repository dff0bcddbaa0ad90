// What a visitor sees and does: camera, inspector, time, saving, contacts, comparison, gallery.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe } from 'node:test';
import { checks, drag, load, place, send, until, waitForRest } from './harness.js';

const check = checks();

/** True if some moving body is in the view. */
const seen = (page) => page.evaluate(() => {
  const { view } = window.studio;
  const box = view.canvas.getBoundingClientRect();
  return view.lanes[0].actors.bodies.some((b) => {
    if (b.userData.fixed) return false;
    const [x, y] = view.onScreen(b.position, 0);
    return x > box.left && x < box.right && y > box.top && y < box.bottom;
  });
});

describe('camera', () => {
  check('comes back, frames, follows and stays above the floor', async (open) => {
    const page = await open('box-drop');
    const eye = () => page.evaluate(() => window.studio.view.camera.position.toArray());
    const home = await eye();
    // far away and turned: nothing is left in the view
    await page.evaluate(() => {
      const { view } = window.studio;
      view.view.own = false;
      view.controls.target.set(50, -50, 50);
      view.camera.position.set(60, -90, 60);
      view.controls.update();
    });
    assert.equal(await seen(page), false);
    await page.keyboard.press('h');
    const again = await eye();
    home.forEach((c, i) => assert.ok(Math.abs(c - again[i]) < 1e-6, `${home} ${again}`));
    assert.equal(await seen(page), true);
    await page.evaluate(() => { window.studio.view.camera.position.set(40, 40, 40); });
    await page.locator('#frame').click();
    assert.equal(await seen(page), true);
    // as low as the mouse may go, the eye is above the floor
    await page.evaluate(() => {
      const { controls, camera } = window.studio.view;
      camera.position.set(0, -2, -5);
      controls.update();
    });
    assert.ok((await eye())[2] > 0);
    await page.keyboard.press('u');
    await page.evaluate(() => {
      window.studio.view.camera.position.set(0, -2, -5);
      window.studio.view.controls.update();
    });
    assert.ok((await eye())[2] < 0, 'when it is asked for');
    await page.keyboard.press('u');
    // double click on a body frames it; the camera then goes along with it
    await page.keyboard.press('h');
    const at = await place(page);
    await page.mouse.dblclick(at.x, at.y);
    await until(page, () => window.studio.view.chosen >= 0);
    await page.keyboard.press('g');
    assert.equal(await page.evaluate(() => window.studio.view.view.followed), at.body);
  });

  check('what leaves the scene does not leave the view empty', async (open) => {
    const page = await open();
    for (const id of ['pose-spring', 'falling-shapes', 'incline']) {
      await load(page, id);
      await page.evaluate(() => window.studio.wire.send('speed', { value: 10 }));
      // the shortest of them begins again at 1.5 s; then many times its length passes
      await until(page, () => window.studio.frame.time > 1.2);
      await page.waitForTimeout(4000);
      // where the scene has just begun again the camera follows within a moment
      let found = false;
      for (let k = 0; k < 20 && !found; k += 1) {
        found = await seen(page);
        if (!found) await page.waitForTimeout(100);
      }
      assert.equal(found, true, id);
    }
  });
});

describe('inspector', () => {
  check('tells names, poses, masses and joints, plots, hides and drives', async (open) => {
    const page = await open('start');
    await page.locator('#panel-inspect summary').first().click();
    const at = await place(page, 1);
    await page.mouse.move(at.x, at.y);
    await page.locator('#name:not([hidden])', { hasText: at.name }).waitFor();
    const cursor = await page.evaluate(() => getComputedStyle(window.studio.view.canvas).cursor);
    assert.equal(cursor, 'pointer');
    await page.mouse.down();
    await page.mouse.up();
    await until(page, (name) => document.querySelector('#panel-inspect h3 b').textContent === name, at.name);
    await until(page, () => /1.5.* kg/.test(document.querySelector('#panel-inspect .facts').textContent)
      || /1.2.* kg/.test(document.querySelector('#panel-inspect .facts').textContent));
    const told = await page.locator('#panel-inspect .facts').first().textContent();
    assert.match(told, /Position.*m.*Velocity.*m\/s/s);
    // hidden bodies are not drawn and cannot be picked
    await page.locator('#panel-inspect details summary').click();
    await page.evaluate(() => document.querySelectorAll('.entities input')[2].click());
    assert.equal(await page.evaluate(() => window.studio.view.lanes[0].actors.bodies[2].visible), false);
    for (const layer of ['frames', 'centres', 'inertia']) await page.locator(`#show-${layer}`).check();
    assert.ok(await page.evaluate(() => window.studio.view.lanes[0].actors.bodies[3]
      .getObjectByName('extras').children.length) === 3);
    // a motor obeys its slider
    await load(page, 'any-finger');
    const lift = page.locator('input[aria-label="Motor waist"]');
    const before1 = await page.evaluate(() => window.studio.frame.lanes[0].poses.slice());
    await lift.evaluate((e) => { e.value = '1'; e.dispatchEvent(new Event('input')); });
    await until(page, (was) => {
      const now = window.studio.frame.lanes[0].poses;
      return now.some((v, i) => Math.abs(v - was[i]) > 0.05);
    }, Array.from(Object.values(before1)));
    // its torque is told and can be plotted
    const plotted = page.locator('select[aria-label="Quantity of a joint to plot"]');
    assert.match(await plotted.locator('option').first().textContent(), /waist torque \[N·m\]/);
    await until(page, () => Math.abs(window.studio.frame.lanes[0].motors[2]) > 1e-6);
    await until(page, () => /waist, motor.*N·m/.test(document.getElementById('panel-inspect').textContent));
  });
});

describe('time', () => {
  check('single steps are seen, the past can be looked at, and the future stays', async (open) => {
    const page = await open('double-pendulum');
    await until(page, () => window.studio.frame.time > 1.2);
    await page.locator('#pause').click();
    await until(page, () => window.studio.time.paused && document.getElementById('pace').textContent === 'paused');
    const clock = () => page.locator('#clock').textContent();
    const was = await clock();
    await page.keyboard.press('.');
    await until(page, (t) => document.getElementById('clock').textContent !== t, was);
    const now = await page.evaluate(() => window.studio.frame.time);
    const slide = (v) => page.locator('#rewind').evaluate((e, value) => {
      e.value = String(value);
      e.dispatchEvent(new Event('input'));
      e.dispatchEvent(new Event('change'));
    }, v);
    // the picture follows the slider, and comes back
    await slide(300);
    await until(page, (t) => window.studio.frame.time < t - 0.3, now);
    await slide(1000);
    await until(page, (t) => Math.abs(window.studio.frame.time - t) < 1e-9, now);
    await slide(300);
    await until(page, (t) => window.studio.frame.time < t - 0.3, now);
    await page.locator('#pause').click();
    await until(page, (t) => window.studio.frame.time >= t, now);
    // whoever acts in the past begins another future
    await slide(300);
    await until(page, (t) => window.studio.frame.time < t - 0.3, now);
    const past = await page.evaluate(() => window.studio.frame.time);
    await page.keyboard.press('.');
    await until(page, ([a, b]) => window.studio.frame.time > a && window.studio.frame.time < b
      && !window.studio.time.back, [past, now]);
    await page.locator('#speed').selectOption('10');
    await until(page, () => window.studio.frame.loop[4] === 10);
  });

  check('a scene that is over begins again or stops, and parameters stay', async (open) => {
    const page = await open('ball-on-beam');
    await page.evaluate(() => {
      window.studio.wire.send('set', { what: 'mass', part: 1, value: 0.123 });
      window.studio.wire.send('speed', { value: 10 });
    });
    await until(page, () => window.studio.frame.time > 1);
    await until(page, () => window.studio.frame.time < 0.8);
    assert.ok(await page.evaluate(() => window.studio.parameters.now.bodies.some((b) => b.mass === 0.123)));
    await page.locator('#end').selectOption('stop');
    await page.locator('#toasts', { hasText: 'is over' }).waitFor();
    await until(page, () => window.studio.time.paused);
  });
});

describe('make', () => {
  const named = (page, name) => until(page, (n) => window.studio.info.bodies
    .some((b) => !b.gone && b.name === n), name);
  const count = (page) => page.evaluate(() => window.studio.info.bodies.filter((b) => !b.gone).length);

  check('bodies are put, thrown and deleted; takes, the past and files know of it', async (open) => {
    const page = await open('box-drop');
    await page.locator('#panel-make summary').click();
    const before = await count(page);
    const [eye, radius] = await page.evaluate(() => [window.studio.view.camera.position.toArray(),
      window.studio.view.radius]);
    await page.locator('#record').click();
    await until(page, () => window.studio.time.recording);
    // one falls into the scene, one is thrown at it by key, a mesh comes from a file
    await page.locator('#make-put').click();
    await named(page, 'box 1');
    await page.locator('#make-kind').selectOption('ball');
    await page.locator('#canvas').focus();
    await page.keyboard.press('t');
    await named(page, 'ball 1');
    const speed = await page.evaluate(() => {
      const ball = window.studio.info.bodies.findIndex((b) => b.name === 'ball 1');
      return new Promise((done) => {
        const look = () => {
          const v = window.studio.frame.lanes[0].velocities.slice(ball * 6, ball * 6 + 3);
          if (v.length === 3) done(Math.hypot(...v));
          else setTimeout(look, 20);
        };
        look();
      });
    });
    assert.ok(speed > 0.3 * radius, `${speed} m/s`);
    const corners = '-1 -1 -1,1 -1 -1,1 1 -1,-1 1 -1,0 0 1'.split(',').map((c) => `v ${c.split(' ')
      .map((n) => 0.05 * Number(n)).join(' ')}`);
    const faces = ['1 4 3', '1 3 2', '1 2 5', '2 3 5', '3 4 5', '4 1 5'].map((f) => `f ${f}`);
    await page.locator('#make-file').setInputFiles({ name: 'tent.obj', mimeType: 'text/plain',
      buffer: Buffer.from([...corners, ...faces].join('\n')) });
    await until(page, () => document.getElementById('make-kind').value === 'mesh tent.obj');
    await page.locator('#make-put').click();
    await named(page, 'tent 1');
    assert.equal(await count(page), before + 3);
    // the view stays
    assert.deepEqual(await page.evaluate(() => window.studio.view.radius), radius);
    const now = await page.evaluate(() => window.studio.view.camera.position.toArray());
    assert.ok(now.every((c, i) => Math.abs(c - eye[i]) < 1 + Math.abs(eye[i])), `${now} ${eye}`);
    // what is new can be held
    const ball = await page.evaluate(() => window.studio.info.bodies.findIndex((b) => b.name === 'box 1'));
    await send(page, 'grab', { body: ball, point: [0, 0, 0] });
    await until(page, (b) => window.studio.frame.lanes[0].hand[13] === b, ball);
    await send(page, 'release');
    // and taken out again
    await page.evaluate((b) => window.studio.select(b), ball);
    await page.locator('#make-delete', { hasText: 'Delete box 1' }).click();
    await until(page, () => window.studio.info.bodies.every((b) => b.gone || b.name !== 'box 1'));
    const time = await page.evaluate(() => window.studio.frame.time);
    await until(page, (t) => window.studio.frame.time > t + 0.3, time);
    await page.locator('#record').click();
    await until(page, () => !window.studio.time.recording);
    // a replay does it all again, to the same bits
    await page.locator('#replay').click();
    await page.locator('#toasts', { hasText: 'bit for bit' }).waitFor();
    await page.locator('#pace', { hasText: 'replayed' }).waitFor();
    assert.equal(await count(page), before + 2);
    // the past shows who was there, and the present comes back
    const slide = (v) => page.locator('#rewind').evaluate((e, value) => {
      e.value = String(value);
      e.dispatchEvent(new Event('input'));
      e.dispatchEvent(new Event('change'));
    }, v);
    await slide(0);
    await until(page, (n) => window.studio.info.bodies.filter((b) => !b.gone).length === n, before);
    await slide(1000);
    await until(page, (n) => window.studio.info.bodies.filter((b) => !b.gone).length === n, before + 2);
    // the file holds it
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#make-save').click()]);
    const text = await readFile(await download.path(), 'utf8');
    assert.match(text, /name = "ball 1"/);
    assert.match(text, /tent\.obj/);
    assert.doesNotMatch(text, /name = "box 1"/);
    await page.locator('#file').setInputFiles({ name: 'changed.toml', mimeType: 'text/plain',
      buffer: Buffer.from(text) });
    await until(page, () => window.studio.info.id === 'changed.toml');
    assert.equal(await count(page), before + 2);
    // numbers of a take in which somebody came are whole
    const rows = await page.evaluate(async () => (await fetch('export/take.csv')).text());
    assert.match(rows.split('\n')[0], /ball 1/);
    // beginning again brings the scene as it was written
    await load(page, 'box-drop');
    assert.equal(await count(page), before);
  });

  check('material and law change live, and are saved', async (open) => {
    const page = await open('stack-3');
    await send(page, 'set', { what: 'friction', part: 0, value: 0.077 });
    await page.locator('#law').selectOption('printed-elastic');
    await until(page, () => window.studio.parameters.now.laws[0] === 'printed-elastic'
      && Math.abs(window.studio.parameters.now.surfaces[0][0] - 0.077) < 1e-12);
    await page.locator('#panel-make summary').click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#make-save').click()]);
    const text = await readFile(await download.path(), 'utf8');
    assert.match(text, /law = "printed-elastic"/);
    assert.match(text, /friction = 0\.077/);
  });

  check('the world is saved as a scene, opens again, and stays in the gallery', async (open) => {
    const page = await open('start');
    await drag(page);
    await page.mouse.up();
    await waitForRest(page);
    await page.evaluate(() => window.studio.wire.send('pause', { on: true }));
    await until(page, () => window.studio.time.paused);
    const poses = await page.evaluate(() => Array.from(window.studio.frame.lanes[0].poses));
    await page.locator('#export').click();
    const [download] = await Promise.all([page.waitForEvent('download'),
      page.locator('#export-list button', { hasText: 'scene file' }).click()]);
    const text = await readFile(await download.path(), 'utf8');
    assert.match(text, /version = 1/);
    await page.locator('#file').setInputFiles({ name: 'mine.toml', mimeType: 'text/plain',
      buffer: Buffer.from(text) });
    await until(page, () => window.studio.info.id === 'mine.toml');
    const start = await page.evaluate(() => window.studio.info.bodies.flatMap((b) => b.start));
    poses.forEach((p, i) => assert.ok(Math.abs(p - start[i]) < 1e-4, `${i}: ${p} ${start[i]}`));
    await load(page, 'oscillator');
    await page.locator('#gallery details', { hasText: 'Yours' }).locator('button').first().click();
    await until(page, () => window.studio.info.id === 'mine.toml');
    // picture and film
    await page.locator('#export').click();
    const [picture] = await Promise.all([page.waitForEvent('download'),
      page.locator('#export-list button', { hasText: 'Picture' }).click()]);
    assert.ok((await readFile(await picture.path())).subarray(1, 4).toString() === 'PNG');
    const film = async () => {
      await page.locator('#export').click();
      await page.locator('#export-list button', { hasText: 'Film from now' }).click();
    };
    // the seconds before, once more; then the present is back
    await page.locator('#export').click();
    const present = await page.evaluate(() => window.studio.frame.time);
    const [past] = await Promise.all([page.waitForEvent('download'),
      page.locator('#export-list button', { hasText: 'last seconds' }).click()]);
    assert.equal((await readFile(await past.path())).subarray(0, 4).toString('hex'), '1a45dfa3', 'WebM');
    await until(page, (t) => !window.studio.time.back && window.studio.frame.time >= t, present);
    await film();
    await page.waitForTimeout(1500);
    const [reel] = await Promise.all([page.waitForEvent('download'), film()]);
    const bytes = await readFile(await reel.path());
    assert.equal(bytes.subarray(0, 4).toString('hex'), '1a45dfa3', 'WebM');
    // what is shared tells nothing of this session
    const shared = await page.evaluate(() => window.studio.link.command());
    const token = new URL(page.url()).pathname.split('/')[1];
    assert.ok(shared.startsWith('palpable studio --at') && !shared.includes(token), shared);
  });
});

describe('contacts', () => {
  check('are quiet, and told of what is held', async (open) => {
    const page = await open('stack-13');
    await until(page, () => window.studio.frame.lanes[0].touching > 20);
    const arrows = () => page.evaluate(() => window.studio.view.lanes[0].contacts.shafts.count);
    assert.equal(await arrows(), 0);
    const at = await drag(page, 10, -6);
    await until(page, () => window.studio.view.lanes[0].contacts.shafts.count > 0);
    const { shown, longest } = await page.evaluate(() => {
      const { contacts } = window.studio.view.lanes[0];
      return { shown: contacts.shown.map((f) => f.bodies), longest: 0.4 * window.studio.view.radius };
    });
    assert.ok(shown.every((pair) => pair.includes(at.body)), `${shown}`);
    assert.ok(new Set(shown.map(String)).size === shown.length, 'one arrow a pair');
    assert.ok(longest > 0);
    await page.mouse.up();
  });
});

describe('comparison', () => {
  check('is greyed out with the reason where it cannot run, and keeps the last sane picture', async (open) => {
    const page = await open('stack-13');
    const option = page.locator('#compare option[value="scheme symplectic-euler"]');
    assert.equal(await option.isDisabled(), false);
    assert.match(await option.textContent(), /penalty contact/);
    assert.match(await page.locator('#compare').textContent(), /linearised implicit Euler/);
    // it runs beside ours, and says what it is
    await page.locator('#compare').selectOption('scheme symplectic-euler');
    await page.locator('#lane-1', { hasText: 'symplectic Euler, penalty contact' }).waitFor();
    const begun = await page.evaluate(() => window.studio.frame.time);
    await until(page, (t) => window.studio.frame.time > t + 0.2, begun);
    assert.equal(await page.evaluate(() => window.studio.frame.lanes[1].fate), 0);
    await page.locator('#compare').selectOption('');
    await load(page, 'finger');
    assert.equal(await option.isDisabled(), true);
    assert.match(await option.textContent(), /joint coordinates/);
    await load(page, 'oscillator');
    assert.equal(await option.isDisabled(), false);
    await page.locator('#compare').selectOption('scheme explicit-euler');
    await until(page, () => window.studio.frame.lanes[1]?.fate === 1);
    await page.locator('#lane-1', { hasText: /exploded at .* s/ }).waitFor();
    // what is shown is within reach
    const far = await page.evaluate(() => Math.max(...window.studio.frame.lanes[1].poses.map(Math.abs)));
    assert.ok(far < 100, `${far} m`);
    await page.locator('#compare').selectOption('');
  });

  check('energy that was supplied is no explosion', async (open) => {
    const page = await open('box-drop');
    const mass = page.locator('#panel-parameters input[type="text"]').first();
    await mass.fill('1e15');
    await mass.press('Enter');
    await page.locator('#toasts', { hasText: 'give at most' }).waitFor();
    await mass.fill('900000');
    await mass.press('Enter');
    const time = await page.evaluate(() => window.studio.frame.time);
    await until(page, (t) => window.studio.frame.time > t + 0.2, time);
    assert.equal(await page.evaluate(() => window.studio.frame.lanes[0].fate), 0);
  });
});

describe('gallery', () => {
  check('has groups, a first scene that answers the hand with contact, and words for each', async (open) => {
    const page = await open();
    const groups = await page.locator('#gallery summary').allTextContents();
    assert.ok(groups.length >= 5 && groups[0].startsWith('Start here'), `${groups}`);
    const first = await page.evaluate(() => ({ id: window.studio.info.id,
      touch: window.studio.info.parameters.surfaces.length }));
    assert.ok(first.touch > 0, first.id);
    await drag(page);
    await page.mouse.up();
    const wordless = await page.evaluate(() => window.studio.gallery.infos
      .filter((i) => i.description.length < 12).map((i) => i.id));
    assert.deepEqual(wordless, []);
  });
});

describe('accessibility', () => {
  check('axe finds no serious fault, in either theme', async (open) => {
    const page = await open();
    const axe = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
    await page.evaluate(axe);
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
    for (const theme of ['light', 'dark']) {
      await page.evaluate((name) => window.studio.theme(name), theme);
      const faults = await page.evaluate(async () => {
        const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
        return violations.filter((v) => ['serious', 'critical'].includes(v.impact))
          .map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 90)).join(' ')}`);
      });
      assert.deepEqual(faults, [], theme);
    }
  });
});
