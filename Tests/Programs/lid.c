// lid sleeps an hour on a clock, and says when it wakes.
//
//   lid monotonic|boottime|realtime relative|absolute
//   awake

#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>

static clockid_t clock_named(const char *name) {
  if (strcmp(name, "boottime") == 0) {
    return CLOCK_BOOTTIME;
  }
  return strcmp(name, "realtime") == 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
}

int main(int argument_count, char **arguments) {
  if (argument_count != 3) {
    fprintf(stderr, "usage: lid monotonic|boottime|realtime relative|absolute\n");
    return 2;
  }
  clockid_t clock = clock_named(arguments[1]);
  int is_absolute = strcmp(arguments[2], "absolute") == 0;
  struct timespec until = {0};
  if (is_absolute) {
    clock_gettime(clock, &until);
  }
  until.tv_sec += 3600;
  if (clock_nanosleep(clock, is_absolute ? TIMER_ABSTIME : 0, &until, NULL) != 0) {
    return 3;
  }
  printf("awake\n");
  return fflush(stdout) == 0 ? 0 : 3;
}
