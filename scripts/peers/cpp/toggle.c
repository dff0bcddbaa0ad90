/* Switches callgrind on and off, and reads the clock of the thread. */
#include <stdint.h>
#include <time.h>
#include <valgrind/callgrind.h>

void peers_count_on(void) { CALLGRIND_START_INSTRUMENTATION; CALLGRIND_ZERO_STATS; }
void peers_count_off(void) { CALLGRIND_STOP_INSTRUMENTATION; }

uint64_t peers_thread_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
