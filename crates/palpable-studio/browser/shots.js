// Makes the pictures of the studio in docs/. PALPABLE=... node shots.js
import { mkdir } from 'node:fs/promises';
import { drag, load, openStill, picture, send, startBrowser, startStudio, until } from './harness.js';

const folder = new URL('../../../docs/studio/', import.meta.url).pathname;
await mkdir(folder, { recursive: true });
const browser = await startBrowser();

async function open(studio, theme, size) {
  const context = await browser.newContext({ viewport: size, colorScheme: theme });
  const page = await openStill(context, `${studio.address}?fine`);
  // those that can be seen
  await until(page, () => document.querySelectorAll('#gallery img').length > 5);
  return page;
}

/** Pulls a body, as slowly as a hand would, and keeps it pulled. */
async function pull(page, dx, dy, body = -1) {
  const at = await drag(page, dx / 10, dy / 10, body);
  for (let share = 0.1; share < 1.01; share += 0.04) {
    await page.mouse.move(at.x + dx * share, at.y + dy * share);
    await page.waitForTimeout(60);
  }
  await page.waitForTimeout(2500);
}

for (const theme of process.argv[2] ? [process.argv[2]] : ['light', 'dark']) {
  const studio = await startStudio();
  let page;
  const shot = (target, name) => picture(page, { path: `${folder}${name}-${theme}.png` }, target);
  page = await open(studio, theme, { width: 1280, height: 800 });
  await page.waitForTimeout(3000);
  // the last brick of the lowest row
  await pull(page, 70, -40, 7);
  await shot(page, 'studio');
  await page.mouse.up();

  await send(page, 'speed', { value: 1 });
  await load(page, 'oscillator');
  await page.locator('#compare').selectOption('scheme symplectic-euler');
  await until(page, () => window.studio.frame.lanes.length === 2);
  const mass = page.locator('#panel-parameters input[type="text"]').first();
  await mass.fill('1 mg');
  await mass.press('Enter');
  await until(page, () => window.studio.frame.lanes[1]?.fate === 1);
  await page.waitForTimeout(2500);
  await shot(page, 'compare');
  await page.locator('#compare').selectOption('');

  await page.locator('#file').setInputFiles({ name: 'mine.toml', mimeType: 'text/plain',
    buffer: Buffer.from('version = 1\n\n[[body]]\nname = "ball"\nshape = { sphere = { radius = "5 cm" '
      + '} }\nmas = "200 g"\n\n[[spring]]\na = { body = "bal" }\nb = { world = [0, 0, 1] }\n'
      + 'stiffness = "2 kN/s"\n') });
  await page.locator('#mistakes[open]').waitFor();
  await shot(page, 'mistakes');
  await page.keyboard.press('Escape');
  await page.context().close();

  // a linkage strikes a wall; its flash stays while time stands still
  page = await open(studio, theme, { width: 1280, height: 800 });
  await load(page, 'crisp-arm-2');
  await until(page, () => window.studio.view.lanes[0].flashes.list.length > 0);
  await send(page, 'pause', { on: true });
  await until(page, () => window.studio.time.paused);
  await page.evaluate(() => window.studio.view.lanes[0].flashes.list.forEach((f) => { f.age = 120; }));
  await page.waitForTimeout(1500);
  await shot(page, 'impulse');
  await page.context().close();

  // contacts: a block of the pyramid is pulled, all panels unfolded, each with its picture
  page = await open(studio, theme, { width: 1280, height: 1300 });
  await load(page, 'stack-13');
  await page.waitForTimeout(1500);
  await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
  await page.locator('#device').selectOption({ index: 2 });
  await send(page, 'set', { what: 'coupling', part: null,
    value: [2000, 30, 4] });
  await page.waitForTimeout(1500);
  await page.locator('#layer-pairs').check();
  await pull(page, 70, -60);
  for (let i = 0; i < 5; i++) await page.keyboard.press('d');
  await page.waitForTimeout(4000);
  for (const panel of ['hand', 'inspect', 'make', 'energy', 'contact', 'parameters', 'passivity', 'loop']) {
    await shot(page.locator(`#panel-${panel}`), `panel-${panel}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.evaluate(() => document.getElementById('panels').scrollTo(0, 0));
  await page.waitForTimeout(1500);
  await shot(page, 'contacts');
  await page.mouse.up();
  await until(page, () => document.querySelectorAll('#gallery img').length
    === window.studio.gallery.infos.length);
  await page.setViewportSize({ width: 1000, height: 1400 });
  await page.addStyleTag({ content: 'body { display: block; overflow: visible; } .stage, .panels, '
    + '.top { display: none; } .gallery { width: 960px; display: block !important; } '
    + '.gallery ul { grid: none !important; grid-template-columns: repeat(6, minmax(0, 1fr)) !important; } '
    + '#gallery, .gallery details { display: block !important; } .gallery summary { writing-mode: '
    + 'horizontal-tb !important; transform: none !important; padding: 8px 2px !important; } '
    + '.drop { width: auto !important; margin-top: 12px; }' });
  await shot(page.locator('nav.gallery'), 'gallery');
  await page.context().close();
  studio.stop();
}
await browser.close();
