// Files of one's own, dropped on the page.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe } from 'node:test';
import { checks, drag, running, until, waitForRest } from './harness.js';

const check = checks();

/** Drops files on the view, as a file manager would. @param {any} page @param {[string, string][]} files */
async function drop(page, files) {
  const data = await page.evaluateHandle((list) => {
    const transfer = new DataTransfer();
    for (const [name, text] of list) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
  for (const type of ['dragenter', 'dragover', 'drop']) {
    await page.dispatchEvent('#canvas', type, { dataTransfer: data });
    if (type === 'dragenter') assert.ok(await page.locator('#dropping').isVisible());
  }
  assert.ok(await page.locator('#dropping').isHidden());
}

const ROBOT = `<robot name="lever">
  <link name="base"/>
  <link name="rod">
    <inertial><origin xyz="0.1 0 0"/><mass value="0.2"/>
      <inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-3" iyz="0" izz="1e-3"/></inertial>
    <visual><origin xyz="0.1 0 0"/><geometry><box size="0.2 0.02 0.02"/></geometry></visual>
  </link>
  <joint name="pivot" type="continuous">
    <parent link="base"/><child link="rod"/><axis xyz="0 1 0"/>
  </joint>
</robot>
`;

describe('dropped files', () => {
  check('a robot (URDF) opens, moves and answers a pull', async (open) => {
    const page = await open();
    await drop(page, [['lever.urdf', ROBOT]]);
    await until(page, () => window.studio.info.id === 'lever.urdf');
    await running(page);
    await drag(page);
    await page.mouse.up();
    await waitForRest(page);
    const energy = await page.evaluate(() => [...window.studio.frame.lanes[0].energy]);
    assert.ok(energy.every(Number.isFinite), `${energy}`);
  });

  check('mistakes in a robot are shown at their line', async (open) => {
    const page = await open();
    await drop(page, [['lever.urdf', ROBOT.replace('mass value="0.2"', 'mass value="-0.2"')]]);
    await page.locator('#mistakes[open]').waitFor();
    assert.match(await page.locator('#mistakes .at').first().textContent(), /^4 .*mass value="-0\.2"/);
    assert.match(await page.locator('#mistakes .mistake').first().textContent(), /Line 4/);
    await page.keyboard.press('Escape');
    await drop(page, [['broken.urdf', '<robot name="x">\n  <link name="a">\n</robot>\n']]);
    await page.locator('#mistakes[open]').waitFor();
    assert.match(await page.locator('#mistakes .mistake').first().textContent(), /Line [23]/);
  });

  check('a mesh opens, and a broken one is shown at its line', async (open) => {
    const page = await open();
    const file = new URL('../../../scenes/meshes/bracket.obj', import.meta.url);
    const mesh = await readFile(file, 'utf8');
    await drop(page, [['bracket.obj', mesh]]);
    await until(page, () => window.studio.info.id === 'bracket.obj');
    await running(page);
    await drag(page);
    await page.mouse.up();
    await waitForRest(page);
    const lines = mesh.split('\n');
    const at = lines.findIndex((line) => line.startsWith('f '));
    lines[at] = 'f 1 2 9999';
    await drop(page, [['broken.obj', lines.join('\n')]]);
    await page.locator('#mistakes[open]').waitFor();
    const words = await page.locator('#mistakes').textContent();
    assert.match(words, /broken\.obj/);
    assert.match(words, /9999|line/i);
  });

  check('a scene with the files it names opens', async (open) => {
    const page = await open();
    const folder = new URL('../../../scenes/', import.meta.url);
    const read = async (name) => [name, await readFile(new URL(name, folder), 'utf8')];
    await drop(page, [await read('csv-port.toml'), await read('csv-port.csv')]);
    await until(page, () => window.studio.info.id === 'csv-port.toml');
    await running(page);
  });
});
