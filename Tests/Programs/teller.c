// teller tells the time when told to: for each line of its standard input it prints a line.
//
//   wall=SECONDS.NANOSECONDS monotonic=SECONDS.NANOSECONDS boot=SECONDS.NANOSECONDS

#define _GNU_SOURCE
#include <stdio.h>
#include <time.h>

static void print_clock(const char *name, clockid_t clock, const char *end) {
  struct timespec now = {0};
  clock_gettime(clock, &now);
  printf("%s=%lld.%09ld%s", name, (long long)now.tv_sec, now.tv_nsec, end);
}

int main(void) {
  char line[64];
  while (fgets(line, sizeof line, stdin) != NULL) {
    print_clock("wall", CLOCK_REALTIME, " ");
    print_clock("monotonic", CLOCK_MONOTONIC, " ");
    print_clock("boot", CLOCK_BOOTTIME, "\n");
    if (fflush(stdout) != 0) {
      return 3;
    }
  }
  return 0;
}
