// readers reads a clock in many threads of two processes at once, until its standard input ends or says
// something, and counts how often the clock went back: showed less than what somebody had seen before.
//
//   readers monotonic|realtime THREADS
//   reads=N backwards=N
//
// It says "ready" first, when every thread has read the clock; every thread reads once more at the end.
//
// Every eighth reading is made by the raw system call, the others by libc, which asks the vDSO.

#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct shared {
  _Atomic int64_t latest;
  _Atomic uint64_t reads;
  _Atomic uint64_t backwards;
  _Atomic int has_ended;
  _Atomic int started;
};

static struct shared *shared;
static clockid_t clock_identifier;

static int64_t now(unsigned count) {
  struct timespec time = {0};
  if (count % 8 == 0) {
    syscall(SYS_clock_gettime, clock_identifier, &time);
  } else {
    clock_gettime(clock_identifier, &time);
  }
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void *read_clock(void *unused) {
  (void)unused;
  int is_last = 0;
  for (unsigned count = 0; !is_last; count += 1) {
    is_last = atomic_load(&shared->has_ended);
    int64_t seen = atomic_load(&shared->latest);
    int64_t reading = now(count);
    atomic_fetch_add(&shared->reads, 1);
    if (reading < seen) {
      atomic_fetch_add(&shared->backwards, 1);
    }
    while (seen < reading && !atomic_compare_exchange_weak(&shared->latest, &seen, reading)) {
    }
    if (count == 0) {
      atomic_fetch_add(&shared->started, 1);
    }
  }
  return NULL;
}

static int start_threads(pthread_t *threads, int count) {
  for (int index = 0; index < count; index += 1) {
    if (pthread_create(&threads[index], NULL, read_clock, NULL) != 0) {
      return -1;
    }
  }
  return 0;
}

static void join_threads(pthread_t *threads, int count) {
  for (int index = 0; index < count; index += 1) {
    pthread_join(threads[index], NULL);
  }
}

int main(int argument_count, char **arguments) {
  if (argument_count != 3) {
    fprintf(stderr, "usage: readers monotonic|realtime THREADS\n");
    return 2;
  }
  clock_identifier = strcmp(arguments[1], "realtime") == 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  int count = atoi(arguments[2]) / 2;
  pthread_t *threads = calloc((size_t)count, sizeof *threads);
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (threads == NULL || shared == MAP_FAILED) {
    return 3;
  }
  pid_t child = fork();
  if (child < 0 || start_threads(threads, count) != 0) {
    return 3;
  }
  if (child != 0) {
    while (atomic_load(&shared->started) < 2 * count) {
      usleep(1000);
    }
    printf("ready\n");
    fflush(stdout);
    char byte;
    ssize_t ignored = read(0, &byte, 1);
    (void)ignored;
    atomic_store(&shared->has_ended, 1);
  }
  join_threads(threads, count);
  if (child == 0) {
    return 0;
  }
  waitpid(child, NULL, 0);
  printf(
      "reads=%llu backwards=%llu\n", (unsigned long long)shared->reads,
      (unsigned long long)shared->backwards);
  return fflush(stdout) == 0 ? 0 : 3;
}
