#include "clock_state.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MFD_CLOEXEC 0x0001u
#define MFD_NOEXEC_SEAL 0x0008u

int scenario_read_clock_state(struct scenario_clock_state *state) {
  memset(state, 0, sizeof *state);
  long result = syscall(SYS_adjtimex, state);
  return result < 0 ? -errno : (int)result;
}

int scenario_knows_unexecutable_files(void) {
  long descriptor = syscall(SYS_memfd_create, "probe", MFD_CLOEXEC | MFD_NOEXEC_SEAL);
  if (descriptor < 0) {
    return 0;
  }
  close((int)descriptor);
  return 1;
}
