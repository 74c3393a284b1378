// waits makes one timed wait that nothing ends but its timeout, by the raw system call.
//
//   waits KIND NANOSECONDS
//   waits all NANOSECONDS     every kind, one after the other
//
// One line for each wait:
//
//   KIND result=R error=NAME elapsed_ns=N [remaining_ns=N]
//
// `elapsed_ns` is what CLOCK_MONOTONIC says; `remaining_ns` is what the call wrote back to its timeout,
// where it writes one back.

#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif

static const int64_t second_ns = 1000000000;
static const int64_t unknown = -1;

struct outcome {
  long result;
  int error;
  int64_t remaining_ns;
};

static int64_t nanoseconds(struct timespec value) {
  return (int64_t)value.tv_sec * second_ns + value.tv_nsec;
}

static struct timespec timespec_of(int64_t count) {
  return (struct timespec){.tv_sec = count / second_ns, .tv_nsec = count % second_ns};
}

static struct timespec deadline(clockid_t clock, int64_t length_ns) {
  struct timespec now;
  clock_gettime(clock, &now);
  return timespec_of(nanoseconds(now) + length_ns);
}

// Milliseconds, rounded up as a caller does who must not wake too early.
static int milliseconds(int64_t count) { return (int)((count + 999999) / 1000000); }

static struct outcome outcome(long result, int64_t remaining_ns) {
  return (struct outcome){
      .result = result, .error = result < 0 ? errno : 0, .remaining_ns = remaining_ns};
}

// MARK: sleeping

static struct outcome wait_nanosleep(int64_t length_ns) {
  struct timespec request = timespec_of(length_ns);
  return outcome(syscall(SYS_nanosleep, &request, NULL), unknown);
}

static struct outcome wait_clock_nanosleep(int64_t length_ns) {
  struct timespec request = timespec_of(length_ns);
  return outcome(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &request, NULL), unknown);
}

static struct outcome wait_clock_nanosleep_realtime(int64_t length_ns) {
  struct timespec request = deadline(CLOCK_REALTIME, length_ns);
  return outcome(
      syscall(SYS_clock_nanosleep, CLOCK_REALTIME, TIMER_ABSTIME, &request, NULL), unknown);
}

static struct outcome wait_clock_nanosleep_monotonic(int64_t length_ns) {
  struct timespec request = deadline(CLOCK_MONOTONIC, length_ns);
  return outcome(
      syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &request, NULL), unknown);
}

// MARK: futexes

static struct outcome wait_futex(int64_t length_ns) {
  uint32_t word = 0;
  struct timespec timeout = timespec_of(length_ns);
  return outcome(
      syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &timeout, NULL, 0), unknown);
}

static struct outcome wait_futex_bitset(int operation, clockid_t clock, int64_t length_ns) {
  uint32_t word = 0;
  struct timespec timeout = deadline(clock, length_ns);
  return outcome(
      syscall(SYS_futex, &word, operation, 0, &timeout, NULL, FUTEX_BITSET_MATCH_ANY), unknown);
}

static struct outcome wait_futex_bitset_monotonic(int64_t length_ns) {
  return wait_futex_bitset(FUTEX_WAIT_BITSET_PRIVATE, CLOCK_MONOTONIC, length_ns);
}

static struct outcome wait_futex_bitset_realtime(int64_t length_ns) {
  return wait_futex_bitset(
      FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, CLOCK_REALTIME, length_ns);
}

// MARK: descriptors

// A pipe whose reading end never becomes ready while its writing end is open and unused.
static int quiet_descriptor(void) {
  static int ends[2] = {-1, -1};
  if (ends[0] < 0 && pipe(ends) != 0) {
    perror("pipe");
    exit(3);
  }
  return ends[0];
}

static struct outcome wait_poll(int64_t length_ns) {
  struct pollfd entry = {.fd = quiet_descriptor(), .events = POLLIN};
  return outcome(syscall(SYS_poll, &entry, 1, milliseconds(length_ns)), unknown);
}

static struct outcome wait_ppoll(int64_t length_ns) {
  struct pollfd entry = {.fd = quiet_descriptor(), .events = POLLIN};
  struct timespec timeout = timespec_of(length_ns);
  long result = syscall(SYS_ppoll, &entry, 1, &timeout, NULL, 8);
  return outcome(result, nanoseconds(timeout));
}

