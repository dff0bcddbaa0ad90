// Photographs every scene of the gallery: PALPABLE=... node photos.js FOLDER [--times 1,5,30]
//   [--sizes 1440x900,844x390,390x844] [--themes light,dark] [--scenes a,b] [--plain]
// Time runs as fast as it may between the pictures.
import { mkdir } from 'node:fs/promises';
import { load, running, startBrowser, startStudio, until } from './harness.js';

const [folder, ...rest] = process.argv.slice(2);
if (!folder) throw new Error('name a folder for the pictures');
const given = (name, usual) => {
  const at = rest.indexOf(`--${name}`);
  return (at >= 0 ? rest[at + 1] : usual).split(',').filter((word) => word);
};
const times = given('times', '1,5,30').map(Number);
const sizes = given('sizes', '1440x900,844x390,390x844').map((s) => s.split('x').map(Number));
const only = given('scenes', '');
await mkdir(folder, { recursive: true });
const browser = await startBrowser();

/** Draws once, with everything, and takes the picture. */
async function picture(page, path) {
  await page.evaluate(() => new Promise((resolve) => {
    window.studio.view.dirty = true;
    window.drawing();
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  }));
  await page.screenshot({ path });
}

for (const theme of given('themes', 'light,dark')) {
  const studio = await startStudio();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: theme });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  page.on('pageerror', (e) => console.error('page error', e.message));
  page.on('console', (m) => { if (m.type() === 'error') console.error(m.text()); });
  await page.goto(`${studio.address}?${rest.includes('--plain') ? 'plain' : 'fine'}`);
  await until(page, () => window.studio);
  // drawing in software is slow: draw for the pictures only
  await page.evaluate(() => {
    const { view, gallery } = window.studio;
    gallery.isBusy = () => true;
    window.drawing = view.draw.bind(view);
    view.draw = () => {};
  });
  await running(page);
  const all = await page.evaluate(() => window.studio.gallery.infos.map((i) => i.id));
  for (const id of only.length ? only : all) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await load(page, id);
    for (const time of times) {
      await page.evaluate(() => window.studio.wire.send('speed', { value: 10 }));
      await page.evaluate(() => window.studio.wire.send('pause', { on: false }));
      // a scene that begins again has had its time too
      await page.evaluate(() => { window.passed = 0; window.was = 0; });
      await until(page, (t) => {
        const now = window.studio.frame.time;
        window.passed += now >= window.was ? now - window.was : now;
        window.was = now;
        return window.passed >= t;
      }, time);
      await page.evaluate(() => window.studio.wire.send('pause', { on: true }));
      await until(page, () => window.studio.time.paused);
      for (const [width, height] of sizes) {
        await page.setViewportSize({ width, height });
        await page.waitForTimeout(250);
        await picture(page, `${folder}/${id}-${time}s-${theme}-${width}.png`);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    }
    console.log(theme, id);
  }
  await context.close();
  studio.stop();
}
await browser.close();
