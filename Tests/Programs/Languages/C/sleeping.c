// Sleeping.

#define _GNU_SOURCE
#include "probe.h"

#include <errno.h>
#include <threads.h>
#include <unistd.h>

static bool wait_sleep(int64_t milliseconds) { return sleep((unsigned)(milliseconds / 1000)) == 0; }

static bool wait_usleep(int64_t milliseconds) {
  return usleep((useconds_t)(milliseconds * 1000)) == 0;
}

static bool wait_nanosleep(int64_t milliseconds) {
  struct timespec request = length(milliseconds);
  return nanosleep(&request, NULL) == 0;
}

static bool wait_clock_nanosleep(int64_t milliseconds) {
  struct timespec request = length(milliseconds);
  return clock_nanosleep(CLOCK_MONOTONIC, 0, &request, NULL) == 0;
}

static bool sleep_until(clockid_t clock, int64_t milliseconds) {
  struct timespec request = after(clock, milliseconds);
  return clock_nanosleep(clock, TIMER_ABSTIME, &request, NULL) == 0;
}

static bool wait_clock_nanosleep_monotonic(int64_t milliseconds) {
  return sleep_until(CLOCK_MONOTONIC, milliseconds);
}

static bool wait_clock_nanosleep_realtime(int64_t milliseconds) {
  return sleep_until(CLOCK_REALTIME, milliseconds);
}

static bool wait_clock_nanosleep_boottime(int64_t milliseconds) {
  return sleep_until(CLOCK_BOOTTIME, milliseconds);
}

static bool wait_thrd_sleep(int64_t milliseconds) {
  struct timespec request = length(milliseconds);
  return thrd_sleep(&request, NULL) == 0;
}

const struct wait_row sleeping_rows[] = {
    {"sleep", wait_sleep},
    {"usleep", wait_usleep},
    {"nanosleep", wait_nanosleep},
    {"clock_nanosleep", wait_clock_nanosleep},
    {"clock_nanosleep-monotonic", wait_clock_nanosleep_monotonic},
    {"clock_nanosleep-realtime", wait_clock_nanosleep_realtime},
    {"clock_nanosleep-boottime", wait_clock_nanosleep_boottime},
    {"thrd_sleep", wait_thrd_sleep},
    {NULL, NULL},
};
