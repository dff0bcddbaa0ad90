/* 10 mg on 100 N/m at 1 ms: the hello world of the README, with its mistakes told in words. */
#include <palpable.h>
#include <inttypes.h>
#include <stdio.h>

static int failed(const char *what) {
  char words[512];
  pal_error(words, sizeof words);
  fprintf(stderr, "%s: %s\n", what, words);
  return 1;
}

int main(void) {
  pal_model model;
  pal_world world;
  pal_body ball;
  pal_body_desc desc;
  const double stiffness[6] = {100, 100, 100, 100, 100, 100}, damping[6] = {0};
  double position[3], accounts[PAL_ACCOUNTS];
  uint64_t hash;
  uint32_t clean;

  if (pal_check_version(PAL_VERSION)) return failed("version");
  if (pal_model_new(&model)) return failed("model");
  pal_body_default(&desc);
  desc.name = "ball";
  desc.mass = 1e-5;
  desc.position[0] = 0.1;
  if (pal_model_body(model, &desc, &ball)) return failed("body");
  const pal_anchor ends[2] = {{.body = ball}, {.body = PAL_WORLD}};
  if (pal_model_spring(model, PAL_SPRING_POINT, ends, stiffness, damping, NULL)) return failed("spring");
  if (pal_world_new(model, &world)) return failed("world");
  pal_model_free(model);
  if (pal_world_run(world, 1e-3, 1000)) return failed("run");
  if (pal_world_hash(world, &hash)) return failed("hash");
  if (pal_world_run(world, 1e-3, 99000)) return failed("run");
  pal_world_pose(world, ball, position, NULL);
  pal_world_ledger(world, accounts);
  pal_world_audit(world, &clean, NULL, 0);
  printf("x = %.4f m, energy %.13f J, hash after 1000 steps %#" PRIx64 "\n", position[0],
         accounts[0] + accounts[1] + accounts[2] + accounts[3] + accounts[4], hash);
  pal_world_free(world);
  if (pal_world_run(world, 1e-3, 1) != PAL_BAD_HANDLE) return failed("a freed world");
  /* the same number as in Rust and in Python */
  return clean && hash == UINT64_C(0x57d01e59cd343aca) ? 0 : failed("audit or hash");
}
