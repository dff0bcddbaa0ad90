// A haptic loop at 1 kHz: a hand swings a ball; put the functions of a device in the place of `read` and `write`.
#include <palpable.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <thread>

static int read(void *time, double *position) {
  position[2] = 0.03 * std::cos(6.28 * (*static_cast<double *>(time) += 1e-3));
  return 0;
}
static int write(void *, const double *force) { return std::isfinite(force[2]) ? 0 : 1; }

int main(int, char **files) {
  double time = 0;
  pal_world world;
  pal_port hand;
  pal_servo servo;
  pal_servo_live live{};
  const pal_device device{read, write, &time, 1000, 0.1, 2, 10};
  if (pal_world_load(files[1], &world) || pal_world_port_named(world, "hand", &hand)) return 1;
  if (pal_servo_start(world, hand, &device, &servo)) return 1;
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  pal_servo_look(servo, &live);
  std::printf("%llu ticks, %g N at %g m\n", (unsigned long long)live.ticks, live.force[2], live.position[2]);
  return pal_servo_stop(servo) || pal_world_free(world) || live.ticks < 50;
}
