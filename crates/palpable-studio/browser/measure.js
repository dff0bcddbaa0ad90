// First paint, frames per second and mouse-to-arrow delay in a real browser. Numbers, no verdict:
// they depend on the machine. PALPABLE=... node measure.js
import { startBrowser, startStudio } from './harness.js';

const studio = await startStudio();
const browser = await startBrowser();
const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];

async function open(query, size) {
  const page = await browser.newPage({ viewport: size });
  await page.goto(studio.address + query);
  await page.waitForFunction(() => window.studio?.frame, null, { timeout: 60_000 });
  return page;
}

for (const [name, query, size] of [['full, 1440x900', '', { width: 1440, height: 900 }],
  ['plain, 1000x640', '?plain', { width: 1000, height: 640 }]]) {
  const page = await open(query, size);
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]
    ?.startTime);
  await page.evaluate(() => window.studio.wire.send('load', { scene: 'chain' }));
  await page.waitForTimeout(8000); // pictures of the gallery are drawn, quality has settled
  const frames = await page.evaluate(async () => {
    const before = window.studio.frames;
    await new Promise((r) => setTimeout(r, 5000));
    return (window.studio.frames - before) / 5;
  });
  const delays = [];
  for (let i = 0; i < 8; i++) {
    delays.push(await page.evaluate(() => new Promise((resolve) => {
      const { hand, view } = window.studio;
      const draw = view.draw.bind(view);
      const body = window.studio.info.bodies.length - 1;
      hand.take(body, view.bodyAt(body).set(0, 0, 0), view.bodyAt(body));
      hand.tick(performance.now());
      setTimeout(() => {
        const begin = performance.now();
        const first = Math.hypot(...view.frame.lanes[0].hand.slice(0, 3));
        hand.target.z += view.radius * 0.3;
        hand.changed = true;
        hand.tick(performance.now());
        view.draw = () => {
          draw();
          const moved = Math.hypot(...view.frame.lanes[0].hand.slice(0, 3)) !== first;
          if (!moved) return;
          view.draw = draw;
          hand.release();
          resolve(performance.now() - begin);
        };
      }, 400);
    })));
    await page.waitForTimeout(300);
  }
  console.log(`${name}: first paint ${paint?.toFixed(0)} ms, ${frames.toFixed(1)} frames/s with `
    + `50 bodies, mouse to arrow ${median(delays).toFixed(0)} ms (median of ${delays.length})`);
  await page.close();
}
await browser.close();
studio.stop();
