// sleepers THREADS ROUNDS: each thread sleeps ROUNDS times; tells whether the calls left the registers of
// their arguments alone, as system calls do.

#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>

enum { limit = 256 };

static int rounds;
static atomic_int changed;

static void *sleep_often(void *number) {
  struct timespec length = {.tv_nsec = (1 + *(int *)number) * 1000000L};
  for (int round = 0; round < rounds; round++) {
    const void *first = &length;
    void *second = NULL;
    long result = SYS_nanosleep;
    __asm__ volatile("syscall"
                     : "+a"(result), "+D"(first), "+S"(second)
                     :
                     : "rcx", "r11", "memory");
    if (first != &length || second != NULL || result != 0) {
      changed++;
    }
  }
  return NULL;
}

int main(int argc, char **argv) {
  int count = argc > 2 ? atoi(argv[1]) : 0;
  rounds = argc > 2 ? atoi(argv[2]) : 0;
  if (count < 1 || count > limit) {
    return 2;
  }
  pthread_t threads[limit];
  int numbers[limit];
  for (int index = 0; index < count; index++) {
    numbers[index] = index;
    pthread_create(&threads[index], NULL, sleep_often, &numbers[index]);
  }
  for (int index = 0; index < count; index++) {
    pthread_join(threads[index], NULL);
  }
  printf("changed=%d\n", changed);
  return 0;
}
