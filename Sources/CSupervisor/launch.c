#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "descriptor_copies.h"
#include "dumpable.h"
#include "raw_system_call_x86_64.h"

// The child shares the runner's memory until exec, like a child of vfork(2), but the runner goes on
// meanwhile, as it must seize it: copying the page tables of a large process for each launch would take longer
// than all the rest. So the child has a stack of its own, reads nothing that may be freed, and makes raw
// system calls only, which do not touch the errno that it shares.

enum { STACK_SIZE = 32768, SIGNAL_COUNT = 64, SIGNAL_SET_SIZE = 8 };

struct report {
  int32_t stage;
  int32_t error_number;
};

// Everything that the child reads, in one mapping with its stack.
struct scenario_launch_memory {
  size_t size;
  struct scenario_launch_request request;
  struct sock_fprog program;
  int go_pipe;
  int error_pipe;
};

// How rt_sigaction(2) takes its argument.
struct kernel_signal_action {
  void *handler;
  unsigned long flags;
  void *restorer;
  unsigned long mask;
};

// Child only.
static _Noreturn void fail(const struct scenario_launch_memory *memory,
                           enum scenario_launch_stage stage, long result) {
  struct report report = {.stage = (int32_t)stage, .error_number = (int32_t)-result};
  raw_system_call(SYS_write, memory->error_pipe, (long)&report, sizeof report, 0, 0);
  raw_system_call(SYS_exit_group, 127, 0, 0, 0, 0);
  __builtin_unreachable();
}

// Child only. A descriptor that already has its number must lose its close-on-exec flag, which
// dup2(2) does only for a copy.
static long place(int descriptor, int number) {
  if (descriptor == number) {
    return raw_system_call(SYS_fcntl, descriptor, F_SETFD, 0, 0, 0);
  }
  return raw_system_call(SYS_dup2, descriptor, number, 0, 0, 0);
}

void scenario_reset_signals(void) {
  struct kernel_signal_action action = {0};
  for (long number = 1; number <= SIGNAL_COUNT; number++) {
    raw_system_call(SYS_rt_sigaction, number, (long)&action, 0, SIGNAL_SET_SIZE, 0);
  }
  unsigned long none = 0;
  raw_system_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&none, 0, SIGNAL_SET_SIZE, 0);
}

// What this process could have had open before it took all that it may; 0: it did not ask.
static uint64_t inherited_file_limit;

void scenario_raise_file_limit(void) {
  enum { most = 65536 };
  struct rlimit limits;
  if (inherited_file_limit != 0 || getrlimit(RLIMIT_NOFILE, &limits) != 0) {
    return;
  }
  inherited_file_limit = limits.rlim_cur;
  if (limits.rlim_cur < most) {
    limits.rlim_cur = limits.rlim_max < most ? limits.rlim_max : most;
    setrlimit(RLIMIT_NOFILE, &limits);
  }
}

// Child only. Leaves the hard limit as it is.
static void set_soft_limit(int resource, uint64_t value) {
  struct {
    uint64_t soft, hard;
  } limits;
  if (raw_system_call(SYS_prlimit64, 0, resource, 0, (long)&limits, 0) < 0) {
    return;
  }
  limits.soft = value < limits.hard ? value : limits.hard;
  raw_system_call(SYS_prlimit64, 0, resource, (long)&limits, 0, 0);
}

void scenario_set_usual_limits(bool keeps_mask) {
  if (!keeps_mask) {
    raw_system_call(SYS_umask, SCENARIO_FILE_MODE_MASK, 0, 0, 0, 0);
  }
  set_soft_limit(RLIMIT_CORE, SCENARIO_CORE_LIMIT);
  if (inherited_file_limit != 0) {
    set_soft_limit(RLIMIT_NOFILE, inherited_file_limit);
  }
}

