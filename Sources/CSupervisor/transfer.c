#include "transfer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tracing.h"

enum { DESCRIPTORS_OFFSET = 56, ADDRESS_OFFSET = 80, SIGNAL_SET_SIZE = 8, CALL_LENGTH = 2 };

_Static_assert(sizeof(struct msghdr) == DESCRIPTORS_OFFSET, "the message stands as the kernel reads it");
_Static_assert(CMSG_SPACE(sizeof(int)) == ADDRESS_OFFSET - DESCRIPTORS_OFFSET, "and what it brings");

// What a call returns to the tracer that was interrupted (the kernel's include/linux/errno.h).
enum {
  RESTART_CALL = 512,            // ERESTARTSYS
  RESTART_ALWAYS = 513,          // ERESTARTNOINTR
  RESTART_WITHOUT_HANDLER = 514, // ERESTARTNOHAND
  RESTART_BY_BLOCK = 516,        // ERESTART_RESTARTBLOCK
};

// For how long one waits for a thread to stop, or to sleep again: nothing of what is waited for takes long,
// but on a busy machine.
enum { PATIENCE_SECONDS = 2 };

// A thread that makes calls for the runner.
struct visit {
  pid_t thread;
  struct user_regs_struct original;
  uint64_t mask;
  // Whether a stop of the thread's group came meanwhile.
  int was_stopped;
  // Whether it was interrupted meanwhile.
  int was_interrupted;
};

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void pause_shortly(unsigned round) {
  struct timespec length = {.tv_nsec = round < 64 ? 1000 : 50000};
  nanosleep(&length, NULL);
}

// MARK: - The receiving end

struct scenario_transfer scenario_transfer_open(void) {
  struct scenario_transfer transfer = {.receiver = -1};
  int receiver = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (receiver < 0) {
    transfer.receiver = -errno;
    return transfer;
  }
  // unix(7), "Autobind feature": five hexadecimal digits behind a zero byte.
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  socklen_t length = sizeof address;
  int yes = 1;
  if (setsockopt(receiver, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) != 0 ||
      bind(receiver, (struct sockaddr *)&address, sizeof(sa_family_t)) != 0 ||
      getsockname(receiver, (struct sockaddr *)&address, &length) != 0 ||
      length != SCENARIO_TRANSFER_ADDRESS_SIZE) {
    transfer.receiver = errno != 0 ? -errno : -EADDRNOTAVAIL;
    close(receiver);
    return transfer;
  }
  memcpy(transfer.address, &address, SCENARIO_TRANSFER_ADDRESS_SIZE);
  transfer.receiver = receiver;
  return transfer;
}

void scenario_transfer_message(const struct scenario_transfer *transfer, int descriptor,
                               uint64_t address,
                               uint8_t message[SCENARIO_TRANSFER_MESSAGE_SIZE]) {
  struct msghdr header;
  memset(&header, 0, sizeof header);
  header.msg_name = (void *)(address + ADDRESS_OFFSET);
  header.msg_namelen = SCENARIO_TRANSFER_ADDRESS_SIZE;
  header.msg_control = (void *)(address + DESCRIPTORS_OFFSET);
  header.msg_controllen = CMSG_LEN(sizeof descriptor);
  struct cmsghdr control = {
      .cmsg_len = CMSG_LEN(sizeof descriptor), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
  memset(message, 0, SCENARIO_TRANSFER_MESSAGE_SIZE);
  memcpy(message, &header, sizeof header);
  memcpy(message + DESCRIPTORS_OFFSET, &control, sizeof control);
  memcpy(message + DESCRIPTORS_OFFSET + sizeof control, &descriptor, sizeof descriptor);
  memcpy(message + ADDRESS_OFFSET, transfer->address, SCENARIO_TRANSFER_ADDRESS_SIZE);
}

// What one datagram has brought; a negative errno if it is not from the process.
static int take_descriptor(int receiver, pid_t process) {
  union {
    struct cmsghdr first;
    char bytes[CMSG_SPACE(sizeof(int)) + CMSG_SPACE(sizeof(struct ucred))];
  } control;
  struct msghdr header = {.msg_control = &control, .msg_controllen = sizeof control};
  if (recvmsg(receiver, &header, MSG_CMSG_CLOEXEC) < 0) {
    return -errno;
  }
  int copy = -EBADF;
  pid_t sender = -1;
  for (struct cmsghdr *part = CMSG_FIRSTHDR(&header); part != NULL; part = CMSG_NXTHDR(&header, part)) {
    if (part->cmsg_type == SCM_RIGHTS && part->cmsg_len == CMSG_LEN(sizeof copy)) {
      memcpy(&copy, CMSG_DATA(part), sizeof copy);
    } else if (part->cmsg_type == SCM_CREDENTIALS) {
      struct ucred credentials;
      memcpy(&credentials, CMSG_DATA(part), sizeof credentials);
      sender = credentials.pid;
    }
  }
  if (sender != process && copy >= 0) {
    close(copy);
    return -EPERM;
  }
  return copy;
}

// MARK: - Stops

// Where a stopped thread is with its call: PTRACE_SYSCALL_INFO_…; negative if it does not stand in a stop.
static int operation(pid_t thread) {
  struct __ptrace_syscall_info information;
  long size = ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof information, &information);
  return size <= 0 ? -errno : information.op;
}

