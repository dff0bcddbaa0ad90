// Folders dropped on the page: files are found where they lie, or where they seem to be meant.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe } from 'node:test';
import { checks, drag, running, until, waitForRest } from './harness.js';

const check = checks();

const mesh = await readFile(new URL('../../../scenes/meshes/bracket.obj', import.meta.url), 'utf8');
const robot = (file) => `<robot name="lever">
  <link name="base"/>
  <link name="rod">
    <inertial><origin xyz="0.1 0 0"/><mass value="0.2"/>
      <inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-3" iyz="0" izz="1e-3"/></inertial>
    <visual><geometry><mesh filename="${file}"/></geometry></visual>
  </link>
  <joint name="pivot" type="continuous">
    <parent link="base"/><child link="rod"/><axis xyz="0 1 0"/>
  </joint>
</robot>
`;

/** Drops files with their folders. A page cannot make folders of its own to drop, so the drop gets
 *  stand-ins for the entries that a file manager would hand over, two to a batch. */
async function drop(page, files) {
  await page.evaluate((list) => {
    const entry = (name, inside) => (typeof inside === 'string'
      ? { name, isFile: true, isDirectory: false, file: (done) => done(new File([inside], name)) }
      : { name, isFile: false, isDirectory: true, createReader: () => {
        const rest = Object.entries(inside).map(([n, i]) => entry(n, i));
        return { readEntries: (done) => setTimeout(() => done(rest.splice(0, 2))) };
      } });
    const tree = {};
    for (const [path, text] of list) {
      const parts = path.split('/');
      const last = parts.pop();
      parts.reduce((folder, part) => (folder[part] ??= {}), tree)[last] = text;
    }
    const event = new Event('drop', { bubbles: true, cancelable: true });
    const items = Object.entries(tree).map(([n, i]) => ({ webkitGetAsEntry: () => entry(n, i) }));
    const flat = Object.entries(tree).filter(([, i]) => typeof i === 'string')
      .map(([n, i]) => new File([i], n));
    Object.defineProperty(event, 'dataTransfer', { value: { items, files: flat } });
    document.getElementById('canvas').dispatchEvent(event);
  }, files);
}

const opened = async (page, id) => {
  await until(page, (wanted) => window.studio.info?.id === wanted
    || document.querySelector('#mistakes[open], .toasts .bad'), id);
  assert.equal(await page.locator('#mistakes[open]').count(), 0,
    await page.locator('#mistakes-body').textContent());
  assert.equal(await page.evaluate(() => window.studio.info.id), id);
  // the rod is drawn with the mesh, not as a ball for want of one
  const kinds = await page.evaluate(() => window.studio.info.bodies.map((b) => b.shape?.kind));
  assert.ok(kinds.includes('mesh'), `${kinds}`);
  await running(page);
};

describe('dropped folders', () => {
  check('meshes in subfolders are found, named in any of the usual ways', async (open) => {
    const page = await open();
    const ways = [['as a path', '../meshes/arm/bracket.obj'],
      ['in a package', 'package://lever_description/meshes/arm/bracket.obj'],
      ['on another machine', 'file:///opt/ros/share/lever/meshes/arm/bracket.obj'],
      ['by another case', '../Meshes/arm/Bracket.OBJ']];
    for (const [how, name] of ways) {
      const top = `lever ${how}`;
      await drop(page, [[`${top}/README.md`, '# a robot'], [`${top}/urdf/lever.urdf`, robot(name)],
        [`${top}/meshes/arm/other.obj`, 'not a mesh'], [`${top}/meshes/bracket.obj`, 'nor this'],
        [`${top}/meshes/arm/bracket.obj`, mesh]]);
      await opened(page, `${top}/urdf/lever.urdf`);
    }
    await drag(page);
    await page.mouse.up();
    await waitForRest(page);
  });

  check('meshes dropped beside a robot that names folders are found', async (open) => {
    const page = await open();
    await drop(page, [['lever.urdf', robot('package://lever/meshes/bracket.obj')],
      ['bracket.obj', mesh]]);
    await opened(page, 'lever.urdf');
    // what is missing is still told at its line
    await drop(page, [['torn.urdf', robot('../meshes/lost.obj')]]);
    await page.locator('#mistakes[open]').waitFor();
    assert.match(await page.locator('#mistakes .mistake').first().textContent(), /Line 6.*lost\.obj/);
  });

  check('names with odd letters fit, and a folder with nothing to open says so', async (open) => {
    const page = await open();
    await drop(page, [['my robot (v2)/lever+1.urdf', robot('parts/bracket@home.obj')],
      ['my robot (v2)/parts/bracket@home.obj', mesh]]);
    await opened(page, 'my robot _v2_/lever_1.urdf');
    await drop(page, [['macros/arm.xacro', '<robot/>']]);
    await page.locator('.toasts .bad', { hasText: 'xacro' }).waitFor();
    await drop(page, [['letters/a.txt', 'x']]);
    await page.locator('.toasts .bad', { hasText: 'Nothing to open' }).waitFor();
  });
});
