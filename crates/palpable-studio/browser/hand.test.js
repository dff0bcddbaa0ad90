// Every way to be the hand: surfaces, wheel, keys, touch, gamepad; and how the force is told.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { checks, drag, grab, load, send, until, waitForForce, waitForRest } from './harness.js';

const check = checks();

describe('the hand', () => {
  check('follows the surface under the pointer, and the wheel lifts it', async (open) => {
    const page = await open('box-drop');
    await until(page, () => window.studio.frame.lanes[0].touching >= 3);
    await page.locator('#hand-mode').selectOption('surface');
    const at = await drag(page, 150, 40);
    const body = await page.evaluate(() => window.studio.hand.chosen);
    assert.equal(body, at.body);
    // the lowest corner of the box, were the held point at the target
    const low = () => page.evaluate(() => {
      const { hand, view } = window.studio;
      hand.follow();
      const mesh = view.lanes[0].actors.bodies[hand.chosen];
      const up = view.camera.up.clone().set(0, 0, 1);
      return hand.target.z - hand.clearance(mesh, up);
    });
    assert.ok(Math.abs(await low()) < 1e-3, `it rests on the floor: ${await low()} m`);
    await page.mouse.wheel(0, -200);
    await until(page, () => window.studio.hand.lift > 0);
    assert.ok(await low() > 0.005, `lifted: ${await low()} m`);
    await page.mouse.up();
    await waitForRest(page);
    await page.locator('#canvas').focus();
    await page.keyboard.press('p');
    assert.equal(await page.locator('#hand-mode').inputValue(), 'screen');
  });

  check('the wheel moves it in depth, keys turn it, a torque is an arc with a number', async (open) => {
    const page = await open('pose-spring');
    await send(page, 'set', { what: 'coupling', part: null, value: [50, 0.5, 0.2] });
    await until(page, () => window.studio.parameters.now.coupling[2] === 0.2);
    await drag(page);
    // along the view, so that a late move of the pointer does not count
    const depth = () => page.evaluate(() => {
      const { hand, view } = window.studio;
      const ahead = view.camera.getWorldDirection(view.camera.up.clone());
      window.depth = () => hand.target.clone().sub(view.camera.position).dot(ahead);
      return window.depth();
    });
    const before = await depth();
    // a busy browser may lose a turn of the wheel; each one that arrives is a factor e^-0.1
    let sent = 0;
    for (let moved = false; !moved;) {
      await page.mouse.wheel(0, 100);
      sent++;
      try {
        await until(page, (d) => window.depth() < 0.95 * d, before, 4000);
        moved = true;
      } catch (error) {
        if (sent === 5) throw error;
      }
    }
    const turns = Math.log(before / await depth()) / 0.1;
    const whole = Math.round(turns);
    assert.ok(Math.abs(turns - whole) < 0.01 && whole >= 1 && whole <= sent, `${turns} of ${sent}`);
    for (let i = 0; i < 4; i++) await page.keyboard.press('d');
    await until(page, () => {
      const hand = window.studio.frame.lanes[0].hand;
      return Math.hypot(hand[9], hand[10], hand[11]) > 0
        && window.studio.view.lanes[0].twist.group.visible;
    });
    const labels = await page.locator('.label:is(.force, .torque):not([hidden])').allTextContents();
    assert.ok(labels.some((t) => /N·m$/.test(t)) && labels.some((t) => /N$/.test(t)), `${labels}`);
    const radius = await page.evaluate(() => {
      const { view, frame } = window.studio;
      const hand = view.frame.lanes[0].hand;
      return view.lanes[0].twist.group.scale.x
        / (Math.hypot(hand[9], hand[10], hand[11]) * view.torqueScale);
    });
    assert.ok(Math.abs(radius - 1) < 1e-3, `the arc is to scale: ${radius}`);
    await page.mouse.up();
    await waitForRest(page);
  });

  check('a finger on a touch screen pulls', async (open) => {
    const page = await open('demo');
    const cdp = await page.context().newCDPSession(page);
    const touch = (type, ...at) => cdp.send('Input.dispatchTouchEvent',
      { type, touchPoints: at.map(([x, y]) => ({ x, y })) });
    const up = () => touch('touchEnd');
    await grab(page, { down: (x, y) => touch('touchStart', [x, y]),
      move: (x, y) => touch('touchMove', [x, y]), up }, [60, -40]);
    await up();
    await waitForRest(page);
  }, { hasTouch: true });
});

