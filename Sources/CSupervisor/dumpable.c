#include "dumpable.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/prctl.h>

// The flag belongs to the process, and many supervisors start targets at once.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_closed;
static unsigned int openings;

int scenario_close_process(void) {
  pthread_mutex_lock(&lock);
  int error = 0;
  if (!is_closed && openings == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
    error = errno;
  }
  is_closed = error == 0;
  pthread_mutex_unlock(&lock);
  return error;
}

void scenario_begin_opening(void) {
  int saved = errno;
  pthread_mutex_lock(&lock);
  if (openings++ == 0 && is_closed) {
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  }
  pthread_mutex_unlock(&lock);
  errno = saved;
}

void scenario_end_opening(void) {
  int saved = errno;
  pthread_mutex_lock(&lock);
  if (--openings == 0 && is_closed) {
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  }
  pthread_mutex_unlock(&lock);
  errno = saved;
}

int scenario_open_own_file(const char *path) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 && errno == EACCES) {
    scenario_begin_opening();
    descriptor = open(path, O_RDONLY | O_CLOEXEC);
    scenario_end_opening();
  }
  return descriptor;
}
