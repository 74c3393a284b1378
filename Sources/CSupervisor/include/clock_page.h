#ifndef SCENARIO_CLOCK_PAGE_H
#define SCENARIO_CLOCK_PAGE_H

#include <stddef.h>
#include <stdint.h>

// The page that the supervisor writes and the replacement vDSO reads.
//
// It is mapped directly before the image, privately in each address space, readable only; the
// supervisor writes it through /proc/PID/mem, which needs neither a descriptor nor a path in the
// target. Two slots are written in turn: the inactive one first, then `active`, one aligned store,
// so that a reader that sees the same `active` before and after has read a consistent slot. Where no
// thread can read meanwhile, both slots and `active` are written at once.

#define SCENARIO_CLOCK_PAGE_MAGIC 0x4b434c43u
#define SCENARIO_CLOCK_PAGE_VERSION 6u
#define SCENARIO_PAGE_SIZE 4096u

// How a slot's values are to be read.
#define SCENARIO_CLOCK_HELD 0u     // the values are the answer
#define SCENARIO_CLOCK_FLOWING 1u  // add what CLOCK_MONOTONIC has moved since `base`
#define SCENARIO_CLOCK_RATED 2u    // add `rate` times what CLOCK_MONOTONIC has moved since `base`
// A flowing clock is about to change: ask by system call, which the supervisor answers when it has
// changed. Who read on would see more than what slower clocks go on from, and monotonic time go back.
#define SCENARIO_CLOCK_CHANGING 3u

// Third argument of a clock_gettime call that wants the kernel's own answer: the system call
// filter lets it pass. The kernel ignores the argument.
#define SCENARIO_REAL_CLOCK_COOKIE 0x5ce7a410u

// Third argument of a clock_gettime call by which the replacement vDSO tells that the program reads the
// clock again and again while it stands still; the upper half says how often. The kernel ignores the
// argument.
#define SCENARIO_SPIN_COOKIE 0x5ce7a411u

// How often a held clock may be read at one instant before the supervisor is told, and again between
// one such report and the next. If the supervisor says so, by the call's result, it is twice as often
// from then on at this instant: a reader of a clock that does not move shall not pay for each report.
#define SCENARIO_FREE_READS 1000u
#define SCENARIO_MOST_FREE_READS (SCENARIO_FREE_READS << 6)
#define SCENARIO_READ_TWICE_AS_LONG 1

// How many counters there are: threads that spin at once should not share one.
#define SCENARIO_TALLY_COUNT 64u

struct scenario_time {
  int64_t seconds;
  int64_t nanoseconds;  // 0 … 999,999,999
};

struct scenario_clock_slot {
  uint64_t mode;
  struct scenario_time realtime;  // as it goes on, where a second is shown again
  struct scenario_time monotonic;
  struct scenario_time boottime;
  struct scenario_time base;  // the kernel's CLOCK_MONOTONIC at the instant the values describe
  uint64_t rate;      // nanoseconds per nanosecond since `base`, with 32 bits behind the point
  uint64_t fraction;  // what the values lack, in units of 2⁻³² ns; below 2³²
  // What REALTIME and TAI gain for each nanosecond of monotonic time, and what their value lacks, in units of
  // 2⁻⁵⁶ ns: a target's wall clock may drift.
  int64_t wall_rate;
  uint64_t wall_fraction;
  // What they gain besides for each of so many nanoseconds of monotonic time: a wall clock that is corrected.
  int64_t slew_rate;
  int64_t slew_length;
  // From this second on REALTIME shows one second less, and TAI does not; INT64_MAX: it never does.
  int64_t next_day;
};

struct scenario_clock_page {
  uint32_t magic;
  uint32_t version;
  uint64_t kernel_clock;   // address of the kernel's own __vdso_clock_gettime; 0: use the call
  uint64_t active;         // 0, 2, 4, … slot 0; 1, 3, 5, … slot 1; grows with each change
  struct scenario_clock_slot slots[2];
};

// A counter of reads of a held clock. The page of them lies directly before the clock page, and is the
// target's own: writable, and believed in nothing that matters to anybody else.
struct scenario_read_tally {
  uint64_t active;      // the clock page's `active` as of the last read that was counted
  uint64_t count;       // how many there were since it had that value, or since the last report
  uint64_t doublings;   // how often the number of those that are free was doubled at this instant
  uint64_t unused[5];   // a line of the processor's cache for each
};

_Static_assert(sizeof(struct scenario_read_tally) * SCENARIO_TALLY_COUNT == SCENARIO_PAGE_SIZE,
               "the counters fill a page");
_Static_assert(sizeof(struct scenario_clock_slot) == 128, "both sides agree on the slot");
_Static_assert(sizeof(struct scenario_clock_page) == 280, "both sides agree on the page");
_Static_assert(offsetof(struct scenario_clock_page, slots) ==
                   offsetof(struct scenario_clock_page, active) + sizeof(uint64_t),
               "what changes lies together");

#endif
