#ifndef SCENARIO_TRANSFER_H
#define SCENARIO_TRANSFER_H

#include <stdint.h>
#include <sys/types.h>

// Copies of a tracee's descriptors where pidfd_getfd(2) is refused, as in a container that has not
// CAP_SYS_PTRACE: the tracee itself is made to send the descriptor, as unix(7) has it (SCM_RIGHTS).
//
// All functions run in the runner, on the thread that traces. For a moment the tracee has one descriptor
// more; of nothing else can it tell: it stands in the same stop afterwards, or sleeps in the same call.

enum {
  // How many bytes of the tracee's memory the message takes.
  SCENARIO_TRANSFER_MESSAGE_SIZE = 88,
  // How long the address of the receiving end is.
  SCENARIO_TRANSFER_ADDRESS_SIZE = 8,
};

// Where descriptors arrive.
struct scenario_transfer {
  int receiver;  // a socket; negative: an errno
  uint8_t address[SCENARIO_TRANSFER_ADDRESS_SIZE];
};

// Opens a socket with an abstract name that the kernel chooses; `receiver` is to be closed.
struct scenario_transfer scenario_transfer_open(void);

// Puts together what the tracee is to send: a `struct msghdr` and what it points to, for a place at `address`
// in the tracee's memory.
void scenario_transfer_message(const struct scenario_transfer *transfer, int descriptor,
                               uint64_t address,
                               uint8_t message[SCENARIO_TRANSFER_MESSAGE_SIZE]);

// Makes the thread send the message at `address`; returns a copy of the descriptor, to be closed, or a
// negative errno.
//
// A thread that stands at the entry of a call that the filter has shown, or at the exit of one, stands there
// again afterwards. One that sleeps in a call is interrupted, and then sleeps in it again; if it stops for
// another reason meanwhile, `scenario_next_stop` tells of that as if nothing had happened. One with `is_refused`
// stands in the stop of the SIGSYS that tells of a call that was not made, and afterwards at the exit of that call.
// With others, such as those that compute, nothing is done (EBUSY).
int scenario_transfer_descriptor(const struct scenario_transfer *transfer, pid_t process,
                                 pid_t thread, uint64_t address, int is_refused);

// Whether pidfd_getfd(2) is refused to this process. Returns 1 or 0.
int scenario_transfer_is_needed(void);

#endif