/** A gamepad of our own: `window.stick` are its axes, `window.press` its first button. */
const fakePad = () => {
  window.rumbles = [];
  window.stick = [0, 0, 0, 0];
  window.press = false;
  navigator.getGamepads = () => [{ connected: true, axes: window.stick,
    buttons: [{ pressed: window.press }], vibrationActuator: {
      playEffect: async (kind, how) => { window.rumbles.push({ kind, ...how }); } } }];
};

/** Sound of our own: keeps what the gain was set to. */
const fakeSound = () => {
  class Parameter {
    constructor() { this.set = []; }
    setTargetAtTime(value) { this.set.push(value); }
  }
  class Node {
    constructor() { this.gain = new Parameter(); this.frequency = new Parameter(); }
    connect(next) { return next; }
    start() {}
  }
  window.AudioContext = class { constructor() { this.currentTime = 0; this.destination = {}; } };
  window.OscillatorNode = Node;
  window.GainNode = Node;
};

describe('the force is told', () => {
  check('by rumble that grows with it, on a gamepad that is the hand', async (open) => {
    const page = await open();
    await page.evaluate(fakePad);
    await load(page, 'demo');
    await page.evaluate(() => { window.press = true; });
    await until(page, () => window.studio.hand.holding);
    await page.evaluate(() => { window.press = false; window.stick = [0, -0.9, 0, 0]; });
    await waitForForce(page);
    await until(page, () => window.rumbles.length > 3);
    await page.evaluate(() => { window.stick = [0, 0, 0, 0]; });
    // a strong force, then the same hand near the body
    const strongest = await page.evaluate(() => Math.max(...window.rumbles.map((r) => r.strongMagnitude)));
    assert.ok(strongest > 0.9 && strongest <= 1, `${strongest}`);
    const pairs = await page.evaluate(async () => {
      const { pad, frame } = window.studio;
      const seen = [];
      for (const share of [0.1, 0.3, 0.6, 1]) {
        pad.rumbled = 0;
        const lane = { ...frame.lanes[0], hand: Float32Array.from(frame.lanes[0].hand) };
        lane.hand[12] = pad.peak * share;
        pad.rumble({ ...frame, lanes: [lane] });
        seen.push(window.rumbles.at(-1).strongMagnitude);
      }
      return seen;
    });
    assert.ok(pairs.every((v, i) => i === 0 || v > pairs[i - 1]), `grows: ${pairs}`);
    assert.ok(await page.evaluate(() => window.rumbles.every((r) => r.kind === 'dual-rumble')));
    await until(page, () => !window.studio.pad.pressed);
    await page.evaluate(() => { window.press = true; });
    await waitForRest(page);
    await page.evaluate(() => { navigator.getGamepads = () => []; });
  });

  check('by sound whose loudness follows it', async (open) => {
    const page = await open();
    await page.evaluate(fakeSound);
    await load(page, 'demo');
    await page.locator('#sound').click();
    assert.equal(await page.locator('#sound').getAttribute('aria-pressed'), 'true');
    await until(page, () => window.studio.sound.gain.gain.set.length > 2);
    const gain = () => page.evaluate(() => window.studio.sound.gain.gain.set.at(-1));
    assert.equal(await gain(), 0, 'nothing is held');
    await drag(page);
    await until(page, () => window.studio.sound.gain.gain.set.at(-1) > 0.01);
    const levels = await page.evaluate(() => {
      const { sound, frame } = window.studio;
      return [0, 0.25, 0.5, 1].map((share) => {
        const lane = { ...frame.lanes[0], hand: Float32Array.from(frame.lanes[0].hand) };
        lane.hand.set([sound.scale * share, 0, 0], 6);
        sound.show({ ...frame, lanes: [lane] });
        return sound.gain.gain.set.at(-1);
      });
    });
    assert.ok(levels[0] === 0 && levels.every((v, i) => i === 0 || v > levels[i - 1]), `${levels}`);
    await page.mouse.up();
    await waitForRest(page);
    await until(page, () => window.studio.sound.gain.gain.set.at(-1) === 0);
    await page.locator('#sound').click();
    assert.equal(await gain(), 0);
  });
});
