#include "tracing.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

uint64_t scenario_trace_options(void) {
  return PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
         PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEVFORKDONE | PTRACE_O_TRACESECCOMP;
}

static int outcome(long result) {
  return result < 0 ? errno : 0;
}

int scenario_trace_get_registers(pid_t thread, struct user_regs_struct *registers) {
  return outcome(ptrace(PTRACE_GETREGS, thread, 0, registers));
}

int scenario_trace_set_registers(pid_t thread, const struct user_regs_struct *registers) {
  return outcome(ptrace(PTRACE_SETREGS, thread, 0, registers));
}

long scenario_trace_system_call(pid_t thread) {
  struct __ptrace_syscall_info information;
  long size = ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof information, &information);
  if (size <= 0 || information.op != PTRACE_SYSCALL_INFO_SECCOMP) {
    return -1;
  }
  return (long)information.seccomp.nr;
}

int scenario_trace_continue(pid_t thread, int signal) {
  return outcome(ptrace(PTRACE_CONT, thread, 0, (long)signal));
}

int scenario_trace_continue_to_system_call(pid_t thread, int signal) {
  return outcome(ptrace(PTRACE_SYSCALL, thread, 0, (long)signal));
}

int scenario_trace_single_step(pid_t thread) {
  return outcome(ptrace(PTRACE_SINGLESTEP, thread, 0, 0));
}

int scenario_trace_interrupt(pid_t thread) {
  return outcome(ptrace(PTRACE_INTERRUPT, thread, 0, 0));
}

int scenario_trace_listen(pid_t thread) {
  return outcome(ptrace(PTRACE_LISTEN, thread, 0, 0));
}

int scenario_trace_event_message(pid_t thread, uint64_t *message) {
  unsigned long value = 0;
  int error = outcome(ptrace(PTRACE_GETEVENTMSG, thread, 0, &value));
  *message = value;
  return error;
}

static enum scenario_stop_kind event_kind(int event) {
  switch (event) {
    case PTRACE_EVENT_SECCOMP:
      return SCENARIO_STOP_SECCOMP;
    case PTRACE_EVENT_FORK:
      return SCENARIO_STOP_FORK;
    case PTRACE_EVENT_VFORK:
      return SCENARIO_STOP_VFORK;
    case PTRACE_EVENT_CLONE:
      return SCENARIO_STOP_CLONE;
    case PTRACE_EVENT_VFORK_DONE:
      return SCENARIO_STOP_VFORK_DONE;
    case PTRACE_EVENT_EXEC:
      return SCENARIO_STOP_EXEC;
    default:
      return SCENARIO_STOP_EVENT;
  }
}

static struct scenario_stop read_status(pid_t thread, int status) {
  struct scenario_stop stop = {.thread = thread};
  if (WIFEXITED(status)) {
    stop.kind = SCENARIO_STOP_EXITED;
    stop.value = WEXITSTATUS(status);
  } else if (WIFSIGNALED(status)) {
    stop.kind = SCENARIO_STOP_KILLED;
    stop.value = WTERMSIG(status);
  } else if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
    stop.kind = SCENARIO_STOP_SYSTEM_CALL;
  } else if (status >> 16 == PTRACE_EVENT_STOP) {
    // "PTRACE_EVENT_STOP … if the signal is a stopping signal, it is a group-stop": ptrace(2).
    int signal = WSTOPSIG(status);
    int stopping = signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
    stop.kind = stopping ? SCENARIO_STOP_GROUP : SCENARIO_STOP_EVENT;
    stop.value = signal;
  } else if (status >> 16 != 0) {
    stop.kind = event_kind(status >> 16);
  } else {
    stop.kind = SCENARIO_STOP_SIGNAL;
    stop.value = WSTOPSIG(status);
  }
  return stop;
}

static struct scenario_stop next_stop(pid_t which) {
  int status = 0;
  pid_t thread;
  do {
    thread = waitpid(which, &status, __WALL | __WNOTHREAD | WNOHANG);
  } while (thread < 0 && errno == EINTR);
  if (thread <= 0) {
    return (struct scenario_stop){.thread = thread, .kind = SCENARIO_STOP_NONE};
  }
  return read_status(thread, status);
}

// Stops that have been taken, and are to be reported once more: of each thread one at most.
enum { UNHEARD_LIMIT = 256 };
static _Thread_local struct scenario_stop unheard[UNHEARD_LIMIT];
static _Thread_local size_t unheard_count;

// Takes the unheard stop of a thread, or of any (-1); false if there is none.
static int take_unheard(pid_t which, struct scenario_stop *stop) {
  for (size_t index = 0; index < unheard_count; index++) {
    if (which == -1 || unheard[index].thread == which) {
      *stop = unheard[index];
      unheard[index] = unheard[--unheard_count];
      return 1;
    }
  }
  return 0;
}

int scenario_hear_again(struct scenario_stop stop) {
  if (unheard_count == UNHEARD_LIMIT) {
    return 0;
  }
  unheard[unheard_count++] = stop;
  return 1;
}

struct scenario_stop scenario_next_stop(void) {
  struct scenario_stop stop;
  return take_unheard(-1, &stop) ? stop : next_stop(-1);
}

