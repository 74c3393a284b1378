#ifndef SCENARIO_REFUSAL_H
#define SCENARIO_REFUSAL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Calls that a filter from outside refuses, as a container's does: seccomp(2) lets its ERRNO go before a
// later filter's TRACE, so the tracer never sees them. A later filter's TRAP goes before that ERRNO.

// What marks a TRAP as the supervisor's own (SECCOMP_RET_DATA, which the kernel hands on as si_errno).
#define SCENARIO_TRAP_COOKIE 0x5ce7u

// How many calls one look can ask for.
#define SCENARIO_REFUSAL_LIMIT 512

// Finds out, in a child, which calls a filter from outside refuses; none of them is made. For each number one
// error: 0 if the call gets through, the errno that it is refused with, or -1 if that is unknown. Returns
// 0 or an errno.
int scenario_probe_refusals(const int32_t *numbers, size_t count, int32_t *errors);

// Whether the signal with which a thread stands stopped is a TRAP of the supervisor's own. Returns 1 or 0.
int scenario_trace_is_refusal(pid_t thread);

#endif
