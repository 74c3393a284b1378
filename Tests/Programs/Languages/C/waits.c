// The C probe: makes the waits that it is asked for, one after the other, and tells how long each took.
//
//   waits NAME=MILLISECONDS...
//
// One line for each:
//
//   NAME elapsed_ms=N [wall_ms=N]
//
// `elapsed_ms` is what CLOCK_MONOTONIC says; `wall_ms` is what CLOCK_REALTIME says, where that differs.
// A call that did not end as one whose time has run out is told as `NAME failed: REASON`.

#define _GNU_SOURCE
#include "probe.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int64_t second_ns = 1000000000;
static const int64_t millisecond_ns = 1000000;

struct timespec length(int64_t milliseconds) {
  return (struct timespec){
      .tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * millisecond_ns};
}

static int64_t now(clockid_t clock) {
  struct timespec value;
  clock_gettime(clock, &value);
  return value.tv_sec * second_ns + value.tv_nsec;
}

struct timespec after(clockid_t clock, int64_t milliseconds) {
  int64_t instant = now(clock) + milliseconds * millisecond_ns;
  return (struct timespec){.tv_sec = instant / second_ns, .tv_nsec = instant % second_ns};
}

// MARK: what the rows need

struct holder {
  void (*take)(void *);
  void *argument;
  sem_t has_taken;
};

static void *hold_for_ever(void *argument) {
  struct holder *holder = argument;
  holder->take(holder->argument);
  sem_post(&holder->has_taken);
  while (true) pause();
  return NULL;
}

void hold(void (*take)(void *), void *argument) {
  struct holder *holder = calloc(1, sizeof *holder);
  pthread_t thread;
  if (!holder || sem_init(&holder->has_taken, 0, 0) != 0) abort();
  holder->take = take;
  holder->argument = argument;
  // The signals of the rows are the first thread's.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  if (pthread_create(&thread, NULL, hold_for_ever, holder) != 0) abort();
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  while (sem_wait(&holder->has_taken) != 0) continue;
}

int quiet_descriptor(void) {
  static int ends[2] = {-1, -1};
  if (ends[0] < 0 && pipe(ends) != 0) abort();
  return ends[0];
}

volatile sig_atomic_t caught_signals;

static void count_signal(int number) {
  (void)number;
  caught_signals += 1;
}

void catch_signal(int number) {
  struct sigaction action = {.sa_handler = count_signal};
  if (sigaction(number, &action, NULL) != 0) abort();
}

// MARK: the command line

static const struct wait_row *const parts[] = {
    sleeping_rows, lock_rows, descriptor_rows, socket_rows, queue_rows, timer_rows};

static const struct wait_row *row_named(const char *name, size_t count) {
  for (size_t part = 0; part < sizeof parts / sizeof *parts; part += 1) {
    for (const struct wait_row *row = parts[part]; row->name; row += 1) {
      if (strlen(row->name) == count && strncmp(row->name, name, count) == 0) return row;
    }
  }
  return NULL;
}

static void print_milliseconds(const char *label, int64_t nanoseconds) {
  printf(" %s=%" PRId64, label, nanoseconds / millisecond_ns);
  if (nanoseconds % millisecond_ns) printf(".%06" PRId64, nanoseconds % millisecond_ns);
}

static void run(const struct wait_row *row, int64_t milliseconds) {
  int64_t monotonic = now(CLOCK_MONOTONIC);
  int64_t wall = now(CLOCK_REALTIME);
  errno = 0;
  bool has_run_out = row->wait(milliseconds);
  int error = errno;
  monotonic = now(CLOCK_MONOTONIC) - monotonic;
  wall = now(CLOCK_REALTIME) - wall;
  if (!has_run_out) {
    printf("%s failed: %s\n", row->name, strerror(error));
  } else {
    printf("%s", row->name);
    print_milliseconds("elapsed_ms", monotonic);
    if (wall != monotonic) print_milliseconds("wall_ms", wall);
    printf("\n");
  }
  fflush(stdout);
}

int main(int count, char **arguments) {
  for (int index = 1; index < count; index += 1) {
    const char *value = strchr(arguments[index], '=');
    const struct wait_row *row =
        value ? row_named(arguments[index], (size_t)(value - arguments[index])) : NULL;
    if (!row) {
      fprintf(stderr, "waits: there is no wait \"%s\"\n", arguments[index]);
      return 2;
    }
    run(row, strtoll(value + 1, NULL, 10));
  }
  return 0;
}
