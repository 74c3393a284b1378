// Makes one system call again and again; prints the least and the median of its batches, in processor
// cycles a call: what a clock shows is the scenario's to say. "cycles" prints how many a nanosecond has.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

enum { batches = 40, calls = 1000 };

static double nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int print_rate(void) {
  double begin = nanoseconds();
  uint64_t first = __rdtsc();
  usleep(50000);
  uint64_t last = __rdtsc();
  printf("%.6f\n", (double)(last - first) / (nanoseconds() - begin));
  return 0;
}

static int compare(const void *left, const void *right) {
  double difference = *(const double *)left - *(const double *)right;
  return (difference > 0) - (difference < 0);
}

int main(int count, char **words) {
  const char *call = count > 1 ? words[1] : "";
  if (strcmp(call, "cycles") == 0) return print_rate();
  int is_write = strcmp(call, "write") == 0, is_read = strcmp(call, "pread64") == 0;
  int file = open(is_write ? "/dev/null" : words[0], is_write ? O_WRONLY : O_RDONLY);
  if (file < 0) return 1;
  double costs[batches];
  char byte = 0;
  for (int batch = 0; batch < batches; batch++) {
    uint64_t begin = __rdtsc();
    for (int index = 0; index < calls; index++) {
      long result = is_write  ? write(file, &byte, 1)
                    : is_read ? pread(file, &byte, 1, 0)
                              : lseek(file, 0, SEEK_SET);
      if (result < 0) return 1;
    }
    costs[batch] = (double)(__rdtsc() - begin) / calls;
  }
  qsort(costs, batches, sizeof *costs, compare);
  printf("least %.1f median %.1f\n", costs[0], costs[batches / 2]);
  return 0;
}
