#include "timers.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

int scenario_queue_timer_signal(pid_t process, pid_t thread, int signal, int timer, int overrun,
                                uint64_t value) {
  siginfo_t information;
  memset(&information, 0, sizeof information);
  information.si_signo = signal;
  information.si_code = SI_TIMER;
  information.si_timerid = timer;
  information.si_overrun = overrun;
  information.si_value.sival_ptr = (void *)value;
  long result = thread != 0
                    ? syscall(SYS_rt_tgsigqueueinfo, process, thread, signal, &information)
                    : syscall(SYS_rt_sigqueueinfo, process, signal, &information);
  return result < 0 ? errno : 0;
}

int scenario_trace_is_timer_signal(pid_t thread, int *timer) {
  siginfo_t information;
  if (ptrace(PTRACE_GETSIGINFO, thread, 0, &information) != 0 || information.si_code != SI_TIMER) {
    return 0;
  }
  *timer = information.si_timerid;
  return 1;
}

int scenario_trace_set_timer_overrun(pid_t thread, int overrun) {
  siginfo_t information;
  if (ptrace(PTRACE_GETSIGINFO, thread, 0, &information) != 0) {
    return errno;
  }
  information.si_overrun = overrun;
  return ptrace(PTRACE_SETSIGINFO, thread, 0, &information) != 0 ? errno : 0;
}

int scenario_trace_set_alarm_signal(pid_t thread) {
  siginfo_t information;
  memset(&information, 0, sizeof information);
  information.si_signo = SIGALRM;
  information.si_code = SI_KERNEL;
  return ptrace(PTRACE_SETSIGINFO, thread, 0, &information) != 0 ? errno : 0;
}

static int is_ready(int descriptor, short events) {
  struct pollfd question = {.fd = descriptor, .events = events};
  return poll(&question, 1, 0) == 1 && (question.revents & events) != 0;
}

// The last of the real-time signals (signal(7)).
enum { MARK = 64 };

int scenario_event_mark(int descriptor) {
  return fcntl(descriptor, F_SETSIG, MARK) < 0 ? errno : 0;
}

int scenario_event_is_marked(int descriptor) {
  return fcntl(descriptor, F_GETSIG) == MARK;
}

// Takes what the counter holds; never waits.
static int take(int descriptor, uint64_t *count) {
  struct iovec place = {.iov_base = count, .iov_len = sizeof *count};
  return preadv2(descriptor, &place, 1, -1, RWF_NOWAIT) < 0 ? errno : 0;
}

int scenario_event_add(int descriptor, uint64_t count) {
  // A write that does not fit waits. What the target may have written itself is taken out first.
  uint64_t before = 0;
  if (take(descriptor, &before) == 0 && __builtin_add_overflow(count, before, &count)) {
    count = UINT64_MAX - 1;
  }
  if (count == UINT64_MAX) {
    count = UINT64_MAX - 1;
  }
  return write(descriptor, &count, sizeof count) < 0 ? errno : 0;
}

int scenario_event_clear(int descriptor) {
  uint64_t count;
  return take(descriptor, &count);
}

int scenario_event_is_set(int descriptor) {
  return is_ready(descriptor, POLLIN);
}
