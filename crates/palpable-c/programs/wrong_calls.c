/* Random calls with random handles, numbers and pointers: an error code, never a crash. */
#include <palpable.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 18;
static uint64_t draw(void) { /* xorshift */
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

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

static double *numbers(void) {
  static double room[16];
  for (int i = 0; i < 16; i++) room[i] = draw() % 8 ? (double)(draw() % 100) / 100 : number();
  return draw() % 10 ? room : NULL;
}

static const char *text(void) {
  static const char *const all[] = {"ball", "hand", "", "floor", "\xff\xfe", "no-such-file.toml", NULL};
  return all[draw() % 7];
}

int main(int count, char **arguments) {
  long calls = count > 1 ? atol(arguments[1]) : 100000, ok = 0;
  for (long i = 0; i < calls; i++) {
    uint64_t made = 0, id = 0, *out = draw() % 20 ? &made : NULL;
    pal_body_desc desc;
    pal_anchor ends[2] = {{.body = part()}, {.body = draw() % 2 ? PAL_WORLD : part()}};
    pal_contact contacts[4];
    pal_report report;
    pal_port_output output;
    char words[64];
    size_t length;
    uint32_t clean;
    pal_status s;
    switch (draw() % 30) {
    case 0: s = pal_model_new(out); break;
    case 1: s = pal_model_free(draw() % 8 ? 0 : handle()); break;
    case 2: s = pal_model_gravity(handle(), numbers()); break;
    case 3: s = pal_model_contacts(handle(), draw() % 9 ? 0 : draw()); break;
    case 4: case 5: case 6:
      pal_body_default(&desc);
      desc.name = text();
      desc.shape = draw() % 7;
      if (draw() % 3 == 0) desc.size[draw() % 3] = number();
      if (draw() % 3 == 0) desc.mass = number();
      desc.position[2] = number();
      desc.law = draw() % 4 ? 0 : draw() % 7;
      if (desc.law > 3) desc.modulus = draw() % 4 ? 1e6 : number();
      s = pal_model_body(handle(), draw() % 20 ? &desc : NULL, draw() % 2 ? &id : NULL);
      break;
    case 7: s = pal_model_spring(handle(), draw() % 7, ends, numbers(), numbers(), NULL); break;
    case 8: s = pal_model_joint(handle(), draw() % 9, ends, NULL); break;
    case 9: s = pal_model_force_port(handle(), text(), ends, draw() % 2 ? &id : NULL); break;
    case 10: s = pal_model_reference_port(handle(), text(), ends, numbers(), numbers(), draw() % 2 ? &id : NULL); break;
    case 11: case 12: s = pal_world_new(handle(), out); break;
    case 13: s = pal_world_load(text(), out); break;
    case 14: s = pal_world_clone(handle(), out); break;
    case 15: s = pal_world_free(draw() % 8 ? 0 : handle()); break;
    case 16: case 17: s = pal_world_step(handle(), draw() % 3 ? 1e-3 : number(), draw() % 2 ? &report : NULL); break;
    case 18: s = pal_world_run(handle(), 1e-3, draw() % 5); break;
    case 19: s = pal_world_set_force(handle(), part(), numbers(), numbers()); break;
    case 20: s = pal_world_set_reference(handle(), part(), numbers(), numbers()); break;
    case 21: s = pal_world_pose(handle(), part(), numbers(), numbers()); break;
    case 22: s = pal_world_port(handle(), part(), draw() % 9 ? &output : NULL); break;
    case 23: s = pal_world_contacts(handle(), draw() % 3 ? contacts : NULL, draw() % 5, &length); break;
    case 24: s = pal_world_ledger(handle(), numbers()); break;
    case 25: s = pal_world_audit(handle(), &clean, words, draw() % sizeof words); break;
    case 26: s = pal_world_snapshot(handle(), out); break;
    case 27: s = pal_world_restore(handle(), handle()); break;
    case 28: s = pal_snapshot_free(draw() % 8 ? 0 : handle()); break;
    default: s = pal_world_body_named(handle(), text(), NULL); break;
    }
    if (s == PAL_OK) ok++;
    if (s == PAL_DEFECT) {
      pal_error(words, sizeof words);
      fprintf(stderr, "a defect at call %ld: %s\n", i, words);
      return 1;
    }
    if (made) keep(made);
    if (id) parts[known++ % 64] = id;
  }
  printf("%ld calls, %ld of them done\n", calls, ok);
  return ok > calls / 20 ? 0 : 1;
}
