// What the parts of the C probe share: a wait is a function that is told how long to wait, and says
// whether the call ended as a call does whose time has run out.

#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct wait_row {
  const char *name;
  bool (*wait)(int64_t milliseconds);
};

// A part's rows; the last has no name.
extern const struct wait_row sleeping_rows[];
extern const struct wait_row lock_rows[];
extern const struct wait_row descriptor_rows[];
extern const struct wait_row socket_rows[];
extern const struct wait_row queue_rows[];
extern const struct wait_row timer_rows[];

// The length as the kernel takes it.
struct timespec length(int64_t milliseconds);

// The instant so much later by a clock.
struct timespec after(clockid_t clock, int64_t milliseconds);

// Starts a thread that calls `take` with the argument and then does nothing for ever; returns when
// `take` has returned.
void hold(void (*take)(void *), void *argument);

// A pipe's reading end that never becomes ready.
int quiet_descriptor(void);

// Installs a handler that only counts, without SA_RESTART.
void catch_signal(int number);

// How many signals the handler has counted.
extern volatile sig_atomic_t caught_signals;
