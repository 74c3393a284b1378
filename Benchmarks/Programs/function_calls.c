// Calls malloc and free, and a function of its own, again and again; prints the least time of 200 batches,
// in nanoseconds per call.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

__attribute__((noinline, noclone)) int watched_function(int number) {
  __asm__ volatile("" : "+r"(number) : : "memory");
  return number * 7 + (number >> 3);
}

static double now(void) {
  struct timespec time;
  // The machine's own clock, whatever the scenario says.
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(void) {
  enum { batches = 200, calls = 20000 };
  double least_allocation = 1e18, least_call = 1e18;
  for (int batch = 0; batch < batches; batch++) {
    double begin = now();
    for (int index = 0; index < calls; index++) {
      void *memory = malloc(32);
      __asm__ volatile("" : "+r"(memory) : : "memory");
      free(memory);
    }
    double middle = now();
    int total = 0;
    for (int index = 0; index < calls; index++) {
      total = watched_function(total);
    }
    double end = now();
    if ((middle - begin) / calls < least_allocation) least_allocation = (middle - begin) / calls;
    if ((end - middle) / calls < least_call) least_call = (end - middle) / calls;
  }
  printf("allocation %.2f call %.2f\n", least_allocation, least_call);
  return 0;
}