// The next stop of the thread. Its end is left to scenario_next_stop.
static int await_stop(pid_t thread, uint64_t deadline, struct scenario_stop *stop) {
  for (unsigned round = 0;; round++) {
    siginfo_t information = {.si_pid = 0};
    int options = WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL | __WNOTHREAD;
    if (waitid(P_PID, (id_t)thread, &information, options) != 0) {
      if (errno == EINTR) {
        continue;
      }
      return errno;
    }
    if (information.si_pid != 0) {
      if (information.si_code == CLD_EXITED || information.si_code == CLD_KILLED ||
          information.si_code == CLD_DUMPED) {
        return ESRCH;
      }
      *stop = scenario_next_stop_of(thread);
      return 0;
    }
    if (deadline != 0 && now() > deadline) {
      return ETIMEDOUT;
    }
    pause_shortly(round);
  }
}

static int set_mask(pid_t thread, uint64_t mask) {
  return ptrace(PTRACE_SETSIGMASK, thread, SIGNAL_SET_SIZE, &mask) == 0 ? 0 : errno;
}

// Lets the thread go on to the next entry or exit of a call. All signals that can be are blocked.
static int go_on(struct visit *visit) {
  for (;;) {
    if (scenario_trace_continue_to_system_call(visit->thread, 0) != 0) {
      return errno;
    }
    struct scenario_stop stop;
    int error = await_stop(visit->thread, 0, &stop);
    if (error != 0) {
      return error;
    }
    switch (stop.kind) {
      case SCENARIO_STOP_SYSTEM_CALL:
        return 0;
      case SCENARIO_STOP_GROUP:
        visit->was_stopped = 1;
        break;
      case SCENARIO_STOP_SIGNAL:
        if (stop.value != SIGSTOP) {
          return EFAULT;
        }
        visit->was_stopped = 1;
        break;
      case SCENARIO_STOP_EVENT:
        visit->was_interrupted = 1;
        break;
      default:
        break;
    }
  }
}

// MARK: - Calls

static int make_call(struct visit *visit, long number, const uint64_t arguments[3], long *result) {
  struct user_regs_struct registers = visit->original;
  registers.rip = visit->original.rip - CALL_LENGTH;
  // So the kernel does not take the thread for one in a call, and makes none that it stands before.
  registers.orig_rax = (unsigned long long)-1;
  registers.rax = (unsigned long long)number;
  registers.rdi = arguments[0];
  registers.rsi = arguments[1];
  registers.rdx = arguments[2];
  int error = scenario_trace_set_registers(visit->thread, &registers);
  int has_entered = 0;
  while (error == 0) {
    error = go_on(visit);
    if (error != 0) {
      return error;
    }
    // The first exit may be that of the call before which the thread stood.
    int place = operation(visit->thread);
    if (place == PTRACE_SYSCALL_INFO_ENTRY) {
      has_entered = 1;
    } else if (has_entered) {
      break;
    }
  }
  if (error == 0) {
    error = scenario_trace_get_registers(visit->thread, &registers);
  }
  *result = (long)registers.rax;
  return error;
}

