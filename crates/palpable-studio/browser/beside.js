// The gallery's arm as it begins, from where `beside_mujoco.py` looks: PALPABLE=... node beside.js OUT.png
import { load, running, startBrowser, startStudio, until } from './harness.js';

const [out] = process.argv.slice(2);
const [studio, browser] = [await startStudio(), await startBrowser()];
const page = await browser.newPage({ viewport: { width: 1200, height: 700 } });
page.setDefaultTimeout(200_000);
await page.goto(`${studio.address}?plain`);
await until(page, () => window.studio);
await page.evaluate(() => {
  const { view, gallery } = window.studio;
  gallery.isBusy = () => true;
  window.drawing = view.draw.bind(view);
  view.draw = () => {};
});
await running(page);
await page.evaluate(() => window.studio.wire.send('pause', { on: true }));
await load(page, 'arm');
await page.evaluate(() => {
  window.studio.wire.send('pause', { on: true });
  window.studio.wire.send('reset');
});
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
await page.evaluate(() => {
  window.studio.view.resize();
  window.studio.view.dirty = true;
  window.drawing();
});
await page.screenshot({ path: out, clip: { x: 0, y: 0, width: 720, height: 560 } });
await browser.close();
studio.stop();
