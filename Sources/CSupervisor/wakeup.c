#include "wakeup.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

// A signal handler can reach nothing but static storage. 0 is a free place, else descriptor + 1.
static atomic_int bells[SCENARIO_MAXIMUM_SUPERVISORS];
static atomic_int bell_count;
static _Thread_local volatile sig_atomic_t is_sleeping;

static void ring_all(int signal) {
  (void)signal;
  // The signal itself wakes the supervisor that it interrupts; the others need their bells.
  if (is_sleeping && atomic_load(&bell_count) < 2) {
    return;
  }
  int saved = errno;
  for (int place = 0; place < SCENARIO_MAXIMUM_SUPERVISORS; place++) {
    int descriptor = atomic_load(&bells[place]);
    if (descriptor != 0) {
      uint64_t one = 1;
      ssize_t written = write(descriptor - 1, &one, sizeof one);
      (void)written;
    }
  }
  errno = saved;
}

int scenario_prepare_wakeups(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  int error = pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (error != 0) {
    return error;
  }
  struct sigaction action = {.sa_handler = ring_all};
  sigemptyset(&action.sa_mask);
  return sigaction(SIGCHLD, &action, NULL) != 0 ? errno : 0;
}

int scenario_open_bell(int non_blocking) {
  return eventfd(0, EFD_CLOEXEC | (non_blocking ? EFD_NONBLOCK : 0));
}

int scenario_register_bell(int event_descriptor) {
  for (int place = 0; place < SCENARIO_MAXIMUM_SUPERVISORS; place++) {
    int expected = 0;
    if (atomic_compare_exchange_strong(&bells[place], &expected, event_descriptor + 1)) {
      atomic_fetch_add(&bell_count, 1);
      return place;
    }
  }
  return -1;
}

void scenario_unregister_bell(int place) {
  atomic_store(&bells[place], 0);
  atomic_fetch_sub(&bell_count, 1);
}

int scenario_sleep(struct pollfd *descriptors, uint32_t count, int64_t timeout_nanoseconds) {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  sigdelset(&mask, SIGCHLD);
  struct timespec timeout = {.tv_sec = timeout_nanoseconds / 1000000000,
                             .tv_nsec = timeout_nanoseconds % 1000000000};
  is_sleeping = 1;
  int result = ppoll(descriptors, count, timeout_nanoseconds < 0 ? NULL : &timeout, &mask);
  is_sleeping = 0;
  return result < 0 && errno == EINTR ? 0 : result;
}
