#include "refusal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "descriptor_copies.h"
#include "dumpable.h"
#include "raw_system_call_x86_64.h"
#include "tracing.h"

enum { TOLD_RESULT = 424242, NOT_ASKED = 1 };

// What both processes see.
struct question {
  size_t count;
  long results[SCENARIO_REFUSAL_LIMIT];
  int32_t numbers[SCENARIO_REFUSAL_LIMIT];
  struct sock_filter filter[2 * SCENARIO_REFUSAL_LIMIT + 3];
};

// Has each of the calls reported to the tracer.
static struct sock_fprog compile(struct question *question) {
  struct sock_filter *next = question->filter;
  *next++ = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (size_t index = 0; index < question->count; index++) {
    *next++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                           (uint32_t)question->numbers[index], 0, 1);
    *next++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
  }
  *next++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  return (struct sock_fprog){
      .len = (unsigned short)(next - question->filter), .filter = question->filter};
}

// Child. Raw calls only: other threads' locks may be held for ever here.
static _Noreturn void run_child(struct question *question, const struct sock_fprog *program, int go_pipe) {
  char go;
  long result = raw_system_call(SYS_read, go_pipe, (long)&go, 1, 0, 0);
  if (result == 1) {
    result = raw_system_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  }
  if (result >= 0) {
    result = raw_system_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)program, 0, 0);
  }
  for (size_t index = 0; result == 0 && index < question->count; index++) {
    question->results[index] = raw_system_call(question->numbers[index], 0, 0, 0, 0, 0);
  }
  raw_system_call(SYS_exit_group, 0, 0, 0, 0, 0);
  __builtin_unreachable();
}

// Lets the child run to its end; a call that the filter shows is not made.
static void follow(pid_t child) {
  for (;;) {
    struct scenario_stop stop = scenario_await_stop(child);
    struct user_regs_struct registers;
    switch (stop.kind) {
      case SCENARIO_STOP_NONE:
      case SCENARIO_STOP_EXITED:
      case SCENARIO_STOP_KILLED:
        return;
      case SCENARIO_STOP_SECCOMP:
        if (scenario_trace_get_registers(child, &registers) == 0) {
          registers.orig_rax = (unsigned long long)-1;
          registers.rax = TOLD_RESULT;
          scenario_trace_set_registers(child, &registers);
        }
        scenario_trace_continue(child, 0);
        break;
      default:
        scenario_trace_continue(child, stop.kind == SCENARIO_STOP_SIGNAL ? stop.value : 0);
        break;
    }
  }
}

static int ask(struct question *question) {
  int go_pipe[2];
  if (pipe2(go_pipe, O_CLOEXEC) != 0) {
    return errno;
  }
  struct sock_fprog program = compile(question);
  scenario_begin_copies();
  // The child inherits the dumpable flag, without which it could not be traced.
  scenario_begin_opening();
  pid_t child = fork();
  if (child == 0) {
    raw_system_call(SYS_close, go_pipe[1], 0, 0, 0, 0);
    run_child(question, &program, go_pipe[0]);
  }
  int error = child < 0 ? errno : 0;
  scenario_end_opening();
  if (child > 0) {
    int is_seized = ptrace(PTRACE_SEIZE, child, 0, scenario_trace_options()) == 0;
    error = is_seized ? 0 : errno;
    if (!is_seized || write(go_pipe[1], "g", 1) != 1) {
      kill(child, SIGKILL);
    }
    follow(child);
  }
  // The child has ended by now.
  scenario_end_copies();
  close(go_pipe[0]);
  close(go_pipe[1]);
  return error;
}

int scenario_probe_refusals(const int32_t *numbers, size_t count, int32_t *errors) {
  struct question *question =
      count > SCENARIO_REFUSAL_LIMIT
          ? MAP_FAILED
          : mmap(NULL, sizeof *question, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (question == MAP_FAILED) {
    return ENOMEM;
  }
  question->count = count;
  for (size_t index = 0; index < count; index++) {
    question->numbers[index] = numbers[index];
    question->results[index] = NOT_ASKED;
  }
  int error = ask(question);
  for (size_t index = 0; index < count; index++) {
    long result = question->results[index];
    errors[index] = result == TOLD_RESULT ? 0 : result < 0 ? (int32_t)-result : -1;
  }
  munmap(question, sizeof *question);
  return error;
}

int scenario_trace_is_refusal(pid_t thread) {
  // SYS_SECCOMP of asm-generic/siginfo.h.
  enum { BY_FILTER = 1 };
  siginfo_t information;
  return ptrace(PTRACE_GETSIGINFO, thread, 0, &information) == 0 &&
         information.si_signo == SIGSYS && information.si_code == BY_FILTER &&
         information.si_errno == (int)SCENARIO_TRAP_COOKIE;
}
