#ifndef SCENARIO_FUNCTIONS_H
#define SCENARIO_FUNCTIONS_H

#include <stdint.h>
#include <sys/types.h>

// How calls of functions in the target are counted and watched. Runs in the runner.

// A counter that the target's processes and the runner share; one line of the processor's cache each.
struct scenario_counter {
  uint64_t count;      // how many calls there were
  uint64_t due;        // at which count a call stops: the first one that finds at least this many
  uint64_t unused[6];
};

#define SCENARIO_COUNTER_LIMIT 64u

_Static_assert(sizeof(struct scenario_counter) * SCENARIO_COUNTER_LIMIT == 4096,
               "the counters fill a page");

// memfd_create(2) and mmap(2): a page of counters, all of them due never. Returns NULL with errno.
struct scenario_counter *scenario_open_counters(int *descriptor);
void scenario_close_counters(struct scenario_counter *counters, int descriptor);

static inline uint64_t scenario_counter_count(const struct scenario_counter *counter) {
  return __atomic_load_n(&counter->count, __ATOMIC_SEQ_CST);
}

// Counts one call, and returns how many there were before.
static inline uint64_t scenario_counter_add(struct scenario_counter *counter) {
  return __atomic_fetch_add(&counter->count, 1, __ATOMIC_SEQ_CST);
}

static inline void scenario_counter_set_count(struct scenario_counter *counter, uint64_t count) {
  __atomic_store_n(&counter->count, count, __ATOMIC_SEQ_CST);
}

static inline uint64_t scenario_counter_due(const struct scenario_counter *counter) {
  return __atomic_load_n(&counter->due, __ATOMIC_SEQ_CST);
}

static inline void scenario_counter_set_due(struct scenario_counter *counter, uint64_t due) {
  __atomic_store_n(&counter->due, due, __ATOMIC_SEQ_CST);
}

// Stops a thread, by a debug register of its own, before it runs the instruction at `address`; 0: no
// longer. `slot` is 0 … 3. Returns 0 or an errno.
int scenario_trace_watch_place(pid_t thread, int slot, uint64_t address);

// The lower half of xmm0, where functions return a double. Return 0 or an errno.
int scenario_trace_get_number(pid_t thread, double *number);
int scenario_trace_set_number(pid_t thread, double number);

// Makes xmm0 to xmm14 zero, in which a function of Go returns floating point numbers. Returns 0 or an errno.
int scenario_trace_clear_numbers(pid_t thread);

#endif
