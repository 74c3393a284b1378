// clocks prints what each clock says: by libc, which asks the vDSO, and by the raw system call.
//
//   NAME libc=SECONDS.NANOSECONDS raw=SECONDS.NANOSECONDS
//
// gettimeofday has microseconds and time has seconds only.

#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct named_clock {
  const char *name;
  clockid_t identifier;
};

static const struct named_clock clocks[] = {
    {"realtime", CLOCK_REALTIME},
    {"realtime-coarse", CLOCK_REALTIME_COARSE},
    {"tai", CLOCK_TAI},
    {"monotonic", CLOCK_MONOTONIC},
    {"monotonic-coarse", CLOCK_MONOTONIC_COARSE},
    {"monotonic-raw", CLOCK_MONOTONIC_RAW},
    {"boottime", CLOCK_BOOTTIME},
};

static void print_clock(struct named_clock clock) {
  struct timespec libc = {0};
  struct timespec raw = {0};
  clock_gettime(clock.identifier, &libc);
  syscall(SYS_clock_gettime, clock.identifier, &raw);
  printf(
      "%s libc=%lld.%09ld raw=%lld.%09ld\n", clock.name, (long long)libc.tv_sec, libc.tv_nsec,
      (long long)raw.tv_sec, raw.tv_nsec);
}

static void print_time_of_day(void) {
  struct timeval libc = {0};
  struct timeval raw = {0};
  gettimeofday(&libc, NULL);
  syscall(SYS_gettimeofday, &raw, NULL);
  printf(
      "gettimeofday libc=%lld.%06ld raw=%lld.%06ld\n", (long long)libc.tv_sec, (long)libc.tv_usec,
      (long long)raw.tv_sec, (long)raw.tv_usec);
}

static void print_time(void) {
  time_t libc = time(NULL);
  long raw = syscall(SYS_time, NULL);
  printf("time libc=%lld raw=%ld\n", (long long)libc, raw);
}

int main(void) {
  for (size_t index = 0; index < sizeof clocks / sizeof *clocks; index += 1) {
    print_clock(clocks[index]);
  }
  print_time_of_day();
  print_time();
  return fflush(stdout) == 0 ? 0 : 3;
}