// Child only. Leaves the terminal that the runner may have, which would be another world at a desk than in CI: without one
// /dev/tty cannot be opened (ioctl_tty(2): TIOCNOTTY).
static void leave_terminal(void) {
  long terminal =
      raw_system_call(SYS_open, (long)"/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC, 0, 0, 0);
  if (terminal >= 0) {
    raw_system_call(SYS_ioctl, terminal, TIOCNOTTY, 0, 0, 0);
    raw_system_call(SYS_close, terminal, 0, 0, 0, 0);
  }
}

// Child only. Lowers both limits, soft and hard.
static void limit(int resource, uint64_t value) {
  struct {
    uint64_t soft, hard;
  } limits;
  if (value == 0 || raw_system_call(SYS_prlimit64, 0, resource, 0, (long)&limits, 0) < 0) {
    return;
  }
  if (value < limits.hard) {
    limits.hard = value;
  }
  limits.soft = limits.hard;
  raw_system_call(SYS_prlimit64, 0, resource, (long)&limits, 0, 0);
}

// Child only.
static int run_child(void *argument) {
  const struct scenario_launch_memory *memory = argument;
  const struct scenario_launch_request *request = &memory->request;
  // Out of the runner's process group first: what a terminal sends is for the runner. A session of its
  // own is a group, too, and the leader of a group cannot begin one (setsid(2)).
  raw_system_call(request->has_terminal ? SYS_setsid : SYS_setpgid, 0, 0, 0, 0, 0);
  if (!request->has_terminal) {
    leave_terminal();
  }
  // Nothing that the runner has open, or was given, is the target's business. What stays open here is to be
  // closed when the program runs.
  int kept[] = {request->standard_input, request->standard_output, request->standard_error,
                memory->go_pipe, memory->error_pipe};
  enum { KEPT_COUNT = sizeof kept / sizeof kept[0] };
  scenario_close_copies(kept, KEPT_COUNT);
  for (int index = 0; index < KEPT_COUNT; index++) {
    if (kept[index] > STDERR_FILENO) {
      raw_system_call(SYS_fcntl, kept[index], F_SETFD, FD_CLOEXEC, 0, 0);
    }
  }
  const struct report alone = {.stage = SCENARIO_LAUNCH_DONE};
  raw_system_call(SYS_write, memory->error_pipe, (long)&alone, sizeof alone, 0, 0);
  char go;
  long result;
  do {
    result = raw_system_call(SYS_read, memory->go_pipe, (long)&go, 1, 0, 0);
  } while (result == -EINTR);
  if (result != 1) {
    // The runner has ended before it held this process.
    raw_system_call(SYS_exit_group, 127, 0, 0, 0, 0);
  }
  result = raw_system_call(SYS_chdir, (long)request->directory, 0, 0, 0, 0);
  if (result < 0) {
    fail(memory, SCENARIO_LAUNCH_DIRECTORY, result);
  }
  const int streams[] = {request->standard_input, request->standard_output,
                         request->standard_error};
  for (int number = 0; number < 3; number++) {
    result = place(streams[number], number);
    if (result < 0) {
      fail(memory, SCENARIO_LAUNCH_STREAMS, result);
    }
  }
  if (request->has_terminal) {
    // ioctl_tty(2): a session leader without a controlling terminal gets this one.
    result = raw_system_call(SYS_ioctl, 0, TIOCSCTTY, 0, 0, 0);
    if (result < 0) {
      fail(memory, SCENARIO_LAUNCH_TERMINAL, result);
    }
  }
  scenario_set_usual_limits(request->keeps_mask);
  limit(RLIMIT_DATA, request->memory_limit);
  limit(RLIMIT_NOFILE, request->file_limit);
  if (request->is_seeded) {
    // personality(2): 0xffffffff asks. Containers may forbid it; then addresses differ from run to run.
    long persona = raw_system_call(SYS_personality, 0xffffffff, 0, 0, 0, 0);
    if (persona >= 0) {
      raw_system_call(SYS_personality, persona | ADDR_NO_RANDOMIZE, 0, 0, 0, 0);
    }
    raw_system_call(SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
  }
  if (request->processor >= 0 && request->processor < CPU_SETSIZE) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(request->processor, &set);
    raw_system_call(SYS_sched_setaffinity, 0, sizeof set, (long)&set, 0, 0);
  }
  if (request->filter != NULL) {
    result = raw_system_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (result < 0) {
      fail(memory, SCENARIO_LAUNCH_PRIVILEGES, result);
    }
    // No mitigation of speculation: the filter guards nothing, it only tells the tracer.
    result = raw_system_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                             SECCOMP_FILTER_FLAG_SPEC_ALLOW, (long)&memory->program, 0, 0);
    if (result < 0) {
      fail(memory, SCENARIO_LAUNCH_FILTER, result);
    }
  }
  scenario_reset_signals();
  result = raw_system_call(SYS_execve, (long)request->path, (long)request->arguments,
                           (long)request->environment, 0, 0);
  fail(memory, SCENARIO_LAUNCH_EXEC, result);
}

// MARK: - Memory

static size_t list_size(char *const *list) {
  size_t size = sizeof *list;
  for (; *list != NULL; list++) {
    size += sizeof *list + strlen(*list) + 1;
  }
  return size;
}

static char *copy_text(const char *text, char **end) {
  size_t size = strlen(text) + 1;
  char *copy = memcpy(*end, text, size);
  *end += size;
  return copy;
}

// The pointers go to `slots`, the texts to `end`.
static char *const *copy_list(char *const *list, char ***slots, char **end) {
  char **copy = *slots;
  for (; *list != NULL; list++) {
    *(*slots)++ = copy_text(*list, end);
  }
  *(*slots)++ = NULL;
  return copy;
}

