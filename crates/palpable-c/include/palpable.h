/* palpable for C: a physics engine you can feel. It never creates energy.
 *
 * Made by cbindgen from crates/palpable-c; do not edit. SI units, radians, double.
 *
 * Every function returns pal_status; PAL_OK is 0, and pal_error says the rest in words. Handles are
 * numbers: one that was freed, or never was, gives PAL_BAD_HANDLE. Buffers are the caller's.
 *
 * Threads: any function may be called from any thread. One thread at a time works on a world;
 * another one waits. Words of pal_error belong to the thread whose call failed. Callbacks of a servo loop run
 * on the loop's own thread and must not call pal_servo_stop. */

#ifndef PALPABLE_H
#define PALPABLE_H

#include <stddef.h>
#include <stdint.h>

/*
 Version of this interface. Programs pass it to `pal_check_version`.
 */
#define PAL_VERSION 3

/*
 How many numbers the books have.
 */
#define PAL_ACCOUNTS 11

/*
 The world instead of a body.
 */
#define PAL_WORLD 18446744073709551615ull

/*
 How a call ended.
 */
typedef enum pal_status {
  /*
   Done.
   */
  PAL_OK = 0,
  /*
   A pointer that must not be null is.
   */
  PAL_NULL = 1,
  /*
   A handle that was freed, or never was.
   */
  PAL_BAD_HANDLE = 2,
  /*
   A text that is not UTF-8, or a name that does not exist.
   */
  PAL_BAD_NAME = 3,
  /*
   A number that is NaN, infinite or out of range.
   */
  PAL_BAD_NUMBER = 4,
  /*
   The number of a body, element or port that does not exist.
   */
  PAL_BAD_ID = 5,
  /*
   A model that cannot be built.
   */
  PAL_BUILD = 6,
  /*
   Mistakes in a scene or robot file.
   */
  PAL_SCENE = 7,
  /*
   A change that was refused.
   */
  PAL_CHANGE = 8,
  /*
   A step that was refused; nothing changed.
   */
  PAL_REFUSED = 9,
  /*
   A buffer that is too small; the count says how much is needed.
   */
  PAL_TOO_SMALL = 10,
  /*
   A header of another version.
   */
  PAL_VERSION_DIFFERS = 11,
  /*
   A device or a servo loop that failed.
   */
  PAL_DEVICE = 12,
  /*
   A defect of the library; the handle should be freed.
   */
  PAL_DEFECT = 13,
} pal_status;

/*
 Shapes of bodies.
 */
typedef enum pal_shape {
  /*
   No shape: mass and principal moments are given.
   */
  PAL_POINT = 0,
  /*
   A ball: radius.
   */
  PAL_SPHERE = 1,
  /*
   A box: three half edges.
   */
  PAL_BOX = 2,
  /*
   A capsule along z: half length, radius.
   */
  PAL_CAPSULE = 3,
  /*
   A cylinder along z: half length, radius.
   */
  PAL_CYLINDER = 4,
  /*
   A fixed floor: everything below the x-y plane of its axes.
   */
  PAL_HALF_SPACE = 5,
} pal_shape;

/*
 How a surface touches. Two surfaces agree as materials of scenes do.
 */
typedef enum pal_law {
  /*
   Hard; as the other surface says, else by friction cones.
   */
  PAL_LAW_OPEN = 0,
  /*
   Hard, with exact friction cones.
   */
  PAL_LAW_CONE = 1,
  /*
   Hard, a friction pyramid on the midpoint velocity, as printed in [Kim2017, (34)].
   */
  PAL_LAW_PRINTED_ELASTIC = 2,
  /*
   Hard, the same on the velocity at the end: creates energy, which the books show.
   */
  PAL_LAW_PRINTED_PLASTIC = 3,
  /*
   Yields, and touches over an area.
   */
  PAL_LAW_VOLUME = 4,
  /*
   The same, and contacts begin with impulses.
   */
  PAL_LAW_IMPULSE = 5,
} pal_law;

/*
 Kinds of springs.
 */
typedef enum pal_spring {
  /*
   Pulls point a onto point b: three rows.
   */
  PAL_SPRING_POINT = 0,
  /*
   Turns frame a onto frame b: three rows.
   */
  PAL_SPRING_ROTATION = 1,
  /*
   Pulls and turns: six rows.
   */
  PAL_SPRING_POSE = 2,
  /*
   Turns about z of b: one row.
   */
  PAL_SPRING_ANGLE = 3,
  /*
   Slides along z of b: one row.
   */
  PAL_SPRING_SLIDE = 4,
} pal_spring;

