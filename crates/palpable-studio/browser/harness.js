// Starts the program and a real browser for the tests.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { chromium, errors } from 'playwright-core';

const program = process.env.PALPABLE;
if (!program) throw new Error('set PALPABLE to the built program');

/** Starts the studio; the address it prints. */
export async function startStudio() {
  // UI_DIR=../page: the page as it is on disk, not as it was built in
  const page = process.env.UI_DIR ? ['--ui-dir', process.env.UI_DIR] : [];
  const child = spawn(program, ['studio', '--port', '0', '--json', ...page],
    { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  const address = await new Promise((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`the studio ended with ${code}`)));
    child.stdout.on('data', (data) => {
      text += data;
      try { resolve(JSON.parse(text).address); } catch { /* not whole yet */ }
    });
  });
  return { address, stop: () => child.kill(), running: () => child.exitCode === null };
}

export function startBrowser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true, args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
}

/** Starts a browser for the tests of a file; what makes a test with a studio of its own. */
export function checks() {
  let browser;
  before(async () => { browser = await startBrowser(); });
  after(() => browser?.close());
  return (name, what, options) => test(name, { timeout: 600_000 },
    () => session(browser, what, options));
}

/** Sends the studio a command. */
export const send = (page, name, rest) => page.evaluate(
  ([n, r]) => window.studio.wire.send(n, r ?? {}), [name, rest]);

/** Does `what` again where a wait ran out on a stalled machine, twice at most, and says so. */
export async function patiently(what, name) {
  for (let chance = 1; ; chance++) {
    try {
      return await what();
    } catch (error) {
      if (!(error instanceof errors.TimeoutError)) throw error;
      console.error(`${name}: chance ${chance} ran out of time: ${error.stack}`);
      if (chance === 3) throw error;
    }
  }
}

/** Runs `what` with a studio of its own and a way to open pages on it, with a scene of the gallery or
 *  the first one. A wait that ran out on a
 *  stalled machine gets two more chances from the start, and says so; a wrong value gets none. */
export function session(browser, what, options = {}) {
  return patiently(() => attempt(browser, what, options), 'session');
}

async function attempt(browser, what, options) {
  const studio = await startStudio();
  const context = await browser.newContext({ viewport: { width: 900, height: 560 }, ...options });
  const pages = [];
  const open = async (scene = null, address = studio.address) => {
    const page = await openPage(context, address);
    pages.push(page);
    if (scene) await load(page, scene);
    return page;
  };
  try {
    await what(open, studio);
    for (const page of pages) assert.deepEqual(page.complaints, []);
  } finally {
    await context.close();
    studio.stop();
  }
}

/** Opens the page, small and without shadows; collects what the console complains about. */
async function openPage(context, address) {
  const page = await context.newPage();
  page.setDefaultTimeout(40_000);
  page.complaints = [];
  page.on('console', (m) => {
    // software rendering is slow, and says so
    const driver = m.text().includes('GPU stall') || m.text().includes('GL Driver');
    if (['error', 'warning'].includes(m.type()) && !driver) page.complaints.push(m.text());
  });
  page.on('pageerror', (e) => page.complaints.push(String(e)));
  await page.goto(address.replace('#', '?plain#').replace(/\/$/, '/?plain'));
  await running(page);
  return page;
}

/** A page for pictures: drawing in software is slow, so it draws only when `picture` asks for it.
 *  What the page complains about is printed. */
export async function openStill(context, address) {
  const page = await context.newPage();
  page.setDefaultTimeout(400_000);
  page.on('pageerror', (e) => console.error('page error', e.message));
  page.on('console', (m) => { if (m.type() === 'error') console.error(m.text()); });
  await page.goto(address);
  await until(page, () => window.studio);
  await page.evaluate(() => {
    const { view } = window.studio;
    window.drawing = view.draw.bind(view);
    view.draw = () => {};
  });
  await running(page);
  return page;
}

/** Draws once, with everything, and takes the picture. */
export async function picture(page, options, target = page) {
  await page.evaluate(async () => {
    const passed = () => new Promise((resolve) => {
      requestAnimationFrame(() => requestAnimationFrame(resolve));
    });
    await passed(); // a new size clears what was drawn before
    window.studio.view.dirty = true;
    window.drawing();
    await passed();
  });
  await target.screenshot(options);
}

/** Waits until something holds in the page, whether it is drawing or not. */
export function until(page, what, argument, timeout) {
  return page.waitForFunction(what, argument, { polling: 50, timeout });
}

