// The gallery's arm as it begins, from where `beside_mujoco.py` looks: PALPABLE=... node beside.js OUT.png
import { load, openStill, picture, send, startBrowser, startStudio } from './harness.js';

const [out] = process.argv.slice(2);
const [studio, browser] = [await startStudio(), await startBrowser()];
const context = await browser.newContext({ viewport: { width: 1200, height: 700 } });
const page = await openStill(context, `${studio.address}?plain`);
await page.evaluate(() => { window.studio.gallery.isBusy = () => true; });
await load(page, 'arm');
await send(page, 'pause', { on: true });
await send(page, 'reset');
await page.waitForTimeout(2000);
await page.evaluate(() => {
  document.body.style.display = 'block';
  for (const part of document.querySelectorAll('header, nav, aside, .time, .eye, .help, .cell, .toasts')) part.style.display = 'none';
  const stage = document.querySelector('.view');
  Object.assign(stage.style, { position: 'fixed', left: '0', top: '0', width: '720px', height: '560px' });
  const { view } = window.studio;
  view.resize();
  const [az, el, distance] = [112 * Math.PI / 180, -20 * Math.PI / 180, 2.31];
  const look = [0.15 * Math.cos(Math.PI / 6), 0.15 * Math.sin(Math.PI / 6), 1.0];
  const ahead = [Math.cos(az) * Math.cos(el), Math.sin(az) * Math.cos(el), Math.sin(el)];
  view.view.own = false;
  view.controls.target.set(...look);
  view.camera.position.set(...look.map((v, i) => v - distance * ahead[i]));
  view.controls.update();
});
await page.waitForTimeout(500);
await page.evaluate(() => window.studio.view.resize());
await picture(page, { path: out, clip: { x: 0, y: 0, width: 720, height: 560 } });
await browser.close();
studio.stop();
