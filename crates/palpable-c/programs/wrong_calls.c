/* Random calls with random handles, numbers and pointers: an error code, never a crash. Every buffer ends where a page
   begins that nobody may touch, so that a library that reads or writes one byte too far ends the program. */
#define _DEFAULT_SOURCE
#include <palpable.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static uint64_t state = 18;
static uint64_t draw(void) { /* xorshift */
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

/* room that ends at a forbidden page; eight are in use at a time */
static char *ends_of_rooms[8];
static void build_rooms(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < 8; i++) {
    char *two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (two == MAP_FAILED || mprotect(two + page, page, PROT_NONE)) exit(2);
    ends_of_rooms[i] = two + page;
  }
}
static void *room(size_t bytes) {
  static unsigned next;
  char *at = ends_of_rooms[next++ % 8] - bytes;
  memset(at, 0x55, bytes);
  return at;
}
#define ROOM(type) ((type *)room(sizeof(type)))
#define MAYBE(type) (draw() % 9 ? ROOM(type) : NULL)

static uint64_t handles[64];
static size_t used;
static void keep(uint64_t handle) { handles[used++ % 64] = handle; }
static uint64_t handle(void) { return draw() % 4 ? handles[draw() % 64] : draw() % 3 ? draw() % 5 : draw(); }

/* bodies and ports of all models, and places */
static uint64_t parts[64];
static size_t known;
static uint64_t part(void) { return draw() % 2 ? parts[draw() % 64] : draw() % 9 ? draw() % 3 : draw(); }

static double number(void) {
  static const double odd[] = {0, 1, -1, 1e-3, 0.1, 1e300, -1e300, 1e-300};
  uint64_t k = draw() % 12;
  if (k == 8) return NAN;
  if (k == 9) return INFINITY;
  return k < 8 ? odd[k] : (double)(draw() % 1000) / 100 - 5;
}

static double *numbers(size_t count) {
  double *at = room(count * sizeof *at);
  for (size_t i = 0; i < count; i++) at[i] = draw() % 8 ? (double)(draw() % 100) / 100 : number();
  return draw() % 10 ? at : NULL;
}

static const char *text(void) {
  static const char *const all[] = {"ball", "hand", "", "floor", "\xff\xfe", "no-such-file.toml"};
  if (draw() % 7 == 0) return NULL;
  const char *word = all[draw() % 6];
  size_t bytes = strlen(word) + 1;
  return memcpy(room(bytes), word, bytes);
}

/* a device whose functions answer anything, on the loop's thread */
static int32_t strange_read(void *user, double *position) {
  uint64_t *own = user;
  *own = *own * 6364136223846793005u + 1;
  for (int i = 0; i < 3; i++) position[i] = *own >> 62 ? 1e-3 * i : i == (int)(*own >> 59) ? NAN : 1e9;
  return *own >> 58 == 7;
}
static int32_t strange_write(void *user, const double *force) {
  return isfinite(force[0]) && user ? 0 : 1;
}
static uint64_t tape[64];

/* a world that can be held: random ones seldom have a reference port */
static uint64_t held_world, held_port;
static int build_a_held_world(void) {
  static const double rows[6] = {100, 100, 100, 1, 1, 1};
  pal_model model;
  pal_body ball;
  pal_body_desc desc;
  pal_anchor at = {.body = 0};
  pal_body_default(&desc);
  desc.name = "ball";
  return pal_model_new(&model) || pal_model_body(model, &desc, &ball) ||
         pal_model_reference_port(model, "hand", &at, rows, rows, &held_port) ||
         pal_world_new(model, &held_world) || pal_model_free(model);
}

static pal_status start_a_loop(uint64_t *out) {
  static unsigned loops;
  pal_device *device = ROOM(pal_device);
  pal_device sound = {strange_read, strange_write, &tape[loops % 64], 1000, 0.1, 2, 10};
  if (draw() % 8 == 0) sound.read = NULL;
  if (draw() % 8 == 0) sound.rate = number();
  if (draw() % 8 == 0) sound.mass = number();
  if (draw() % 8 == 0) sound.max_force = number();
  tape[loops++ % 64] |= 1;
  memcpy(device, &sound, sizeof sound);
  int held = draw() % 2;
  return pal_servo_start(held ? held_world : handle(), held ? held_port : part(), draw() % 20 ? device : NULL, out);
}

static pal_status add_a_body(uint64_t *id) {
  pal_body_desc *desc = ROOM(pal_body_desc);
  pal_body_default(desc);
  desc->name = text();
  desc->shape = draw() % 7;
  if (draw() % 3 == 0) desc->size[draw() % 3] = number();
  if (draw() % 3 == 0) desc->mass = number();
  desc->position[2] = number();
  desc->law = draw() % 4 ? 0 : draw() % 7;
  if (desc->law > 3) desc->modulus = draw() % 4 ? 1e6 : number();
  return pal_model_body(handle(), draw() % 20 ? desc : NULL, draw() % 2 ? id : NULL);
}

