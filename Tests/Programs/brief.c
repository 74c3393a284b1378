// brief reads the clock once, computes for so many milliseconds of processor time, and says what it read.
//
//   brief MILLISECONDS

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int count, char **words) {
  struct timespec now, spent;
  clock_gettime(CLOCK_REALTIME, &now);
  long wanted = count > 1 ? atol(words[1]) * 1000000 : 0;
  do {
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
  } while (spent.tv_sec * 1000000000 + spent.tv_nsec < wanted);
  printf("%lld.%09ld\n", (long long)now.tv_sec, now.tv_nsec);
  return 0;
}
