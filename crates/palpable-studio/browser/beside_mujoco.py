"""Draws a robot of the gallery with MuJoCo's renderer, from where the studio looks.

MUJOCO_GL=egl python beside_mujoco.py ../../../scenes/robots/arm.urdf OUT.png [WIDTH HEIGHT]
"""
import os
import re
import shutil
import struct
import sys
import tempfile

import mujoco
import numpy as np
from PIL import Image


def binary_stl(source, target):
    """MuJoCo reads binary STL only."""
    text = open(source, "rb").read()
    if not text.startswith(b"solid"):
        shutil.copy(source, target)
        return
    points = [tuple(float(v) for v in m.split()) for m in re.findall(r"vertex\s+([^\n]+)", text.decode())]
    with open(target, "wb") as out:
        out.write(bytes(80) + struct.pack("<I", len(points) // 3))
        for i in range(0, len(points), 3):
            out.write(struct.pack("<12fH", 0, 0, 0, *points[i], *points[i + 1], *points[i + 2], 0))


def main():
    path, out = sys.argv[1:3]
    width, height = (int(v) for v in sys.argv[3:5]) if len(sys.argv) > 4 else (720, 560)
    folder = tempfile.mkdtemp()
    here = os.path.join(os.path.dirname(path), "meshes")
    os.makedirs(os.path.join(folder, "meshes"))
    for name in os.listdir(here):
        binary_stl(os.path.join(here, name), os.path.join(folder, "meshes", name))
    text = open(path, encoding="utf-8").read()
    # visuals are thrown away by default, and meshes looked for by their last name
    compiler = f'<mujoco><compiler discardvisual="false" strippath="false" meshdir="{folder}"/></mujoco>'
    text = text.replace('<robot name="arm">', f'<robot name="arm">{compiler}', 1)
    model = mujoco.MjSpec.from_string(text)
    model.visual.global_.offwidth, model.visual.global_.offheight = width, height
    light = model.worldbody.add_light()
    light.pos, light.dir = [1, -1, 3], [-0.3, 0.3, -1]
    model.visual.headlight.ambient = [0.5, 0.5, 0.5]
    model = model.compile()
    data = mujoco.MjData(model)
    # as the scene `arm` begins
    for joint, value in (("elbow", np.radians(30)), ("left_grip", 0.02)):
        data.joint(joint).qpos = value
    mujoco.mj_forward(model, data)
    camera = mujoco.MjvCamera()
    camera.lookat, camera.distance = [0.15, 0.0, 0.3], 1.6
    camera.azimuth, camera.elevation = 112 - 30, -20
    with mujoco.Renderer(model, height, width) as renderer:
        option = mujoco.MjvOption()
        renderer.update_scene(data, camera, option)
        Image.fromarray(renderer.render()).save(out)


main()