static pal_anchor *anchors(size_t count) {
  pal_anchor *at = room(count * sizeof *at);
  memset(at, 0, count * sizeof *at);
  for (size_t i = 0; i < count; i++) at[i].body = i && draw() % 2 ? PAL_WORLD : part();
  return draw() % 20 ? at : NULL;
}

static pal_status ask(uint64_t *id) {
  size_t many = draw() % 64;
  switch (draw() % 14) {
  case 0: return pal_world_pose(handle(), part(), numbers(3), numbers(4));
  case 1: return pal_world_velocity(handle(), part(), numbers(3), numbers(3));
  case 2: return pal_world_port(handle(), part(), MAYBE(pal_port_output));
  case 3:
    many %= 5;
    return pal_world_contacts(handle(), draw() % 3 ? room(many * sizeof(pal_contact)) : NULL, many, MAYBE(uintptr_t));
  case 4: return pal_world_ledger(handle(), numbers(PAL_ACCOUNTS));
  case 5: return pal_world_audit(handle(), MAYBE(uint32_t), draw() % 9 ? room(many) : NULL, many);
  case 6: return pal_world_body_named(handle(), text(), MAYBE(uint64_t));
  case 7: return pal_world_port_named(handle(), text(), draw() % 9 ? id : NULL);
  case 8: return pal_world_time(handle(), MAYBE(double));
  case 9: return pal_world_hash(handle(), MAYBE(uint64_t));
  case 10: return pal_world_body_count(handle(), MAYBE(uintptr_t));
  case 11: return pal_servo_look(handle(), MAYBE(pal_servo_live));
  case 12: pal_error(draw() % 9 ? room(many) : NULL, many); return PAL_OK;
  default: return pal_check_version((uint32_t)draw() % 4);
  }
}

static pal_status call(uint64_t *made, uint64_t *id) {
  uint64_t *out = draw() % 20 ? made : NULL;
  switch (draw() % 30) {
  case 0: return pal_model_new(out);
  case 1: return pal_model_free(draw() % 8 ? 0 : handle());
  case 2: return pal_model_gravity(handle(), numbers(3));
  case 3: return pal_model_contacts(handle(), draw() % 9 ? 0 : draw());
  case 4: case 5: case 6: return add_a_body(id);
  case 7: return pal_model_spring(handle(), draw() % 7, anchors(2), numbers(6), numbers(6), MAYBE(uint64_t));
  case 8: return pal_model_joint(handle(), draw() % 9, anchors(2), MAYBE(uint64_t));
  case 9: return pal_model_force_port(handle(), text(), anchors(1), draw() % 2 ? id : NULL);
  case 10: return pal_model_reference_port(handle(), text(), anchors(1), numbers(6), numbers(6), draw() % 2 ? id : NULL);
  case 11: case 12: return pal_world_new(handle(), out);
  case 13: return pal_world_load(text(), out);
  case 14: return pal_world_clone(handle(), out);
  case 15: return pal_world_free(draw() % 8 ? 0 : handle());
  case 16: case 17: return pal_world_step(handle(), draw() % 3 ? 1e-3 : number(), draw() % 2 ? ROOM(pal_report) : NULL);
  case 18: return pal_world_run(handle(), 1e-3, draw() % 5);
  case 19: return pal_world_set_force(handle(), part(), numbers(3), numbers(3));
  case 20: return pal_world_set_reference(handle(), part(), numbers(3), numbers(4));
  case 21: return pal_world_snapshot(handle(), out);
  case 22: return pal_world_restore(handle(), handle());
  case 23: return pal_snapshot_free(draw() % 8 ? 0 : handle());
  case 24: return pal_world_idle(handle(), part());
  case 25: return draw() % 8 ? ask(id) : pal_model_ghosts(handle());
  case 26: return draw() % 8 ? ask(id) : start_a_loop(out);
  case 27: return draw() % 8 ? ask(id) : pal_servo_stop(handle());
  default: return ask(id);
  }
}

int main(int count, char **arguments) {
  long calls = count > 1 ? atol(arguments[1]) : 100000, ok = 0;
  long kinds[PAL_DEFECT + 1] = {0};
  if (count > 2) state = strtoull(arguments[2], NULL, 10) | 1;
  build_rooms();
  if (build_a_held_world()) return 2;
  for (long i = 0; i < calls; i++) {
    uint64_t made = 0, id = 0;
    pal_status s = call(&made, &id);
    if ((unsigned)s > PAL_DEFECT || s == PAL_DEFECT) {
      char words[256] = "a status that is none";
      pal_error(words, sizeof words);
      fprintf(stderr, "a defect at call %ld: %s\n", i, words);
      return 1;
    }
    kinds[s]++;
    if (s == PAL_OK) ok++;
    if (made) keep(made);
    if (id) parts[known++ % 64] = id;
  }
  for (int i = 0; i < 64; i++) pal_servo_stop(handles[i]);
  printf("%ld calls, %ld of them done; by status:", calls, ok);
  for (int s = 0; s <= PAL_DEFECT; s++) printf(" %ld", kinds[s]);
  printf("\n");
  return ok > calls / 20 ? 0 : 1;
}