static int send_message(struct visit *visit, uint64_t address) {
  long socket = -1;
  int error = make_call(visit, SYS_socket, (uint64_t[]){AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0}, &socket);
  if (error != 0 || socket < 0) {
    return error != 0 ? error : (int)-socket;
  }
  long sent = -1;
  long closed = -1;
  error = make_call(visit, SYS_sendmsg,
                    (uint64_t[]){(uint64_t)socket, address, MSG_DONTWAIT | MSG_NOSIGNAL}, &sent);
  if (error == 0) {
    error = make_call(visit, SYS_close, (uint64_t[]){(uint64_t)socket, 0, 0}, &closed);
  }
  return error != 0 ? error : sent < 0 ? (int)-sent : 0;
}

static int begin(struct visit *visit, pid_t thread) {
  *visit = (struct visit){.thread = thread};
  int error = scenario_trace_get_registers(thread, &visit->original);
  if (error != 0) {
    return error;
  }
  errno = 0;
  long code = ptrace(PTRACE_PEEKTEXT, thread, visit->original.rip - CALL_LENGTH, 0);
  if (errno != 0 || (code & 0xffff) != 0x050f) {
    return EBUSY;
  }
  if (ptrace(PTRACE_GETSIGMASK, thread, SIGNAL_SET_SIZE, &visit->mask) != 0) {
    return errno;
  }
  return set_mask(thread, ~(uint64_t)0);
}

// What came meanwhile and was nobody's to take.
static void pass_on(const struct visit *visit, pid_t process) {
  if (visit->was_stopped) {
    scenario_send_signal(process, visit->thread, SIGSTOP);
  }
  if (visit->was_interrupted) {
    scenario_trace_interrupt(visit->thread);
  }
}

// Makes the thread make its call anew, up to its entry.
static int enter_again(struct visit *visit, long number) {
  struct user_regs_struct registers = visit->original;
  registers.rip -= CALL_LENGTH;
  registers.orig_rax = (unsigned long long)-1;
  registers.rax = (unsigned long long)number;
  int error = scenario_trace_set_registers(visit->thread, &registers);
  do {
    error = error != 0 ? error : go_on(visit);
  } while (error == 0 && operation(visit->thread) != PTRACE_SYSCALL_INFO_ENTRY);
  return error;
}

// Back to where the filter has stopped the thread.
static int return_to_filter(struct visit *visit) {
  int error = enter_again(visit, (long)visit->original.orig_rax);
  struct scenario_stop stop;
  if (error == 0) {
    error = scenario_trace_continue_to_system_call(visit->thread, 0);
  }
  if (error == 0) {
    error = await_stop(visit->thread, 0, &stop);
  }
  if (error == 0 && stop.kind != SCENARIO_STOP_SECCOMP) {
    // What stopped it is to be heard, and the call is on its way.
    scenario_hear_again(stop);
    error = EIO;
  }
  if (error == 0) {
    error = scenario_trace_set_registers(visit->thread, &visit->original);
  }
  set_mask(visit->thread, visit->mask);
  return error;
}

static int return_to_exit(struct visit *visit) {
  int error = scenario_trace_set_registers(visit->thread, &visit->original);
  set_mask(visit->thread, visit->mask);
  return error;
}

// MARK: - Sleeping threads

// Whether a thread is off its processor; one that has just stopped is, too (proc(5): /proc/PID/syscall).
static int is_switched_out(pid_t thread) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/syscall", thread);
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  char letter = 0;
  ssize_t count = descriptor < 0 ? 0 : read(descriptor, &letter, 1);
  if (descriptor >= 0) {
    close(descriptor);
  }
  return count == 1 && letter != 'r';
}

static int has_stopped(pid_t thread) {
  siginfo_t information = {.si_pid = 0};
  int options = WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL | __WNOTHREAD;
  return waitid(P_PID, (id_t)thread, &information, options) != 0 || information.si_pid != 0;
}

// Whether a call has ended for no reason of its own.
static int is_interruption(long result) {
  return result == -EINTR || result == -RESTART_CALL || result == -RESTART_ALWAYS ||
         result == -RESTART_WITHOUT_HANDLER || result == -RESTART_BY_BLOCK;
}

