#ifndef SCENARIO_WAKEUP_H
#define SCENARIO_WAKEUP_H

#include <poll.h>
#include <stdint.h>

// How a supervisor thread sleeps until its tracees, its pipes or its mailbox have news.
//
// A tracee's stop sends SIGCHLD to the runner. Every thread keeps SIGCHLD blocked but while it
// sleeps here, so the signal ends the sleep of a supervisor and interrupts nothing else. Which
// thread takes the signal is the kernel's choice when several could; the handler therefore rings
// the bell (an eventfd) of every registered supervisor that it may have missed.

#define SCENARIO_MAXIMUM_SUPERVISORS 256

// Blocks SIGCHLD in the calling thread, and so in all threads it will create, and installs the
// handler. Call it before other threads exist. Returns 0 or an errno.
int scenario_prepare_wakeups(void);

// Opens an eventfd, close-on-exec; returns -1 with errno on failure.
int scenario_open_bell(int non_blocking);

// Registers an eventfd to be rung; returns its place, or -1 if all places are taken.
int scenario_register_bell(int event_descriptor);
void scenario_unregister_bell(int place);

// poll(2) with SIGCHLD let through. `timeout_nanoseconds` < 0 waits without end. Returns what ppoll
// returns; an interruption is 0.
int scenario_sleep(struct pollfd *descriptors, uint32_t count, int64_t timeout_nanoseconds);

#endif
