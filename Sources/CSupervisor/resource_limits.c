#include "resource_limits.h"

#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/resource.h>

enum { STACK_SIZE = 8 << 20, COUNTED_STACK_SIZE = 64 << 10, COUNT_LIMIT = 4096 };

void scenario_prepare_memory(void) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) == 0) {
    if (pthread_attr_setstacksize(&attributes, STACK_SIZE) == 0) {
      pthread_setattr_default_np(&attributes);
    }
    pthread_attr_destroy(&attributes);
  }
  struct rlimit space;
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
    mallopt(M_ARENA_MAX, 1);
  }
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

// Stays until it is let go.
static void *wait_at_gate(void *argument) {
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  return argument;
}

int scenario_count_threads(int wanted) {
  static pthread_t threads[COUNT_LIMIT];
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) {
    return 0;
  }
  pthread_attr_setstacksize(&attributes, COUNTED_STACK_SIZE);
  if (wanted > COUNT_LIMIT) {
    wanted = COUNT_LIMIT;
  }
  int count = 0;
  pthread_mutex_lock(&gate);
  while (count < wanted && pthread_create(&threads[count], &attributes, wait_at_gate, NULL) == 0) {
    count++;
  }
  pthread_mutex_unlock(&gate);
  for (int index = 0; index < count; index++) {
    pthread_join(threads[index], NULL);
  }
  pthread_attr_destroy(&attributes);
  return count;
}
