#include "functions.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <unistd.h>

static int outcome(long result) {
  return result < 0 ? errno : 0;
}

struct scenario_counter *scenario_open_counters(int *descriptor) {
  size_t length = sizeof(struct scenario_counter) * SCENARIO_COUNTER_LIMIT;
  *descriptor = memfd_create("scenario-counters", MFD_CLOEXEC);
  if (*descriptor < 0) {
    return NULL;
  }
  struct scenario_counter *counters = MAP_FAILED;
  if (ftruncate(*descriptor, (off_t)length) == 0) {
    counters = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, *descriptor, 0);
  }
  if (counters == MAP_FAILED) {
    close(*descriptor);
    *descriptor = -1;
    return NULL;
  }
  for (unsigned index = 0; index < SCENARIO_COUNTER_LIMIT; index++) {
    scenario_counter_set_due(&counters[index], UINT64_MAX);
  }
  return counters;
}

void scenario_close_counters(struct scenario_counter *counters, int descriptor) {
  munmap(counters, sizeof(struct scenario_counter) * SCENARIO_COUNTER_LIMIT);
  close(descriptor);
}

int scenario_trace_watch_place(pid_t thread, int slot, uint64_t address) {
  // Intel's manual, volume 3, chapter "Debug registers": two bits for each in the control register, of
  // which the lower one is the thread's own; four bits of zero from bit 16 on mean "execution".
  size_t control = offsetof(struct user, u_debugreg[7]);
  size_t place = offsetof(struct user, u_debugreg[0]) + 8 * (size_t)slot;
  errno = 0;
  long enabled = ptrace(PTRACE_PEEKUSER, thread, control, 0);
  if (enabled == -1 && errno != 0) {
    return errno;
  }
  long bit = 1L << (2 * slot);
  if (ptrace(PTRACE_POKEUSER, thread, control, enabled & ~bit) < 0) {
    return errno;
  }
  if (address == 0) {
    return 0;
  }
  if (ptrace(PTRACE_POKEUSER, thread, place, address) < 0) {
    return errno;
  }
  return outcome(ptrace(PTRACE_POKEUSER, thread, control, enabled | bit));
}

int scenario_trace_get_number(pid_t thread, double *number) {
  struct user_fpregs_struct registers;
  int error = outcome(ptrace(PTRACE_GETFPREGS, thread, 0, &registers));
  if (error == 0) {
    memcpy(number, registers.xmm_space, sizeof *number);
  }
  return error;
}

int scenario_trace_clear_numbers(pid_t thread) {
  struct user_fpregs_struct registers;
  int error = outcome(ptrace(PTRACE_GETFPREGS, thread, 0, &registers));
  if (error != 0) {
    return error;
  }
  // 16 bytes each. xmm15 is zero in code of Go, and no result.
  memset(registers.xmm_space, 0, 15 * 16);
  return outcome(ptrace(PTRACE_SETFPREGS, thread, 0, &registers));
}

int scenario_trace_set_number(pid_t thread, double number) {
  struct user_fpregs_struct registers;
  int error = outcome(ptrace(PTRACE_GETFPREGS, thread, 0, &registers));
  if (error != 0) {
    return error;
  }
  memcpy(registers.xmm_space, &number, sizeof number);
  return outcome(ptrace(PTRACE_SETFPREGS, thread, 0, &registers));
}