struct scenario_stop scenario_next_stop_of(pid_t thread) {
  struct scenario_stop stop;
  return take_unheard(thread, &stop) ? stop : next_stop(thread);
}

int scenario_has_stop(void) {
  if (unheard_count > 0) {
    return 1;
  }
  siginfo_t information = {.si_pid = 0};
  int options = WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL | __WNOTHREAD;
  return waitid(P_ALL, 0, &information, options) == 0 && information.si_pid != 0;
}

struct scenario_stop scenario_await_stop(pid_t thread) {
  int status = 0;
  pid_t result;
  do {
    result = waitpid(thread, &status, __WALL);
  } while (result < 0 && errno == EINTR);
  if (result < 0) {
    return (struct scenario_stop){.thread = -1, .kind = SCENARIO_STOP_NONE};
  }
  return read_status(result, status);
}

int scenario_trace_hold_signals(pid_t thread, uint64_t *mask) {
  uint64_t held = ~(UINT64_C(1) << (SIGTRAP - 1));
  if (ptrace(PTRACE_GETSIGMASK, thread, sizeof *mask, mask) != 0) {
    return errno;
  }
  return outcome(ptrace(PTRACE_SETSIGMASK, thread, sizeof held, &held));
}

void scenario_trace_release_signals(pid_t thread, uint64_t mask) {
  ptrace(PTRACE_SETSIGMASK, thread, sizeof mask, &mask);
}

int scenario_has_pending_signal(pid_t thread) {
  siginfo_t information;
  struct __ptrace_peeksiginfo_args question = {.off = 0, .flags = 0, .nr = 1};
  if (ptrace(PTRACE_PEEKSIGINFO, thread, &question, &information) != 0) {
    return 1;
  }
  question.flags = PTRACE_PEEKSIGINFO_SHARED;
  return ptrace(PTRACE_PEEKSIGINFO, thread, &question, &information) != 0;
}

int scenario_send_signal(pid_t process, pid_t thread, int signal) {
  return outcome(syscall(SYS_tgkill, process, thread, signal));
}

int scenario_fault_of_kernel(pid_t thread) {
  siginfo_t information;
  return ptrace(PTRACE_GETSIGINFO, thread, 0, &information) == 0 &&
         information.si_signo == SIGSEGV && information.si_code == SI_KERNEL;
}

int scenario_write_as_process(pid_t process, const void *bytes, uint64_t count, uint64_t address) {
  struct iovec local = {.iov_base = (void *)bytes, .iov_len = count};
  struct iovec remote = {.iov_base = (void *)address, .iov_len = count};
  return process_vm_writev(process, &local, 1, &remote, 1, 0) == (ssize_t)count;
}

int scenario_open_process(pid_t process) {
  long descriptor = syscall(SYS_pidfd_open, process, 0);
  return descriptor < 0 ? -errno : (int)descriptor;
}

int scenario_open_thread(pid_t thread) {
  // PIDFD_THREAD of linux/pidfd.h, which older headers do not have, is O_EXCL.
  long descriptor = syscall(SYS_pidfd_open, thread, O_EXCL);
  return descriptor < 0 ? -errno : (int)descriptor;
}

int scenario_copy_descriptor(int process_descriptor, int descriptor) {
  long copy = syscall(SYS_pidfd_getfd, process_descriptor, descriptor, 0);
  return copy < 0 ? -errno : (int)copy;
}

int scenario_share_what_ends(pid_t thread, pid_t other) {
  return syscall(SYS_kcmp, thread, other, KCMP_FILES, 0, 0) == 0 &&
         syscall(SYS_kcmp, thread, other, KCMP_SYSVSEM, 0, 0) == 0;
}

int scenario_unlock_open_file(int descriptor) {
  struct flock whole = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
  return outcome(fcntl(descriptor, F_OFD_SETLK, &whole));
}

uint64_t scenario_kernel_vdso(void) {
  return getauxval(AT_SYSINFO_EHDR);
}

int scenario_is_shared(int descriptor) {
  // linux/magic.h
  static const uint32_t shared[] = {0x6969, 0x517B, 0xFE534D42, 0xFF534D42, 0x01021997, 0x65735546};
  struct statfs system;
  if (fstatfs(descriptor, &system) != 0) {
    return 1;
  }
  for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
    if ((uint32_t)system.f_type == shared[i]) {
      return 1;
    }
  }
  return 0;
}

int scenario_shows_processes(int descriptor) {
  // linux/magic.h
  struct statfs system;
  return fstatfs(descriptor, &system) == 0 && (uint32_t)system.f_type == 0x9FA0;
}

int scenario_birth_time(int descriptor, struct timespec *birth) {
  struct statx status;
  if (statx(descriptor, "", AT_EMPTY_PATH, STATX_BTIME, &status) != 0 ||
      (status.stx_mask & STATX_BTIME) == 0) {
    return -1;
  }
  birth->tv_sec = status.stx_btime.tv_sec;
  birth->tv_nsec = status.stx_btime.tv_nsec;
  return 0;
}

int scenario_has_capabilities(const char *path) {
  return getxattr(path, "security.capability", NULL, 0) > 0;
}