/*
 Kinds of hard joints.
 */
typedef enum pal_joint {
  /*
   The two points stay together.
   */
  PAL_JOINT_BALL = 0,
  /*
   Nothing is free.
   */
  PAL_JOINT_FIXED = 1,
  /*
   Turns about the common z axis.
   */
  PAL_JOINT_HINGE = 2,
  /*
   z of a stays perpendicular to x of b.
   */
  PAL_JOINT_UNIVERSAL = 3,
  /*
   Slides along z of b.
   */
  PAL_JOINT_PRISMATIC = 4,
  /*
   Slides along and turns about z of b.
   */
  PAL_JOINT_CYLINDRICAL = 5,
  /*
   Slides in the x-y plane of b and turns about its normal.
   */
  PAL_JOINT_PLANAR = 6,
} pal_joint;

/*
 A model under construction.
 */
typedef uint64_t pal_model;

/*
 A body to be added. Begin with `pal_body_default`.
 */
typedef struct pal_body_desc {
  /*
   Its name; must be set.
   */
  const char *name;
  /*
   One of `pal_shape`.
   */
  uint32_t shape;
  /*
   Sizes of the shape [m]; principal moments [kg·m²] without a shape.
   */
  double size[3];
  /*
   Mass [kg]; 0 takes 1000 kg/m³.
   */
  double mass;
  /*
   Where its origin starts [m].
   */
  double position[3];
  /*
   Orientation at the start: quaternion, scalar first.
   */
  double rotation[4];
  /*
   Velocity of its centre of mass at the start [m/s].
   */
  double velocity[3];
  /*
   Angular velocity at the start, body axes [rad/s].
   */
  double angular_velocity[3];
  /*
   Coefficient of friction.
   */
  double friction;
  /*
   Restitution, 0 to 1; down to -1 with the law `PAL_LAW_IMPULSE`.
   */
  double restitution;
  /*
   How it touches: one of `pal_law`.
   */
  uint32_t law;
  /*
   Pressure per depth of a surface that yields [Pa/m]: laws `PAL_LAW_VOLUME` and
   `PAL_LAW_IMPULSE`.
   */
  double modulus;
  /*
   Pressure per rate of depth [Pa·s/m]: the same laws.
   */
  double damping;
  /*
   Not 0 if it never moves.
   */
  uint32_t fixed;
} pal_body_desc;

/*
 A body: what the model or world gave, which others refuse, or its place in the model.
 */
typedef uint64_t pal_body;

/*
 Where a spring, joint or port holds on.
 */
typedef struct pal_anchor {
  /*
   The body, or `PAL_WORLD`.
   */
  pal_body body;
  /*
   Point in body (or world) axes [m].
   */
  double point[3];
  /*
   Orientation in body (or world) axes: quaternion, scalar first; all 0 is none.
   */
  double rotation[4];
} pal_anchor;

/*
 A spring, damper or joint: what the model gave, or its place in the model.
 */
typedef uint64_t pal_element;

/*
 A port: what the model or world gave, which others refuse, or its place in the model.
 */
typedef uint64_t pal_port;

/*
 A world.
 */
typedef uint64_t pal_world;

/*
 A device of the caller. Both functions are called once a tick, on the loop's thread.
 */
typedef struct pal_device {
  /*
   Writes the position of the handle [m]; returns 0, or another number to end the loop.
   */
  int32_t (*read)(void *user, double *position);
  /*
   Takes the force on the hand [N], made safe; returns 0, or another number to end the loop.
   */
  int32_t (*write)(void *user, const double *force);
  /*
   Handed to both.
   */
  void *user;
  /*
   Ticks per second [Hz], 10 to 20000.
   */
  double rate;
  /*
   Mass at the handle [kg].
   */
  double mass;
  /*
   Viscous damping at the handle [N·s/m].
   */
  double damping;
  /*
   Largest force [N]; half of it for ever.
   */
  double max_force;
} pal_device;

/*
 A running servo loop.
 */
typedef uint64_t pal_servo;

/*
 How a loop is doing.
 */
typedef struct pal_servo_live {
  /*
   Ticks so far.
   */
  uint64_t ticks;
  /*
   Deadlines missed so far.
   */
  uint64_t missed;
  /*
   Position of the handle [m].
   */
  double position[3];
  /*
   Force on the hand [N].
   */
  double force[3];
  /*
   Energy that the hand received so far [J].
   */
  double given;
  /*
   Not 0 while it ticks.
   */
  uint32_t running;
} pal_servo_live;