static struct outcome wait_select(int64_t length_ns) {
  fd_set readable;
  FD_ZERO(&readable);
  FD_SET(quiet_descriptor(), &readable);
  struct timeval timeout = {
      .tv_sec = length_ns / second_ns, .tv_usec = length_ns % second_ns / 1000};
  long result =
      syscall(SYS_select, quiet_descriptor() + 1, &readable, NULL, NULL, &timeout);
  return outcome(result, (int64_t)timeout.tv_sec * second_ns + timeout.tv_usec * 1000);
}

static struct outcome wait_pselect(int64_t length_ns) {
  fd_set readable;
  FD_ZERO(&readable);
  FD_SET(quiet_descriptor(), &readable);
  struct timespec timeout = timespec_of(length_ns);
  long result =
      syscall(SYS_pselect6, quiet_descriptor() + 1, &readable, NULL, NULL, &timeout, NULL);
  return outcome(result, nanoseconds(timeout));
}

static int epoll_of_quiet_descriptor(void) {
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event = {.events = EPOLLIN};
  if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, quiet_descriptor(), &event) != 0) {
    perror("epoll");
    exit(3);
  }
  return epoll;
}

static struct outcome closing(int epoll, long result) {
  struct outcome ended = outcome(result, unknown);
  close(epoll);
  return ended;
}

static struct outcome wait_epoll_wait(int64_t length_ns) {
  struct epoll_event event;
  int epoll = epoll_of_quiet_descriptor();
  return closing(epoll, syscall(SYS_epoll_wait, epoll, &event, 1, milliseconds(length_ns)));
}

static struct outcome wait_epoll_pwait(int64_t length_ns) {
  struct epoll_event event;
  int epoll = epoll_of_quiet_descriptor();
  return closing(
      epoll, syscall(SYS_epoll_pwait, epoll, &event, 1, milliseconds(length_ns), NULL, 8));
}

static struct outcome wait_epoll_pwait2(int64_t length_ns) {
  struct epoll_event event;
  struct timespec timeout = timespec_of(length_ns);
  int epoll = epoll_of_quiet_descriptor();
  return closing(epoll, syscall(SYS_epoll_pwait2, epoll, &event, 1, &timeout, NULL, 8));
}

// MARK: the command line

struct kind {
  const char *name;
  struct outcome (*wait)(int64_t length_ns);
};

static const struct kind kinds[] = {
    {"nanosleep", wait_nanosleep},
    {"clock_nanosleep", wait_clock_nanosleep},
    {"clock_nanosleep-realtime", wait_clock_nanosleep_realtime},
    {"clock_nanosleep-monotonic", wait_clock_nanosleep_monotonic},
    {"futex", wait_futex},
    {"futex_bitset-realtime", wait_futex_bitset_realtime},
    {"futex_bitset-monotonic", wait_futex_bitset_monotonic},
    {"poll", wait_poll},
    {"ppoll", wait_ppoll},
    {"select", wait_select},
    {"pselect6", wait_pselect},
    {"epoll_wait", wait_epoll_wait},
    {"epoll_pwait", wait_epoll_pwait},
    {"epoll_pwait2", wait_epoll_pwait2},
};

static const char *error_name(int error) {
  const char *name = error == 0 ? "none" : strerrorname_np(error);
  return name ? name : "unknown";
}

static void run(struct kind kind, int64_t length_ns) {
  struct timespec before;
  struct timespec after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  struct outcome ended = kind.wait(length_ns);
  clock_gettime(CLOCK_MONOTONIC, &after);
  printf(
      "%s result=%ld error=%s elapsed_ns=%" PRId64, kind.name, ended.result,
      error_name(ended.error), nanoseconds(after) - nanoseconds(before));
  if (ended.remaining_ns != unknown) printf(" remaining_ns=%" PRId64, ended.remaining_ns);
  printf("\n");
  fflush(stdout);
}

int main(int count, char **arguments) {
  if (count == 3) {
    char *end = NULL;
    int64_t length_ns = strtoll(arguments[2], &end, 10);
    bool is_valid = end != arguments[2] && *end == '\0' && length_ns >= 0;
    bool has_run = false;
    for (size_t index = 0; is_valid && index < sizeof kinds / sizeof *kinds; index += 1) {
      if (strcmp(arguments[1], "all") != 0 && strcmp(arguments[1], kinds[index].name) != 0) continue;
      run(kinds[index], length_ns);
      has_run = true;
    }
    if (has_run) return 0;
  }
  fprintf(stderr, "usage: waits KIND|all NANOSECONDS\n");
  for (size_t index = 0; index < sizeof kinds / sizeof *kinds; index += 1) {
    fprintf(stderr, "  %s\n", kinds[index].name);
  }
  return 2;
}
