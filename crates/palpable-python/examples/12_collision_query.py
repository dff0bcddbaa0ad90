"""Asking a scene: contacts before they touch, a ray, the nearest body, and when a fast tool hits."""

from palpable.geometry import Collider, CollisionPipeline, CollisionShape, Motion, Pose

# body 0 is the floor; a box and a cylinder stand on it, a tenth of a millimetre above
colliders = [
    Collider(0, CollisionShape.half_space(), still=True),
    Collider(1, CollisionShape.cuboid([0.1, 0.1, 0.1])),
    Collider(2, CollisionShape.cylinder(0.06, 0.04)),
]
scene = CollisionPipeline(3, colliders)
report = scene.update([Pose(), Pose([0, 0, 0.1001]), Pose([0.3, 0, 0.0601])], 1e-3)
print(f"{report.manifolds} manifolds, {report.contacts} contacts")
for m in scene.manifolds():
    gaps = ", ".join(f"{c.gap:.6f}" for c in m.contacts)
    print(f"  body {m.body_a} pushes body {m.body_b} along {m.normal.tolist()}: gaps [{gaps}] m")

# a range finder that looks along x
hit = scene.ray_cast([-1, 0, 0.05], [1, 0, 0], 10.0)
if hit is not None:
    print(f"the ray meets body {hit.body} after {hit.what.distance:.3f} m")

# a stylus tip: how near is it, and when does it strike at 20 m/s?
tip, pose = CollisionShape.sphere(0.002), Pose([0.3, 0, 0.5])
near = scene.nearest(tip, pose, 1.0)
if near is not None:
    print(f"the tip is {near.what.gap:.4f} m from body {near.body}")
strike = scene.first_impact(tip, Motion.sliding(pose, [0, 0, -20]), 0.1)
if strike is not None:
    print(f"it strikes body {strike.body} after {strike.what.time:.5f} s")