/*
 What a step says about itself.
 */
typedef struct pal_report {
  /*
   Steps taken since the world was built.
   */
  uint64_t tick;
  /*
   Simulated time after the step [s].
   */
  double time;
  /*
   What the accounts leave unexplained [J].
   */
  double closure;
  /*
   Largest gap of a carried strain [m or rad].
   */
  double gap;
  /*
   Deepest overlap [m].
   */
  double depth;
  /*
   Points of contact within reach.
   */
  uint64_t contacts;
  /*
   Parts it was divided into.
   */
  uint32_t substeps;
  /*
   Not 0 if an input was not finite and counted as idle.
   */
  uint32_t input_ignored;
} pal_report;

/*
 What a port shows after a step.
 */
typedef struct pal_port_output {
  /*
   Position of the port's point [m].
   */
  double position[3];
  /*
   Orientation of its frame: quaternion, scalar first.
   */
  double rotation[4];
  /*
   Representative velocity over the step [m/s].
   */
  double velocity[3];
  /*
   Force on whoever holds a reference; the force applied at a force port [N].
   */
  double force[3];
  /*
   Likewise the torque [N·m].
   */
  double torque[3];
  /*
   Energy that entered in the step [J].
   */
  double work;
} pal_port_output;

/*
 A contact of the last step.
 */
typedef struct pal_contact {
  /*
   The two bodies, as `pal_world_body_named` gives them.
   */
  uint64_t bodies[2];
  /*
   Where it is [m].
   */
  double point[3];
  /*
   Unit normal from the first to the second.
   */
  double normal[3];
  /*
   Mean force on the second over the step [N].
   */
  double force[3];
  /*
   Distance of the surfaces at the start of the step [m].
   */
  double gap;
  /*
   Kept as long as the contact lasts.
   */
  uint64_t id;
  /*
   Not 0 if it was not there in the step before.
   */
  uint32_t begins;
} pal_contact;

/*
 A moment of a world.
 */
typedef uint64_t pal_snapshot;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 Says whether library and header fit: call it first with `PAL_VERSION`.
 */
enum pal_status pal_check_version(uint32_t version);

/*
 Copies the words of this thread's last failed call into a buffer of `room` bytes; returns their
 length without the zero byte.
 */
uintptr_t pal_error(char *buffer, uintptr_t room);

/*
 An empty model.
 */
enum pal_status pal_model_new(pal_model *model);

/*
 Frees a model; worlds made of it go on.
 */
enum pal_status pal_model_free(pal_model model);

/*
 Acceleration of gravity [m/s²]; none unless set.
 */
enum pal_status pal_model_gravity(pal_model model, const double *gravity);

/*
 Room for at most `capacity` contacts; 0 leaves that to the number of bodies.
 */
enum pal_status pal_model_contacts(pal_model model, uintptr_t capacity);

/*
 Lets all bodies pass through each other.
 */
enum pal_status pal_model_ghosts(pal_model model);

/*
 A ball of 1 cm at the origin, friction 0.5, that has no name yet.
 */
enum pal_status pal_body_default(struct pal_body_desc *desc);

/*
 Adds a body; its number goes to `body`, which may be null.
 */
enum pal_status pal_model_body(pal_model model, const struct pal_body_desc *desc, pal_body *body);

/*
 Adds a spring and damper between two anchors, six rows of stiffness and damping (those it does
 not have are ignored); its number goes to `element`, which may be null. `kind` is one of
 `pal_spring`.
 */
enum pal_status pal_model_spring(pal_model model,
                                 uint32_t kind,
                                 const struct pal_anchor *ends,
                                 const double *stiffness,
                                 const double *damping,
                                 pal_element *element);

/*
 Adds a hard joint; its number goes to `element`, which may be null. `kind` is one of
 `pal_joint`.
 */
enum pal_status pal_model_joint(pal_model model,
                                uint32_t kind,
                                const struct pal_anchor *ends,
                                pal_element *element);

/*
 Adds a port that takes forces and torques; its number goes to `port`, which may be null.
 */
enum pal_status pal_model_force_port(pal_model model,
                                     const char *name,
                                     const struct pal_anchor *at,
                                     pal_port *port);

/*
 Adds a port that takes a reference pose, joined to the body by six rows of stiffness and
 damping; its number goes to `port`, which may be null.
 */
