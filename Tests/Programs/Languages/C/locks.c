// Locks, conditions, semaphores and joins, of POSIX and of C11, and the futex calls that no library
// makes.

#define _GNU_SOURCE
#include "probe.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

// MARK: conditions

static bool cond_timedwait(clockid_t clock, int64_t milliseconds) {
  pthread_condattr_t attributes;
  pthread_cond_t condition;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, clock);
  pthread_cond_init(&condition, &attributes);
  struct timespec deadline = after(clock, milliseconds);
  pthread_mutex_lock(&mutex);
  return pthread_cond_timedwait(&condition, &mutex, &deadline) == ETIMEDOUT;
}

static bool wait_cond_timedwait(int64_t milliseconds) {
  return cond_timedwait(CLOCK_REALTIME, milliseconds);
}

static bool wait_cond_timedwait_monotonic(int64_t milliseconds) {
  return cond_timedwait(CLOCK_MONOTONIC, milliseconds);
}

static bool wait_cnd_timedwait(int64_t milliseconds) {
  cnd_t condition;
  mtx_t mutex;
  if (cnd_init(&condition) != thrd_success || mtx_init(&mutex, mtx_plain) != thrd_success) return false;
  struct timespec deadline = after(CLOCK_REALTIME, milliseconds);
  mtx_lock(&mutex);
  return cnd_timedwait(&condition, &mutex, &deadline) == thrd_timedout;
}

// MARK: mutexes

static void lock_mutex(void *mutex) { pthread_mutex_lock(mutex); }

static void make_held_mutex(pthread_mutex_t *mutex, int protocol) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, protocol);
  pthread_mutex_init(mutex, &attributes);
  hold(lock_mutex, mutex);
}

static bool mutex_timedlock(pthread_mutex_t *mutex, int protocol, int64_t milliseconds) {
  make_held_mutex(mutex, protocol);
  struct timespec deadline = after(CLOCK_REALTIME, milliseconds);
  return pthread_mutex_timedlock(mutex, &deadline) == ETIMEDOUT;
}

// A holder keeps its lock for ever, so what it holds lives for ever too.
static bool wait_mutex_timedlock(int64_t milliseconds) {
  static pthread_mutex_t mutex;
  return mutex_timedlock(&mutex, PTHREAD_PRIO_NONE, milliseconds);
}

static bool wait_mutex_timedlock_pi(int64_t milliseconds) {
  static pthread_mutex_t mutex;
  return mutex_timedlock(&mutex, PTHREAD_PRIO_INHERIT, milliseconds);
}

static void lock_mtx(void *mutex) { mtx_lock(mutex); }

static bool wait_mtx_timedlock(int64_t milliseconds) {
  static mtx_t mutex;
  if (mtx_init(&mutex, mtx_timed) != thrd_success) return false;
  hold(lock_mtx, &mutex);
  struct timespec deadline = after(CLOCK_REALTIME, milliseconds);
  return mtx_timedlock(&mutex, &deadline) == thrd_timedout;
}

// MARK: readers and writers

static void lock_for_writing(void *lock) { pthread_rwlock_wrlock(lock); }

static pthread_rwlock_t *held_rwlock(void) {
  static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  static bool is_held = false;
  if (!is_held) hold(lock_for_writing, &lock);
  is_held = true;
  return &lock;
}

static bool wait_rwlock_timedrdlock(int64_t milliseconds) {
  pthread_rwlock_t *lock = held_rwlock();
  struct timespec deadline = after(CLOCK_REALTIME, milliseconds);
  return pthread_rwlock_timedrdlock(lock, &deadline) == ETIMEDOUT;
}

static bool wait_rwlock_timedwrlock(int64_t milliseconds) {
  pthread_rwlock_t *lock = held_rwlock();
  struct timespec deadline = after(CLOCK_REALTIME, milliseconds);
  return pthread_rwlock_timedwrlock(lock, &deadline) == ETIMEDOUT;
}

// MARK: semaphores and joins

static bool wait_sem_timedwait(int64_t milliseconds) {
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  struct timespec deadline = after(CLOCK_REALTIME, milliseconds);
  return sem_timedwait(&semaphore, &deadline) == -1 && errno == ETIMEDOUT;
}

static void *do_nothing(void *argument) {
  while (true) pause();
  return argument;
}

static bool wait_timedjoin(int64_t milliseconds) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, do_nothing, NULL) != 0) return false;
  struct timespec deadline = after(CLOCK_REALTIME, milliseconds);
  return pthread_timedjoin_np(thread, NULL, &deadline) == ETIMEDOUT;
}

// MARK: bare futexes

struct futex_waiter {
  uint64_t expected;
  uint64_t address;
  uint32_t flags;
  uint32_t reserved;
};

