// Photographs every scene of the gallery: PALPABLE=... node photos.js FOLDER [--times 1,5,30]
//   [--sizes 1440x900,844x390,390x844] [--themes light,dark] [--scenes a,b] [--plain]
//   [--only 1s-dark-844,30s-light-390]
// Time runs as fast as it may between the pictures.
import { mkdir } from 'node:fs/promises';
import { load, openStill, picture, send, startBrowser, startStudio, until } from './harness.js';

const [folder, ...rest] = process.argv.slice(2);
if (!folder) throw new Error('name a folder for the pictures');
const given = (name, usual) => {
  const at = rest.indexOf(`--${name}`);
  return (at >= 0 ? rest[at + 1] : usual).split(',').filter((word) => word);
};
const times = given('times', '1,5,30').map(Number);
const sizes = given('sizes', '1440x900,844x390,390x844').map((s) => s.split('x').map(Number));
const only = given('scenes', '');
const endings = given('only', '');
const isWanted = (ending) => !endings.length || endings.includes(ending);
await mkdir(folder, { recursive: true });
const browser = await startBrowser();

const themes = given('themes', 'light,dark');
const studio = await startStudio();
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
const page = await openStill(context, `${studio.address}?${rest.includes('--plain') ? 'plain' : 'fine'}`);
// its pictures of the gallery would take the time of many of ours
await page.evaluate(() => { window.studio.gallery.isBusy = () => true; });

/** Waits until a scene has run for so long; one that begins again has had its time too. */
async function pass(seconds) {
  await send(page, 'speed', { value: 10 });
  await send(page, 'pause', { on: false });
  await page.evaluate(() => { window.passed = 0; window.was = 0; });
  await until(page, (t) => {
    const now = window.studio.frame.time;
    window.passed += now >= window.was ? now - window.was : now;
    window.was = now;
    return window.passed >= t;
  }, seconds);
  await send(page, 'pause', { on: true });
  await until(page, () => window.studio.time.paused);
}

const all = await page.evaluate(() => window.studio.gallery.infos.map((i) => i.id));
for (const id of only.length ? only : all) {
  await page.setViewportSize({ width: 1440, height: 900 });
  await load(page, id);
  for (const time of times) {
    await pass(time);
    // a theme is dearer to change than a size
    for (const theme of themes) {
      const wanted = sizes.map(([width, height]) => ({ width, height,
        ending: `${time}s-${theme}-${width}` })).filter(({ ending }) => isWanted(ending));
      if (!wanted.length) continue;
      await page.evaluate((name) => {
        if (document.documentElement.dataset.theme !== name) window.studio.theme(name);
      }, theme);
      for (const { width, height, ending } of wanted) {
        await page.setViewportSize({ width, height });
        await page.waitForTimeout(100);
        await picture(page, { path: `${folder}/${id}-${ending}.png` });
      }
    }
    themes.reverse(); // the one that is on comes first
    await page.setViewportSize({ width: 1440, height: 900 });
  }
  console.log(id);
}
await browser.close();
studio.stop();
