// The replacement vDSO: what the program under test calls when it asks for the time.
//
// Runs in the target, on any stack, in signal handlers and in children of vfork. Rules: no libc,
// no writable data, no relocations, no calls out of the image but the kernel's own vDSO.
// The clock page lies one page before the image, the counters of reads one page before that;
// vdso(7) names the symbols.

#include <stdint.h>

#include "clock_page.h"

#define EXPORT __attribute__((visibility("default")))

#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define CLOCK_REALTIME_ALARM 8
#define CLOCK_BOOTTIME_ALARM 9
#define CLOCK_TAI 11
#define TAI_OFFSET 37

#define SYS_clock_gettime 228
#define SYS_clock_getres 229
#define NANOSECONDS_PER_SECOND 1000000000

struct timeval {
  int64_t seconds;
  int64_t microseconds;
};

typedef int (*kernel_clock_function)(int, struct scenario_time *);

extern const char __ehdr_start[] __attribute__((visibility("hidden")));

static inline const struct scenario_clock_page *clock_page(void) {
  return (const struct scenario_clock_page *)(__ehdr_start - SCENARIO_PAGE_SIZE);
}

// Threads run on stacks of their own, so that a place on the stack tells them apart well enough.
static inline struct scenario_read_tally *read_tally(void) {
  uint64_t place;
  __asm__("mov %%rsp, %0" : "=r"(place));
  uint64_t index = ((place >> 12) * 0x9e3779b97f4a7c15u) >> 58;
  return (struct scenario_read_tally *)(__ehdr_start - 2 * SCENARIO_PAGE_SIZE) + index;
}

static long system_call(long number, long first, long second, long third) {
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(first), "S"(second), "d"(third)
                   : "rcx", "r11", "memory");
  return result;
}

static void real_monotonic(uint64_t kernel_clock, struct scenario_time *time) {
  if (kernel_clock != 0) {
    ((kernel_clock_function)kernel_clock)(CLOCK_MONOTONIC, time);
  } else {
    system_call(SYS_clock_gettime, CLOCK_MONOTONIC, (long)time, SCENARIO_REAL_CLOCK_COOKIE);
  }
}

static inline uint64_t free_reads(const struct scenario_read_tally *tally) {
  return (uint64_t)SCENARIO_FREE_READS << (__atomic_load_n(&tally->doublings, __ATOMIC_RELAXED) & 7);
}

// Counts a read of a held clock; true if there were so many at this instant that the supervisor is to
// be told. Counts may get lost between threads, which is no matter.
static inline int spins(uint64_t active) {
  struct scenario_read_tally *tally = read_tally();
  uint64_t count = __atomic_load_n(&tally->count, __ATOMIC_RELAXED);
  if (__atomic_load_n(&tally->active, __ATOMIC_RELAXED) != active) {
    __atomic_store_n(&tally->active, active, __ATOMIC_RELAXED);
    __atomic_store_n(&tally->doublings, 0, __ATOMIC_RELAXED);
    count = 0;
  }
  __atomic_store_n(&tally->count, count + 1, __ATOMIC_RELAXED);
  return count >= free_reads(tally);
}

// Tells how many reads there were. The supervisor lets the call end when time has moved, or there is
// something else to see.
static __attribute__((noinline, cold)) void tell_of_spin(void) {
  struct scenario_read_tally *tally = read_tally();
  uint64_t limit = free_reads(tally);
  __atomic_store_n(&tally->count, 0, __ATOMIC_RELAXED);
  long answer = system_call(SYS_clock_gettime, CLOCK_MONOTONIC, 0,
                            (long)(SCENARIO_SPIN_COOKIE | limit << 32));
  if (answer == SCENARIO_READ_TWICE_AS_LONG && limit < SCENARIO_MOST_FREE_READS) {
    __atomic_fetch_add(&tally->doublings, 1, __ATOMIC_RELAXED);
  }
}

static inline int is_realtime(int clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ||
         clock == CLOCK_REALTIME_ALARM || clock == CLOCK_TAI;
}

static inline int is_boottime(int clock) {
  return clock == CLOCK_BOOTTIME || clock == CLOCK_BOOTTIME_ALARM;
}

static inline int is_monotonic(int clock) {
  return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW ||
         clock == CLOCK_MONOTONIC_COARSE;
}

// How far a clock with a rate has moved since its slot's base, in nanoseconds. The supervisor reckons
// with the same numbers and rounds alike (`ClockRate.flowed`): monotonic time ends where its 64 bits do.
static __attribute__((noinline)) int64_t rated_time(
    const struct scenario_clock_page *page, const struct scenario_clock_slot *slot) {
  struct scenario_time now;
  real_monotonic(page->kernel_clock, &now);
  // Unsigned, because a slot that is being written may hold anything.
  int64_t real = (int64_t)(((uint64_t)now.seconds - (uint64_t)slot->base.seconds) *
                               NANOSECONDS_PER_SECOND +
                           (uint64_t)now.nanoseconds - (uint64_t)slot->base.nanoseconds);
  if (real < 0) {
    return 0;
  }
  unsigned __int128 product = (unsigned __int128)(uint64_t)real * slot->rate + slot->fraction;
  uint64_t shown = (uint64_t)slot->monotonic.seconds * NANOSECONDS_PER_SECOND +
                   (uint64_t)slot->monotonic.nanoseconds;
  uint64_t left = (uint64_t)INT64_MAX - shown;
  return (int64_t)((product >> 32) < left ? (uint64_t)(product >> 32) : left);
}

