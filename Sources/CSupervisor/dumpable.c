#include "dumpable.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The flag belongs to the process, and many supervisors start targets at once.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_closed;
static unsigned int openings;
static _Thread_local unsigned int own_openings;
static pthread_cond_t nothing_is_open = PTHREAD_COND_INITIALIZER;

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

void scenario_adopt_orphans(void) {
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

void scenario_begin_opening(void) {
  int saved = errno;
  own_openings++;
  pthread_mutex_lock(&lock);
  if (openings++ == 0 && is_closed) {
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  }
  pthread_mutex_unlock(&lock);
  errno = saved;
}

void scenario_end_opening(void) {
  int saved = errno;
  own_openings--;
  pthread_mutex_lock(&lock);
  if (--openings == 0) {
    if (is_closed) {
      prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    }
    pthread_cond_broadcast(&nothing_is_open);
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

// The C library's functions would change all threads.
static bool take_identity(uid_t user, gid_t group) {
  // Who has user 0 as effective one may go back; the group goes first, as its change needs that, too.
  if (syscall(SYS_setresgid, group, -1, -1) != 0) {
    return false;
  }
  setfsgid(group);
  if (syscall(SYS_setresuid, user, -1, -1) != 0) {
    return false;
  }
  setfsuid(user);
  return true;
}

int scenario_borrow_identity(uid_t user, gid_t group) {
  // Nobody waits for an end that it must bring about itself.
  if (geteuid() != 0 || own_openings > 0) {
    return 0;
  }
  pthread_mutex_lock(&lock);
  // The kernel clears the flag of a process that changes its user.
  while (openings > 0) {
    pthread_cond_wait(&nothing_is_open, &lock);
  }
  if (take_identity(user, group)) {
    return 1;
  }
  scenario_return_identity();
  return 0;
}

void scenario_return_identity(void) {
  int saved = errno;
  // By itself: only this call gives the capabilities for files back that it took (capabilities(7)).
  setfsuid(geteuid());
  take_identity(geteuid(), getegid());
  prctl(PR_SET_DUMPABLE, is_closed ? 0 : 1, 0, 0, 0);
  pthread_mutex_unlock(&lock);
  errno = saved;
}
