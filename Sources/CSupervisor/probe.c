#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "descriptor_copies.h"
#include "refusal.h"
#include "dumpable.h"
#include "raw_system_call_x86_64.h"
#include "tracing.h"
#include "transfer.h"
#include "wakeup.h"

enum { PAGE = 4096, TOLD_RESULT = 424242, WRITTEN_WORD = 0x5ce7a411 };

// A page that both processes see.
struct shared {
  struct scenario_probe probe;
  uint32_t *readable;  // a word of the child's that it may only read
  uint32_t *writable;  // a word of the child's own
  uint8_t message[SCENARIO_TRANSFER_MESSAGE_SIZE];
};

static int outcome(long result) {
  return result < 0 ? errno : 0;
}

// Child: every getppid(2) is told to the tracer, and every clock_settime(2) by way of a signal, before a filter
// from outside can refuse it.
static int install_filter(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_settime, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP | SCENARIO_TRAP_COOKIE),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
  return outcome(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program));
}

// Child.
static _Noreturn void run_child(struct shared *shared, int go_pipe) {
  char go;
  // Without a word from the tracer there is nothing to do.
  if (read(go_pipe, &go, 1) != 1) {
    _exit(1);
  }
  volatile uint32_t own = 0;
  shared->writable = (uint32_t *)&own;
  void *pages = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  shared->probe.executable_mapping = pages == MAP_FAILED ? errno : 0;
  if (pages == MAP_FAILED) {
    pages = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  shared->readable = pages == MAP_FAILED ? NULL : pages;
  long persona = personality(0xffffffff);
  shared->probe.fix_addresses = outcome(personality((unsigned long)persona | ADDR_NO_RANDOMIZE));
  shared->probe.privileges = outcome(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  shared->probe.filter = install_filter();
  if (shared->probe.filter != 0 || shared->probe.trace != 0) {
    _exit(1);
  }
  long result = syscall(SYS_getppid);
  if (shared->probe.call_stop == 0) {
    shared->probe.call_result = result == TOLD_RESULT ? 0 : EIO;
    if (shared->probe.write_memory == 0 && *(volatile uint32_t *)pages != WRITTEN_WORD) {
      shared->probe.write_memory = EIO;
    }
    if (shared->probe.write_as_process == 0 && own != WRITTEN_WORD) {
      shared->probe.write_as_process = EIO;
    }
    shared->probe.answer_refused = EPERM;
    result = syscall(SYS_clock_settime, -1, NULL);
    shared->probe.answer_refused = result == TOLD_RESULT ? 0 : errno;
  }
  _exit(0);
}

static int read_file(pid_t child, const char *name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task/%d/%s", child, child, name);
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return errno;
  }
  char byte;
  ssize_t count = read(descriptor, &byte, 1);
  int error = count < 0 ? errno : count == 0 ? ENODATA : 0;
  close(descriptor);
  return error;
}

static void use_memory(const struct shared *shared, struct scenario_probe *probe, pid_t child) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", child);
  int descriptor = open(path, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) {
    probe->read_memory = errno;
    probe->write_memory = errno;
  } else {
    uint32_t word = WRITTEN_WORD;
    probe->write_memory =
        shared->readable == NULL
            ? ENOMEM
            : outcome(pwrite(descriptor, &word, sizeof word, (off_t)(uintptr_t)shared->readable));
    probe->read_memory =
        outcome(pread(descriptor, &word, sizeof word, (off_t)(uintptr_t)shared->writable));
    close(descriptor);
  }
  uint32_t word = WRITTEN_WORD;
  errno = 0;
  int has_written =
      scenario_write_as_process(child, &word, sizeof word, (uint64_t)(uintptr_t)shared->writable);
  probe->write_as_process = has_written ? 0 : errno != 0 ? errno : EIO;
}

static void use_descriptors(struct scenario_probe *probe, pid_t child, int go_pipe) {
  int process = scenario_open_process(child);
  probe->open_process = process < 0 ? -process : 0;
  if (process < 0) {
    return;
  }
  int copy = scenario_copy_descriptor(process, go_pipe);
  probe->copy_descriptor = copy < 0 ? -copy : 0;
  if (copy >= 0) {
    close(copy);
  }
  close(process);
}