static bool wait_futex_waitv(int64_t milliseconds) {
  enum { futex_waitv_number = 449, is_32_bits = 2, is_private = 128 };
  uint32_t words[2] = {0, 0};
  struct futex_waiter waiters[2] = {
      {.address = (uintptr_t)&words[0], .flags = is_32_bits | is_private},
      {.address = (uintptr_t)&words[1], .flags = is_32_bits | is_private}};
  struct timespec deadline = after(CLOCK_MONOTONIC, milliseconds);
  long result = syscall(futex_waitv_number, waiters, 2, 0, &deadline, CLOCK_MONOTONIC);
  return result == -1 && errno == ETIMEDOUT;
}

static bool wait_futex_requeue_pi(int64_t milliseconds) {
  enum { wait_requeue_pi = 11, is_private = 128 };
  static uint32_t words[2];
  struct timespec deadline = after(CLOCK_MONOTONIC, milliseconds);
  long result =
      syscall(SYS_futex, &words[0], wait_requeue_pi | is_private, 0, &deadline, &words[1], 0);
  return result == -1 && errno == ETIMEDOUT;
}

// MARK: what only the GNU library has

#ifdef __GLIBC__

static bool wait_cond_clockwait(int64_t milliseconds) {
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  struct timespec deadline = after(CLOCK_MONOTONIC, milliseconds);
  pthread_mutex_lock(&mutex);
  return pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &deadline) == ETIMEDOUT;
}

static bool mutex_clocklock(pthread_mutex_t *mutex, int protocol, int64_t milliseconds) {
  make_held_mutex(mutex, protocol);
  struct timespec deadline = after(CLOCK_MONOTONIC, milliseconds);
  return pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &deadline) == ETIMEDOUT;
}

static bool wait_mutex_clocklock(int64_t milliseconds) {
  static pthread_mutex_t mutex;
  return mutex_clocklock(&mutex, PTHREAD_PRIO_NONE, milliseconds);
}

static bool wait_mutex_clocklock_pi(int64_t milliseconds) {
  static pthread_mutex_t mutex;
  return mutex_clocklock(&mutex, PTHREAD_PRIO_INHERIT, milliseconds);
}

static bool wait_rwlock_clockrdlock(int64_t milliseconds) {
  pthread_rwlock_t *lock = held_rwlock();
  struct timespec deadline = after(CLOCK_MONOTONIC, milliseconds);
  return pthread_rwlock_clockrdlock(lock, CLOCK_MONOTONIC, &deadline) == ETIMEDOUT;
}

static bool wait_rwlock_clockwrlock(int64_t milliseconds) {
  pthread_rwlock_t *lock = held_rwlock();
  struct timespec deadline = after(CLOCK_MONOTONIC, milliseconds);
  return pthread_rwlock_clockwrlock(lock, CLOCK_MONOTONIC, &deadline) == ETIMEDOUT;
}

static bool wait_sem_clockwait(int64_t milliseconds) {
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  struct timespec deadline = after(CLOCK_MONOTONIC, milliseconds);
  return sem_clockwait(&semaphore, CLOCK_MONOTONIC, &deadline) == -1 && errno == ETIMEDOUT;
}

static bool wait_clockjoin(int64_t milliseconds) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, do_nothing, NULL) != 0) return false;
  struct timespec deadline = after(CLOCK_MONOTONIC, milliseconds);
  return pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &deadline) == ETIMEDOUT;
}

#endif

const struct wait_row lock_rows[] = {
    {"pthread_cond_timedwait", wait_cond_timedwait},
    {"pthread_cond_timedwait-monotonic", wait_cond_timedwait_monotonic},
    {"cnd_timedwait", wait_cnd_timedwait},
    {"pthread_mutex_timedlock", wait_mutex_timedlock},
    {"pthread_mutex_timedlock-pi", wait_mutex_timedlock_pi},
    {"mtx_timedlock", wait_mtx_timedlock},
    {"pthread_rwlock_timedrdlock", wait_rwlock_timedrdlock},
    {"pthread_rwlock_timedwrlock", wait_rwlock_timedwrlock},
    {"sem_timedwait", wait_sem_timedwait},
    {"pthread_timedjoin_np", wait_timedjoin},
    {"futex_waitv", wait_futex_waitv},
    {"futex-requeue-pi", wait_futex_requeue_pi},
#ifdef __GLIBC__
    {"pthread_cond_clockwait", wait_cond_clockwait},
    {"pthread_mutex_clocklock", wait_mutex_clocklock},
    {"pthread_mutex_clocklock-pi", wait_mutex_clocklock_pi},
    {"pthread_rwlock_clockrdlock", wait_rwlock_clockrdlock},
    {"pthread_rwlock_clockwrlock", wait_rwlock_clockwrlock},
    {"sem_clockwait", wait_sem_clockwait},
    {"pthread_clockjoin_np", wait_clockjoin},
#endif
    {NULL, NULL},
};
