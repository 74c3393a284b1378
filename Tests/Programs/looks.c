// Waits whose end is the next thing to happen, of each kind, and says how each ended and how long it took.
//
//   looks OTHERS [ticking]
//
// OTHERS threads wait for ever meanwhile. With `ticking`, one more counts up every seven milliseconds, and
// said is how far it has got at the end of waits of thirty.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint32_t word = 4;
static const struct timespec length = {.tv_nsec = 30000000};
static int ends[2];

static void *wait_for_ever(void *argument) {
  pause();
  return argument;
}

static int ticks;

static void *tick(void *argument) {
  struct timespec seven = {.tv_nsec = 7000000};
  while (1) {
    nanosleep(&seven, NULL);
    __atomic_add_fetch(&ticks, 1, __ATOMIC_SEQ_CST);
  }
  return argument;
}

static void nothing(int signal) {
  (void)signal;
}

static int64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static struct timespec in_thirty(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  now.tv_nsec += length.tv_nsec;
  if (now.tv_nsec >= 1000000000) {
    now.tv_sec += 1;
    now.tv_nsec -= 1000000000;
  }
  return now;
}

static long wait_on(uint32_t expected, int flags) {
  return syscall(SYS_futex, &word, FUTEX_WAIT | flags, expected, &length, NULL, 0);
}

static long wait_until(uint32_t expected, uint32_t set) {
  struct timespec end = in_thirty();
  return syscall(SYS_futex, &word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, expected, &end, NULL, set);
}

static void tell(const char *name, int64_t begin, long result) {
  int error = errno;
  printf("%s: %ld %s after %d ms\n", name, result, result < 0 ? strerrorname_np(error) : "-",
         (int)(milliseconds() - begin));
}

#define TELL(name, call)               \
  for (int round = 0; round < 3; round++) { \
    int64_t begin = milliseconds();    \
    long result = call;                \
    tell(name, begin, result);         \
  }

static long poll_pipe(void) {
  struct pollfd question = {.fd = ends[0], .events = POLLIN};
  return poll(&question, 1, 30);
}

static long poll_epoll(int epoll) {
  struct epoll_event event;
  return epoll_wait(epoll, &event, 1, 30);
}

// A signal that is blocked but in the wait itself is pending as the wait begins.
static long interrupted_wait(int epoll) {
  sigset_t blocked, none;
  sigemptyset(&none);
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &blocked, NULL);
  pthread_kill(pthread_self(), SIGUSR1);
  struct epoll_event event;
  return epoll_pwait(epoll, &event, 1, 30, &none);
}

int main(int count, char **arguments) {
  pthread_t thread;
  for (int others = count > 1 ? atoi(arguments[1]) : 0; others > 0; others--) {
    pthread_create(&thread, NULL, wait_for_ever, NULL);
  }
  if (count > 2) {
    pthread_create(&thread, NULL, tick, NULL);
    for (int round = 0; round < 6; round++) {
      wait_on(4, FUTEX_PRIVATE_FLAG);
      printf("%d ", __atomic_load_n(&ticks, __ATOMIC_SEQ_CST));
    }
    return 0;
  }
  signal(SIGUSR1, nothing);
  if (pipe(ends) != 0) {
    return 1;
  }
  int epoll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event);
  TELL("futex", wait_on(4, FUTEX_PRIVATE_FLAG));
  TELL("shared futex", wait_on(4, 0));
  TELL("bitset", wait_until(4, 1));
  TELL("bitset of nothing", wait_until(4, 0));
  // 5 and 4 differ in the last bit, 6 and 4 in another.
  TELL("neighbour", wait_on(5, FUTEX_PRIVATE_FLAG));
  TELL("another", wait_on(6, FUTEX_PRIVATE_FLAG));
  TELL("askew", syscall(SYS_futex, (char *)&word + 1, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0, &length, NULL, 0));
  TELL("nowhere", syscall(SYS_futex, NULL, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0, &length, NULL, 0));
  TELL("poll", poll_pipe());
  TELL("epoll", poll_epoll(epoll));
  TELL("epoll and a signal", interrupted_wait(epoll));
  TELL("no epoll", poll_epoll(ends[0]));
  if (write(ends[1], "x", 1) != 1) {
    return 1;
  }
  TELL("full poll", poll_pipe());
  TELL("full epoll", poll_epoll(epoll));
  TELL("futex again", wait_on(4, FUTEX_PRIVATE_FLAG));
  return 0;
}
