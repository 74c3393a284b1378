// threads starts one thread for each length and lets it sleep that long; each tells when it wakes.
//
//   threads MILLISECONDS...
//
// The lines come in the order of the lengths, whatever the order of the arguments, with the time that
// has passed since the start:
//
//   thread N woke after MILLISECONDS ms

#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { maximum_threads = 1024 };

struct sleeper {
  pthread_t thread;
  int number;
  long milliseconds;
};

static struct timespec start;

static int64_t milliseconds_since_start(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  int64_t nanoseconds =
      (int64_t)(now.tv_sec - start.tv_sec) * 1000000000 + (now.tv_nsec - start.tv_nsec);
  return nanoseconds / 1000000;
}

static void *sleep_and_tell(void *argument) {
  const struct sleeper *sleeper = argument;
  struct timespec length = {
      .tv_sec = sleeper->milliseconds / 1000, .tv_nsec = sleeper->milliseconds % 1000 * 1000000};
  nanosleep(&length, NULL);
  // One call, so that lines of different threads never mix.
  printf("thread %d woke after %lld ms\n", sleeper->number, (long long)milliseconds_since_start());
  fflush(stdout);
  return NULL;
}

int main(int count, char **arguments) {
  static struct sleeper sleepers[maximum_threads];
  int threads = count - 1;
  if (threads < 1 || threads > maximum_threads) {
    fprintf(stderr, "usage: threads MILLISECONDS... (at most %d)\n", maximum_threads);
    return 2;
  }
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int index = 0; index < threads; index += 1) {
    sleepers[index].number = index + 1;
    sleepers[index].milliseconds = strtol(arguments[index + 1], NULL, 10);
    if (pthread_create(&sleepers[index].thread, NULL, sleep_and_tell, &sleepers[index]) != 0) {
      fprintf(stderr, "thread %d could not be started\n", index + 1);
      return 3;
    }
  }
  for (int index = 0; index < threads; index += 1) pthread_join(sleepers[index].thread, NULL);
  return 0;
}
