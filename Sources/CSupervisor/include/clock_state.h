#ifndef SCENARIO_CLOCK_STATE_H
#define SCENARIO_CLOCK_STATE_H

#include <stdint.h>

// adjtimex(2): `struct timex` as the kernel has it, with names.

// Bits of `modes`. The calls of adjtime(3) have SCENARIO_ADJUST_ONCE in them, and there the bits of
// OFFSET and NANO mean that an offset is set, and that it is only read.
#define SCENARIO_ADJUST_OFFSET 0x0001u
#define SCENARIO_ADJUST_FREQUENCY 0x0002u
#define SCENARIO_ADJUST_MAXIMUM_ERROR 0x0004u
#define SCENARIO_ADJUST_ESTIMATED_ERROR 0x0008u
#define SCENARIO_ADJUST_STATUS 0x0010u
#define SCENARIO_ADJUST_TIME_CONSTANT 0x0020u
#define SCENARIO_ADJUST_SET_OFFSET 0x0100u
#define SCENARIO_ADJUST_MICROSECONDS 0x1000u
#define SCENARIO_ADJUST_NANOSECONDS 0x2000u
#define SCENARIO_ADJUST_TICK 0x4000u
#define SCENARIO_ADJUST_ONCE 0x8000u

// Bits of `status`.
#define SCENARIO_STATUS_PHASE_LOCKED 0x0001
#define SCENARIO_STATUS_INSERTS_SECOND 0x0010
#define SCENARIO_STATUS_UNSYNCHRONIZED 0x0040
#define SCENARIO_STATUS_CLOCK_ERROR 0x1000
#define SCENARIO_STATUS_NANOSECONDS 0x2000
#define SCENARIO_STATUS_READ_ONLY 0xff00

// Results.
#define SCENARIO_CLOCK_STATE_FINE 0
#define SCENARIO_CLOCK_STATE_INSERTS_SECOND 1
#define SCENARIO_CLOCK_STATE_IN_SECOND 3
#define SCENARIO_CLOCK_STATE_BEHIND_SECOND 4
#define SCENARIO_CLOCK_STATE_ERROR 5

struct scenario_clock_state {
  uint32_t modes;
  int32_t padding_0;
  int64_t offset;
  int64_t frequency;  // in 2⁻¹⁶ parts per million
  int64_t maximum_error;
  int64_t estimated_error;
  int32_t status;
  int32_t padding_1;
  int64_t time_constant;
  int64_t precision;
  int64_t tolerance;
  int64_t seconds;
  int64_t fraction;  // microseconds, or nanoseconds where `modes` or `status` say so
  int64_t tick;
  int64_t pulse_frequency;
  int64_t pulse_jitter;
  int32_t pulse_shift;
  int32_t padding_2;
  int64_t pulse_stability;
  int64_t pulse_jitter_count;
  int64_t pulse_calibration_count;
  int64_t pulse_error_count;
  int64_t pulse_stability_count;
  int32_t atomic_offset;
  int32_t padding_3[11];
};

_Static_assert(sizeof(struct scenario_clock_state) == 208, "the kernel's struct timex");

// Reads the machine's own state, which needs no privilege and changes nothing. Runs in the runner.
// Returns what adjtimex(2) returns, or a negative errno.
int scenario_read_clock_state(struct scenario_clock_state *state);

// Whether this kernel's memfd_create(2) knows MFD_NOEXEC_SEAL (Linux 6.3). Returns 1 or 0.
int scenario_knows_unexecutable_files(void);

#endif
