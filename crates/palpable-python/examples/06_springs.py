"""Every kind of spring in one world, with gravity, a damper and steps that vary wildly."""

from palpable import Anchor, Body, Model, Rotation, Spring, World

model = Model()
model.ghosts()
model.gravity([0, 0, -9.81])
wall = model.body(Body.cuboid("wall", [0.01, 1, 1]).fixed())
plate = model.body(Body.cuboid("plate", [0.2, 0.1, 0.01]).mass(0.5))
rod = model.body(Body.capsule("rod", 0.1, 0.01).mass(0.05).position([0.2, 0, -0.1]))
wheel = model.body(Body.cylinder("wheel", 0.01, 0.05).mass(0.1).position([0.5, 0, 0]))
# a point of the plate to the wall, with a damper in parallel
corner = plate.at([-0.2, 0, 0])
model.spring(Spring.point(corner, wall.at([-0.2, 0, 0])).stiffness(2e3).damping(0.5))
# the plate wants to stay level
model.spring(Spring.rotation(plate.origin(), wall.origin()).stiffness(5.0))
# the rod hangs on the plate
tip = rod.at([0, 0, 0.1])
model.spring(Spring.point(tip, plate.at([0.2, 0, 0])).stiffness(1e6))
# a soft bushing holds the wheel, stiffer along its axis
frame = Rotation.from_scaled_axis([0.3, 0, 0])
hub = Anchor.world([0.5, 0, 0.1]).turned(frame)
model.spring(Spring.pose(wheel.origin(), hub).stiffness_rows([50, 50, 500, 0.2, 0.2, 2]))
world = World(model)

start = world.energy().total()
for k in range(20_000):
    # anything between 0.1 and 8 ms
    assert world.step(1e-4 * (1 + (k * 7919) % 80)).status == "taken"
energy, books = world.energy(), world.ledger()
print(f"{world.time:.1f} s simulated: {energy}")
print(f"damped {books.totals.damped:.4f} J, unexplained {books.closure():.1e} J")
scale = abs(start) + books.totals.damped + energy.elastic + energy.kinetic
assert abs(books.closure()) < 1e-10 * scale and world.audit().is_clean()