enum pal_status pal_model_reference_port(pal_model model,
                                         const char *name,
                                         const struct pal_anchor *at,
                                         const double *stiffness,
                                         const double *damping,
                                         pal_port *port);

/*
 Starts a loop on a copy of a world: each tick reads the device, moves the reference port, steps
 the world and writes the force, after the safety stage.
 */
enum pal_status pal_servo_start(pal_world world,
                                pal_port number,
                                const struct pal_device *functions,
                                pal_servo *servo);

/*
 How a loop is doing.
 */
enum pal_status pal_servo_look(pal_servo servo, struct pal_servo_live *live);

/*
 Fades the force out, ends the loop and frees it; the last force that the device was sent is 0.
 */
enum pal_status pal_servo_stop(pal_servo servo);

/*
 A world of a model.
 */
enum pal_status pal_world_new(pal_model model, pal_world *world);

/*
 A world of a scene file (TOML, JSON) or a robot (URDF).
 */
enum pal_status pal_world_load(const char *path, pal_world *world);

/*
 A copy of a world.
 */
enum pal_status pal_world_clone(pal_world world, pal_world *copy);

/*
 Frees a world.
 */
enum pal_status pal_world_free(pal_world world);

/*
 One step of `h` [s] with the inputs that were set; `report` may be null.
 */
enum pal_status pal_world_step(pal_world world, double h, struct pal_report *report);

/*
 Many steps of `h` [s] with the inputs that were set.
 */
enum pal_status pal_world_run(pal_world world, double h, uint64_t steps);

/*
 Holds a force [N] and a torque [N·m], world axes, at a force port from now on; `torque` may
 be null.
 */
enum pal_status pal_world_set_force(pal_world world,
                                    pal_port port,
                                    const double *force,
                                    const double *torque);

/*
 Moves a reference port to a position [m] and an orientation (quaternion, scalar first; may be
 null).
 */
enum pal_status pal_world_set_reference(pal_world world,
                                        pal_port port,
                                        const double *position,
                                        const double *orientation);

/*
 Nothing enters at a port from now on.
 */
enum pal_status pal_world_idle(pal_world world, pal_port port);

/*
 Simulated time [s].
 */
enum pal_status pal_world_time(pal_world world, double *time);

/*
 A 64-bit hash of the bits of the state: same inputs, same hash, in every language.
 */
enum pal_status pal_world_hash(pal_world world, uint64_t *hash);

/*
 How many bodies there are.
 */
enum pal_status pal_world_body_count(pal_world world, uintptr_t *count);

/*
 The body of a name.
 */
enum pal_status pal_world_body_named(pal_world world, const char *name, pal_body *body);

/*
 The port of a name.
 */
enum pal_status pal_world_port_named(pal_world world, const char *name, pal_port *port);

/*
 Position [m] and orientation (quaternion, scalar first) of a body; either may be null.
 */
enum pal_status pal_world_pose(pal_world world,
                               pal_body number,
                               double *position,
                               double *orientation);

/*
 Velocity of a body's centre of mass [m/s] and angular velocity in its own axes [rad/s];
 either may be null.
 */
enum pal_status pal_world_velocity(pal_world world,
                                   pal_body number,
                                   double *linear,
                                   double *angular);

/*
 What a port showed at the last step.
 */
enum pal_status pal_world_port(pal_world world, pal_port number, struct pal_port_output *output);

/*
 The contacts of the last step, into a buffer of `room`; `count` gets how many there are. A null
 buffer asks for the count alone.
 */
enum pal_status pal_world_contacts(pal_world world,
                                   struct pal_contact *buffer,
                                   uintptr_t room,
                                   uintptr_t *count);

/*
 The books [J], `PAL_ACCOUNTS` numbers: kinetic, elastic, gravity, tank, contact; supplied,
 damped, friction, impact, discarded, created since the start.
 */
enum pal_status pal_world_ledger(pal_world world, double *accounts);

/*
 Checks the books: `clean` gets 1 if no energy is unexplained; words go to a buffer of `room`
 bytes, which may be null.
 */
enum pal_status pal_world_audit(pal_world world, uint32_t *clean, char *buffer, uintptr_t room);

/*
 Keeps a moment of a world.
 */
enum pal_status pal_world_snapshot(pal_world world, pal_snapshot *kept);

/*
 Returns to a moment of this world or of one of an equal model.
 */
enum pal_status pal_world_restore(pal_world world, pal_snapshot kept);

/*
 Frees a moment.
 */
enum pal_status pal_snapshot_free(pal_snapshot kept);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PALPABLE_H */
