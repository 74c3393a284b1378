// THREADS threads that wait on a condition, which never comes, for ten milliseconds at a time, ROUNDS times each.
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static long rounds;

static void *wait_in_vain(void *argument) {
  (void)argument;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_t condition;
  pthread_cond_init(&condition, &attributes);
  pthread_mutex_lock(&mutex);
  for (long round = 0; round < rounds; round++) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += 10000000;
    if (end.tv_nsec >= 1000000000) {
      end.tv_nsec -= 1000000000;
      end.tv_sec++;
    }
    pthread_cond_timedwait(&condition, &mutex, &end);
  }
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(int count, char **arguments) {
  long thread_count = count > 1 ? atol(arguments[1]) : 20;
  rounds = count > 2 ? atol(arguments[2]) : 100;
  pthread_t *threads = calloc((size_t)thread_count, sizeof *threads);
  for (long index = 0; index < thread_count; index++) {
    pthread_create(&threads[index], NULL, wait_in_vain, NULL);
  }
  for (long index = 0; index < thread_count; index++) {
    pthread_join(threads[index], NULL);
  }
  free(threads);
  return 0;
}
