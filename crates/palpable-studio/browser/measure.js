// First paint, frames per second and mouse-to-arrow delay in a real browser. Numbers, no verdict:
// they depend on the machine. PALPABLE=... node measure.js [cold starts]
import { place, startBrowser, startStudio } from './harness.js';

const COLD = Number(process.argv[2] ?? 5);
const studio = await startStudio();
const sorted = (list) => [...list].sort((a, b) => a - b);
const median = (list) => sorted(list)[Math.floor(list.length / 2)];
const round = (list) => sorted(list).map((v) => v.toFixed(0)).join(' ');

async function open(browser, query, size) {
  const page = await browser.newPage({ viewport: size });
  await page.goto(studio.address + query, { waitUntil: 'commit' });
  // the scene has been drawn
  await page.waitForFunction(() => window.studio?.view.frame && !window.studio.view.dirty, null,
    { timeout: 60_000, polling: 10 });
  const times = await page.evaluate(() => [performance.getEntriesByName('first-contentful-paint')[0]
    ?.startTime, performance.now()]);
  return { page, times };
}

/** A browser that was never started paints the page for the first time. */
async function coldStarts(query, size) {
  const all = [];
  for (let i = 0; i < COLD; i++) {
    const browser = await startBrowser();
    all.push((await open(browser, query, size)).times);
    await browser.close();
  }
  return `first paint [ms] ${round(all.map((t) => t[0]))}, scene drawn [ms] `
    + round(all.map((t) => t[1]));
}

async function framesPerSecond(page, scene) {
  await page.evaluate((id) => window.studio.wire.send('load', { scene: id }), scene);
  await page.waitForFunction((id) => window.studio.info?.id === id, scene);
  await page.waitForTimeout(3000); // quality has settled
  return page.evaluate(async () => {
    const [before, begin] = [window.studio.frames, performance.now()];
    await new Promise((r) => setTimeout(r, 4000));
    return 1000 * (window.studio.frames - before) / (performance.now() - begin);
  });
}

/** From the moment the mouse moved to the end of the drawing with another force [ms]. */
async function delays(page) {
  const all = [];
  await page.evaluate(() => window.studio.wire.send('pause', { on: true }));
  await page.waitForFunction(() => window.studio.time.paused && !window.studio.fresh);
  const at = await place(page);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.evaluate(() => window.studio.wire.send('pause', { on: false }));
  await page.waitForFunction(() => window.studio.hand.holding);
  await page.evaluate(() => {
    if (window.arm) return;
    const { view } = window.studio;
    const draw = view.draw.bind(view);
    const shown = () => view.frame?.lanes[0].hand.slice(0, 3) ?? [0, 0, 0];
    let [begin, before] = [0, shown()];
    for (const name of ['pointerrawupdate', 'pointermove']) {
      view.canvas.addEventListener(name, (e) => {
        if (begin === 0) [begin, before] = [e.timeStamp, shown()];
      });
    }
    view.draw = () => {
      draw();
      const moved = shown().some((v, i) => Math.abs(v - before[i]) > 0.003 * view.radius);
      if (begin > 0 && moved) window.late ??= performance.now() - begin;
    };
    window.arm = () => { begin = 0; delete window.late; };
  });
  for (let i = 0; i < 16; i++) {
    await page.waitForTimeout(300 + 37 * (i % 5));
    await page.evaluate(() => window.arm());
    await page.mouse.move(at.x + (i % 2 ? 0 : 50), at.y + (i % 2 ? 0 : -30));
    all.push(await (await page.waitForFunction(() => window.late)).jsonValue());
  }
  await page.mouse.up();
  return all;
}

for (const [name, query, size] of [['full, 1440x900', '', { width: 1440, height: 900 }],
  ['plain, 1000x640', '?plain', { width: 1000, height: 640 }]]) {
  console.log(`${name}: ${await coldStarts(query, size)}`);
  const browser = await startBrowser();
  const { page } = await open(browser, query, size);
  await page.waitForFunction(() => document.querySelectorAll('#gallery img').length
    === window.studio.gallery.infos.length, null, { timeout: 120_000, polling: 200 });
  for (const scene of ['demo', 'chain']) {
    const known = await page.evaluate((id) => window.studio.gallery.infos.find((i) => i.id === id)
      ?.bodies.length, scene);
    if (!known) continue;
    const frames = await framesPerSecond(page, scene);
    const late = await delays(page);
    console.log(`  ${scene}, ${known} bodies: ${frames.toFixed(1)} frames/s, mouse to arrow `
      + `${median(late).toFixed(0)} ms (median of ${round(late)})`);
  }
  await browser.close();
}
studio.stop();
