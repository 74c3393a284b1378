#ifndef SCENARIO_TIMERS_H
#define SCENARIO_TIMERS_H

#include <stdint.h>
#include <sys/types.h>

// The reports of expired timers to the target. Runs in the runner.

// Queues a timer's signal, as the kernel would: to the thread, or, if that is 0, to the process
// (rt_sigqueueinfo(2), si_code SI_TIMER). Returns 0 or an errno.
int scenario_queue_timer_signal(pid_t process, pid_t thread, int signal, int timer, int overrun,
                                uint64_t value);

// The timer whose signal is about to be delivered to a stopped thread. Returns 1 if it is a timer's,
// else 0.
int scenario_trace_is_timer_signal(pid_t thread, int *timer);

// Writes the overrun into that signal; returns 0 or an errno.
int scenario_trace_set_timer_overrun(pid_t thread, int overrun);

// Gives that signal the face of the kernel's own SIGALRM; returns 0 or an errno.
int scenario_trace_set_alarm_signal(pid_t thread);

// eventfd(2): marks the object behind a descriptor as one that stands for a timer, by a signal number for
// input that is never asked for (F_SETSIG of fcntl(2)): it is with the object, whoever has a descriptor of
// it. Returns 0 or an errno.
int scenario_event_mark(int descriptor);

// Whether it is marked. Returns 1 or 0.
int scenario_event_is_marked(int descriptor);

// eventfd(2): adds to the counter; never waits. Returns 0 or an errno.
int scenario_event_add(int descriptor, uint64_t count);

// eventfd(2): empties the counter; never waits. Returns 0 or an errno.
int scenario_event_clear(int descriptor);

// eventfd(2): whether the counter is not zero. Returns 1 or 0.
int scenario_event_is_set(int descriptor);

#endif