// What a wall clock that drifts or is corrected has gained while `passed` nanoseconds went by. The supervisor reckons
// with the same numbers and rounds alike (`WallDeviation`).
static inline int64_t wall_gain(const struct scenario_clock_slot *slot, int64_t passed) {
  int64_t corrected = passed < slot->slew_length ? passed : slot->slew_length;
  return (int64_t)(((__int128)passed * slot->wall_rate + (__int128)corrected * slot->slew_rate +
                    (__int128)slot->wall_fraction) >>
                   56);
}

static inline void read_virtual(int clock, struct scenario_time *time) {
  const struct scenario_clock_page *page = clock_page();
  for (;;) {
    uint64_t active = __atomic_load_n(&page->active, __ATOMIC_ACQUIRE);
    const struct scenario_clock_slot *slot = &page->slots[active & 1];
    const struct scenario_time *value = is_realtime(clock)   ? &slot->realtime
                                        : is_boottime(clock) ? &slot->boottime
                                                             : &slot->monotonic;
    int64_t seconds = value->seconds;
    int64_t nanoseconds = value->nanoseconds;
    uint64_t mode = slot->mode;
    if (mode == SCENARIO_CLOCK_FLOWING) {
      struct scenario_time now;
      real_monotonic(page->kernel_clock, &now);
      seconds += now.seconds - slot->base.seconds;
      nanoseconds += now.nanoseconds - slot->base.nanoseconds;
      if (nanoseconds < 0) {
        nanoseconds += NANOSECONDS_PER_SECOND;
        seconds -= 1;
      } else if (nanoseconds >= NANOSECONDS_PER_SECOND) {
        nanoseconds -= NANOSECONDS_PER_SECOND;
        seconds += 1;
      }
    } else if (slot->mode == SCENARIO_CLOCK_RATED) {
      int64_t passed = rated_time(page, slot);
      if (is_realtime(clock) && (slot->wall_rate | slot->slew_rate) != 0) {
        passed += wall_gain(slot, passed);
      }
      seconds += passed / NANOSECONDS_PER_SECOND;
      nanoseconds += passed % NANOSECONDS_PER_SECOND;
      if (nanoseconds >= NANOSECONDS_PER_SECOND) {
        nanoseconds -= NANOSECONDS_PER_SECOND;
        seconds += 1;
      }
    } else if (slot->mode == SCENARIO_CLOCK_CHANGING) {
      if (system_call(SYS_clock_gettime, clock, (long)time, 0) == 0) {
        return;
      }
      continue;
    }
    if (is_realtime(clock)) {
      if (clock == CLOCK_TAI) {
        seconds += TAI_OFFSET;
      } else if (seconds >= slot->next_day) {
        seconds -= 1;
      }
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (__atomic_load_n(&page->active, __ATOMIC_RELAXED) == active) {
      if (mode == SCENARIO_CLOCK_HELD && __builtin_expect(spins(active), 0)) {
        tell_of_spin();
        continue;
      }
      time->seconds = seconds;
      time->nanoseconds = nanoseconds;
      return;
    }
  }
}

EXPORT int __vdso_clock_gettime(int clock, struct scenario_time *time) {
  if (is_realtime(clock) || is_monotonic(clock) || is_boottime(clock)) {
    read_virtual(clock, time);
    return 0;
  }
  // CPU-time and dynamic clocks stay the kernel's.
  return (int)system_call(SYS_clock_gettime, clock, (long)time, 0);
}

EXPORT int __vdso_gettimeofday(struct timeval *time, void *zone) {
  if (time != 0) {
    struct scenario_time now;
    read_virtual(CLOCK_REALTIME, &now);
    time->seconds = now.seconds;
    time->microseconds = now.nanoseconds / 1000;
  }
  if (zone != 0) {
    ((int32_t *)zone)[0] = 0;
    ((int32_t *)zone)[1] = 0;
  }
  return 0;
}

EXPORT int64_t __vdso_time(int64_t *result) {
  struct scenario_time now;
  read_virtual(CLOCK_REALTIME, &now);
  if (result != 0) {
    *result = now.seconds;
  }
  return now.seconds;
}

EXPORT int __vdso_clock_getres(int clock, struct scenario_time *resolution) {
  return (int)system_call(SYS_clock_getres, clock, (long)resolution, 0);
}