const isPulled = () => {
  const hand = window.studio.frame?.lanes[0].hand;
  return hand && hand[13] >= 0 && Math.hypot(hand[6], hand[7], hand[8]) > 0;
};

/** Waits until frames of the scene arrive. */
export function running(page) {
  return until(page, () => window.studio?.frame?.lanes[0].poses.length > 0
    && window.studio.frame.generation === window.studio.info.generation);
}

/** Loads a scene of the gallery; the one that runs is loaded anew. */
export async function load(page, id) {
  const old = await page.evaluate((scene) => {
    window.studio.wire.send('load', { scene });
    return window.studio.info.generation;
  }, id);
  await until(page, ([scene, before]) => window.studio.info.id === scene
    && window.studio.info.generation > before, [id, old]);
  await running(page);
}

/** Size of the force on the hand in the first lane [N]. */
export const force = (page) => page.evaluate(() => {
  const hand = window.studio.frame.lanes[0].hand;
  return Math.hypot(hand[6], hand[7], hand[8]);
});

export const waitForForce = (page) => until(page, isPulled);

export const waitForRest = (page) => until(page, () => {
  const hand = window.studio.frame?.lanes[0].hand;
  return hand && hand[13] < 0 && Math.hypot(hand[6], hand[7], hand[8]) === 0;
});

/** Where in the window a moving body can be hit now; null if nowhere. */
const spot = (page, body) => page.evaluate((wanted) => {
  const { view, info } = window.studio;
  const middle = view.canvas.getBoundingClientRect();
  const bodies = view.lanes[0].actors.bodies.map((object, index) => ({ object, index }))
    .filter(({ object, index }) => !object.userData.fixed && (wanted < 0 || index === wanted));
  for (const { object, index } of bodies) {
    // the middle, or where it may stick out of something
    object.geometry.computeBoundingBox();
    const { min, max } = object.geometry.boundingBox;
    const points = [0, 0.8, -0.8].flatMap((z) => [0, 0.7, -0.7].map((x) => object.position.clone()
      .set((max.x + min.x + x * (max.x - min.x)) / 2, (max.y + min.y) / 2,
        (max.z + min.z + z * (max.z - min.z)) / 2).applyMatrix4(object.matrix)));
    for (const point of [object.position, ...points]) {
      const [x, y] = view.onScreen(point, 0);
      const inside = x > middle.left + 5 && x < middle.right - 5 && y > middle.top + 5
        && y < middle.bottom - 5;
      const hit = inside ? view.pick(x, y) : null;
      if (hit) return { x, y, body: hit.body, name: info.bodies[index].name };
    }
  }
  return null;
}, body);

/** Where in the window a moving body can be hit. A slow machine may not have drawn the scene yet. */
export async function place(page, body = -1) {
  for (let wait = 0; wait <= 20; wait++) {
    const at = await spot(page, body);
    if (at) return at;
    await page.evaluate(() => new Promise((done) => { setTimeout(done, 250); }));
  }
  const id = await page.evaluate(() => window.studio.info.id);
  throw new errors.TimeoutError(`no body of ${id} can be hit`);
}

/** Takes hold of a body with the mouse and pulls until there is a force. */
export const drag = (page, dx = 60, dy = -40, body = -1) => grab(page, {
  down: async (x, y) => { await page.mouse.move(x, y); await page.mouse.down(); },
  move: (x, y) => page.mouse.move(x, y, { steps: 4 }),
  up: () => page.mouse.up(),
}, [dx, dy], body);

/** Takes hold of a body with a mouse or a finger and pulls until there is a force. Time stands still
 *  until it is held, so that a slow machine cannot miss a fast body; a machine so slow that the
 *  studio believes the page dead gets more chances. */
export async function grab(page, { down, move, up }, [dx, dy], body = -1) {
  for (let chance = 0; ; chance++) {
    // with time running: what is hidden now may come into view
    await place(page, body);
    await send(page, 'pause', { on: true });
    await until(page, () => window.studio.time.paused && !window.studio.fresh);
    try {
      const at = await place(page, body);
      await down(at.x, at.y);
      await until(page, () => window.studio.hand.holding, null, 15_000);
      await send(page, 'pause', { on: false });
      await move(at.x + dx, at.y + dy);
      await until(page, isPulled, null, 15_000);
      return at;
    } catch (error) {
      await up();
      await send(page, 'pause', { on: false });
      if (chance >= 3) throw error;
    }
  }
}