// Which call makes the thread sleep as it did. A poll(2) for ever is made anew: so it has the same number.
static long sleeping_call(const struct user_regs_struct *registers) {
  int keeps_time = (long)registers->rax == -RESTART_BY_BLOCK &&
                   !(registers->orig_rax == SYS_poll && (int)registers->rdx < 0);
  return keeps_time ? SYS_restart_syscall : (long)registers->orig_rax;
}

// Lets the thread sleep in its call again; with `to_exit` it is stopped at the exit.
static int fall_asleep(struct visit *visit, int to_exit) {
  int error = enter_again(visit, sleeping_call(&visit->original));
  set_mask(visit->thread, visit->mask);
  uint64_t deadline = now() + PATIENCE_SECONDS * 1000000000ull;
  for (int rounds = 0; error == 0 && rounds < 2; rounds++) {
    error = to_exit ? scenario_trace_continue_to_system_call(visit->thread, 0)
                    : scenario_trace_continue(visit->thread, 0);
    unsigned round = 0;
    while (error == 0 && !has_stopped(visit->thread)) {
      if (is_switched_out(visit->thread) && !has_stopped(visit->thread)) {
        return 0;
      }
      if (now() > deadline) {
        return 0;
      }
      pause_shortly(round++);
    }
    struct scenario_stop stop;
    error = error != 0 ? error : await_stop(visit->thread, 0, &stop);
    if (error == 0 && stop.kind != SCENARIO_STOP_SECCOMP) {
      scenario_hear_again(stop);
      return 0;
    }
    // The filter shows a call of which was decided when it was made.
  }
  return error;
}

static int wake_and_send(pid_t process, pid_t thread, uint64_t address) {
  if (!is_switched_out(thread) || has_stopped(thread)) {
    return EBUSY;
  }
  if (scenario_trace_interrupt(thread) != 0) {
    return errno;
  }
  struct scenario_stop stop;
  int error = await_stop(thread, now() + PATIENCE_SECONDS * 1000000000ull, &stop);
  if (error != 0) {
    return error;
  }
  int is_exit = stop.kind == SCENARIO_STOP_SYSTEM_CALL;
  struct visit visit;
  error = begin(&visit, thread);
  int sleeps = error == 0 && (is_exit || stop.kind == SCENARIO_STOP_EVENT) &&
               (long)visit.original.orig_rax >= 0 && is_interruption((long)visit.original.rax);
  if (!sleeps) {
    if (error == 0) {
      set_mask(thread, visit.mask);
    }
    scenario_hear_again(stop);
    return EBUSY;
  }
  error = send_message(&visit, address);
  // The interruption was this one's own.
  visit.was_interrupted = 0;
  int asleep = fall_asleep(&visit, is_exit);
  pass_on(&visit, process);
  return error != 0 ? error : asleep;
}

// MARK: - The whole

static int stop_and_send(pid_t process, pid_t thread, uint64_t address, int place, int is_refused) {
  int is_behind_call =
      place == PTRACE_SYSCALL_INFO_EXIT || (is_refused && place == PTRACE_SYSCALL_INFO_NONE);
  if (place != PTRACE_SYSCALL_INFO_SECCOMP && !is_behind_call) {
    return EBUSY;
  }
  struct visit visit;
  int error = begin(&visit, thread);
  if (error != 0) {
    return error;
  }
  error = send_message(&visit, address);
  int back = place == PTRACE_SYSCALL_INFO_SECCOMP ? return_to_filter(&visit) : return_to_exit(&visit);
  pass_on(&visit, process);
  return error != 0 ? error : back;
}

int scenario_transfer_descriptor(const struct scenario_transfer *transfer, pid_t process,
                                 pid_t thread, uint64_t address, int is_refused) {
  int place = operation(thread);
  int error = place == -ESRCH ? wake_and_send(process, thread, address)
                              : stop_and_send(process, thread, address, place, is_refused);
  return error != 0 ? -error : take_descriptor(transfer->receiver, process);
}

int scenario_transfer_is_needed(void) {
  int process = scenario_open_process(getpid());
  if (process < 0) {
    return 1;
  }
  int copy = scenario_copy_descriptor(process, process);
  if (copy >= 0) {
    close(copy);
  }
  close(process);
  return copy < 0;
}
