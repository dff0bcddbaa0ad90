"""The flexible beam of [Kim2017 sec. 5.2]: bent, let go, and heard at its own frequency."""

import math

from palpable import Beam, Model, World

# 0.907 x 0.05 x 0.012 m of aluminium
aluminium = Beam.rectangular("beam", [0.907, 0.05, 0.012], 2698.09, 68.9e9)
model = Model()
model.ghosts()
# 1 cm of the first mode: the tip begins 2 cm out
model.beam(aluminium.modes(3).start([0.01, 0.0]))
world = World(model)

tip = world.body_named("beam 9")  # root, eight stations, tip
h, start = 1e-3, world.energy().total()
last, crossings = world.pose(tip).position[1], []
while world.time < 4.0:
    assert world.step(h).status == "taken"
    y = world.pose(tip).position[1]
    if last < 0 <= y:
        crossings.append(world.time - h * y / (y - last))
    last = y
heard = (len(crossings) - 1) / (crossings[-1] - crossings[0])
free = aluminium.frequency(0) / math.tau
# the midpoint rule lowers it a little: 2 atan(ωh/2)/h
lowered = 2 * math.atan(0.5 * h * free * math.tau) / (h * math.tau)
drift = world.energy().total() / start - 1
print(f"the tip swings at {heard:.4f} Hz; the beam's own is {free:.4f} Hz")
print(f"its energy changed by {drift:.0e} of itself in 4 s")
assert abs(heard / lowered - 1) < 1e-4 and abs(drift) < 1e-12