// The child shares the page in which the message stands, at the same place.
static void use_transfer(struct shared *shared, pid_t child, int go_pipe) {
  struct scenario_transfer transfer = scenario_transfer_open();
  int copy = transfer.receiver;
  if (transfer.receiver >= 0) {
    uint64_t place = (uint64_t)(uintptr_t)shared->message;
    scenario_transfer_message(&transfer, go_pipe, place, shared->message);
    copy = scenario_transfer_descriptor(&transfer, child, child, place, 0);
    close(transfer.receiver);
  }
  shared->probe.send_descriptor = copy < 0 ? -copy : 0;
  if (copy >= 0) {
    close(copy);
  }
}

// The child has got SIGSYS: what it stands in returns what the tracer says.
static void answer_refused_call(pid_t child) {
  struct user_regs_struct registers;
  if (scenario_trace_get_registers(child, &registers) == 0) {
    registers.orig_rax = (unsigned long long)-1;
    registers.rax = TOLD_RESULT;
    scenario_trace_set_registers(child, &registers);
  }
}

// The child stands at the entry of its call.
static void use_stopped_child(struct shared *shared, pid_t child, int go_pipe) {
  struct scenario_probe *probe = &shared->probe;
  probe->call_stop = 0;
  use_memory(shared, probe, child);
  use_descriptors(probe, child, go_pipe);
  use_transfer(shared, child, go_pipe);
  probe->thread_call = read_file(child, "syscall");
  probe->thread_state = read_file(child, "stat");
  probe->thread_schedule = read_file(child, "schedstat");
  struct user_regs_struct registers;
  if (scenario_trace_get_registers(child, &registers) == 0) {
    registers.orig_rax = (unsigned long long)-1;
    registers.rax = TOLD_RESULT;
    scenario_trace_set_registers(child, &registers);
  }
}

// Lets the child run to its end, and looks at it when it stops.
static void follow(struct shared *shared, pid_t child, int go_pipe) {
  for (;;) {
    struct scenario_stop stop = scenario_await_stop(child);
    switch (stop.kind) {
      case SCENARIO_STOP_NONE:
      case SCENARIO_STOP_EXITED:
      case SCENARIO_STOP_KILLED:
        return;
      case SCENARIO_STOP_SECCOMP:
        use_stopped_child(shared, child, go_pipe);
        scenario_trace_continue(child, 0);
        break;
      case SCENARIO_STOP_SIGNAL:
        if (stop.value == SIGSYS && scenario_trace_is_refusal(child)) {
          answer_refused_call(child);
          stop.value = 0;
        }
        scenario_trace_continue(child, stop.value);
        break;
      default:
        scenario_trace_continue(child, 0);
        break;
    }
  }
}

struct scenario_probe scenario_probe_machine(void) {
  struct scenario_probe probe;
  int *members = (int *)&probe;
  for (size_t index = 0; index < sizeof probe / sizeof *members; index++) {
    members[index] = SCENARIO_PROBE_NOT_REACHED;
  }
  int bell = scenario_open_bell(0);
  probe.open_event = bell < 0 ? errno : 0;
  if (bell >= 0) {
    close(bell);
  }
  int go_pipe[2];
  struct shared *shared =
      mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) {
    probe.make_process = errno;
    return probe;
  }
  shared->probe = probe;
  if (pipe2(go_pipe, O_CLOEXEC) != 0) {
    probe.make_process = errno;
    munmap(shared, PAGE);
    return probe;
  }
  scenario_begin_copies();
  // The child inherits the dumpable flag; targets get their own with their programs.
  scenario_begin_opening();
  pid_t child = fork();
  if (child == 0) {
    close(go_pipe[1]);
    run_child(shared, go_pipe[0]);
  }
  scenario_end_opening();
  shared->probe.make_process = child < 0 ? errno : 0;
  if (child > 0) {
    shared->probe.trace = outcome(ptrace(PTRACE_SEIZE, child, 0, scenario_trace_options()));
    // What needs no tracer is tried also where there may be none.
    if (write(go_pipe[1], "g", 1) != 1) {
      kill(child, SIGKILL);
    }
    follow(shared, child, go_pipe[0]);
  }
  // The child has ended by now.
  scenario_end_copies();
  close(go_pipe[0]);
  close(go_pipe[1]);
  probe = shared->probe;
  munmap(shared, PAGE);
  return probe;
}

int scenario_call_error(long number, long first, long second, long third, long fourth) {
  const long result = raw_system_call(number, first, second, third, fourth, 0);
  return result < 0 ? (int)-result : 0;
}