static struct scenario_launch_memory *copy_request(const struct scenario_launch_request *request) {
  size_t filter_size = request->filter_length * sizeof *request->filter;
  size_t size = sizeof(struct scenario_launch_memory) + filter_size +
                list_size(request->arguments) + list_size(request->environment) +
                strlen(request->path) + strlen(request->directory) + 2 + STACK_SIZE + 64;
  char *start = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) {
    return NULL;
  }
  struct scenario_launch_memory *memory = (void *)start;
  memory->size = size;
  memory->request = *request;
  char **slots = (char **)(memory + 1);
  size_t slot_count = 2;
  for (char *const *item = request->arguments; *item != NULL; item++) {
    slot_count++;
  }
  for (char *const *item = request->environment; *item != NULL; item++) {
    slot_count++;
  }
  struct sock_filter *filter = (void *)(slots + slot_count);
  if (request->filter != NULL) {
    memcpy(filter, request->filter, filter_size);
    memory->request.filter = filter;
    memory->program = (struct sock_fprog){.len = request->filter_length, .filter = filter};
  }
  char *end = (char *)filter + filter_size;
  memory->request.arguments = copy_list(request->arguments, &slots, &end);
  memory->request.environment = copy_list(request->environment, &slots, &end);
  memory->request.path = copy_text(request->path, &end);
  memory->request.directory = copy_text(request->directory, &end);
  return memory;
}

void scenario_launch_release(struct scenario_launch_memory *memory) {
  if (memory != NULL) {
    munmap(memory, memory->size);
  }
}

// MARK: - Runner

static struct scenario_launch_result failed(enum scenario_launch_stage stage, int error_number) {
  return (struct scenario_launch_result){
      .process = -1, .error_pipe = -1, .stage = stage, .error_number = error_number};
}

// Reads what the child tells; false if it has ended, or runs its program.
static bool read_report(int error_pipe, struct report *report) {
  ssize_t count;
  do {
    count = read(error_pipe, report, sizeof *report);
  } while (count < 0 && errno == EINTR);
  return count == (ssize_t)sizeof *report;
}

static struct scenario_launch_result refused(pid_t child, int error_number) {
  kill(child, SIGKILL);
  while (waitpid(child, NULL, __WALL) < 0 && errno == EINTR) {
  }
  return failed(SCENARIO_LAUNCH_TRACE, error_number);
}

static pid_t make_child(struct scenario_launch_memory *memory, int error_pipe[2]) {
  uintptr_t top = ((uintptr_t)memory + memory->size) & ~(uintptr_t)15;
  scenario_begin_copies();
  const pid_t child = clone(run_child, (void *)top, CLONE_VM | SIGCHLD, memory);
  const int error_number = errno;
  close(error_pipe[1]);
  error_pipe[1] = -1;
  // The child is not traced yet, so that nothing but its end can keep it from this report.
  struct report alone;
  if (child >= 0) {
    read_report(error_pipe[0], &alone);
  }
  scenario_end_copies();
  errno = error_number;
  return child;
}

static struct scenario_launch_result start(struct scenario_launch_memory *memory, int go_pipe,
                                           int error_pipe[2], uint64_t options) {
  const pid_t child = make_child(memory, error_pipe);
  if (child < 0) {
    return failed(SCENARIO_LAUNCH_FORK, errno);
  }
  // The child shares the runner's memory, and so its dumpable flag, until it runs its program.
  scenario_begin_opening();
  long seized = ptrace(PTRACE_SEIZE, child, 0, options);
  int seize_error = errno;
  scenario_end_opening();
  if (seized != 0) {
    return refused(child, seize_error);
  }
  ssize_t written = write(go_pipe, "g", 1);
  (void)written;
  return (struct scenario_launch_result){.process = child, .memory = memory};
}

struct scenario_launch_result scenario_launch(const struct scenario_launch_request *request,
                                              uint64_t options) {
  int go_pipe[2] = {-1, -1};
  int error_pipe[2] = {-1, -1};
  struct scenario_launch_memory *memory = copy_request(request);
  struct scenario_launch_result result;
  if (memory == NULL || pipe2(go_pipe, O_CLOEXEC) != 0 || pipe2(error_pipe, O_CLOEXEC) != 0) {
    result = failed(SCENARIO_LAUNCH_PIPE, errno);
  } else {
    memory->go_pipe = go_pipe[0];
    memory->error_pipe = error_pipe[1];
    result = start(memory, go_pipe[1], error_pipe, options);
  }
  if (result.process < 0) {
    scenario_launch_release(memory);
    close(error_pipe[0]);
  } else {
    result.error_pipe = error_pipe[0];
  }
  close(go_pipe[0]);
  close(go_pipe[1]);
  if (error_pipe[1] >= 0) {
    close(error_pipe[1]);
  }
  return result;
}

int scenario_open_pipe(int *read_end, int *write_end) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return errno;
  }
  *read_end = ends[0];
  *write_end = ends[1];
  return 0;
}

enum scenario_launch_stage scenario_launch_report(int error_pipe, int *error_number) {
  struct report report;
  if (!read_report(error_pipe, &report)) {
    *error_number = 0;
    return SCENARIO_LAUNCH_DONE;
  }
  *error_number = report.error_number;
  return (enum scenario_launch_stage)report.stage;
}
