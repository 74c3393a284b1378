#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct report {
  int32_t stage;
  int32_t error_number;
};

// Child only.
static _Noreturn void fail(int error_pipe, enum scenario_launch_stage stage) {
  struct report report = {.stage = (int32_t)stage, .error_number = errno};
  ssize_t written = write(error_pipe, &report, sizeof report);
  (void)written;
  _exit(127);
}

// Child only. A descriptor that already has its number must lose its close-on-exec flag, which
// dup2(2) does only for a copy.
static int place(int descriptor, int number) {
  if (descriptor == number) {
    return fcntl(number, F_SETFD, 0);
  }
  return dup2(descriptor, number) < 0 ? -1 : 0;
}

// Child only: back to the dispositions and the mask that a program expects at its start.
static void reset_signals(void) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) {
    sigaction(number, &action, NULL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void run_child(const struct scenario_launch_request *request, int go_pipe,
                                int error_pipe) {
  char go;
  while (read(go_pipe, &go, 1) < 0 && errno == EINTR) {
  }
  reset_signals();
  setpgid(0, 0);
  // Nothing that the runner has open, or was given, is the target's business.
  syscall(SYS_close_range, 3u, ~0u, CLOSE_RANGE_CLOEXEC);
  if (chdir(request->directory) != 0) {
    fail(error_pipe, SCENARIO_LAUNCH_DIRECTORY);
  }
  if (place(request->standard_input, 0) != 0 || place(request->standard_output, 1) != 0 ||
      place(request->standard_error, 2) != 0) {
    fail(error_pipe, SCENARIO_LAUNCH_STREAMS);
  }
  if (request->filter != NULL) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
      fail(error_pipe, SCENARIO_LAUNCH_PRIVILEGES);
    }
    struct sock_fprog program = {.len = request->filter_length,
                                 .filter = (struct sock_filter *)request->filter};
    // No mitigation of speculation: the filter guards nothing, it only tells the tracer.
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) !=
        0) {
      fail(error_pipe, SCENARIO_LAUNCH_FILTER);
    }
  }
  execve(request->path, request->arguments, request->environment);
  fail(error_pipe, SCENARIO_LAUNCH_EXEC);
}

static struct scenario_launch_result failed(enum scenario_launch_stage stage) {
  return (struct scenario_launch_result){
      .process = -1, .error_pipe = -1, .stage = stage, .error_number = errno};
}

struct scenario_launch_result scenario_launch(const struct scenario_launch_request *request,
                                              uint64_t options) {
  int go_pipe[2];
  int error_pipe[2];
  if (pipe2(go_pipe, O_CLOEXEC) != 0) {
    return failed(SCENARIO_LAUNCH_PIPE);
  }
  if (pipe2(error_pipe, O_CLOEXEC) != 0) {
    struct scenario_launch_result result = failed(SCENARIO_LAUNCH_PIPE);
    close(go_pipe[0]);
    close(go_pipe[1]);
    return result;
  }
  pid_t child = fork();
  if (child == 0) {
    close(go_pipe[1]);
    run_child(request, go_pipe[0], error_pipe[1]);
  }
  struct scenario_launch_result result = {.process = child, .error_pipe = error_pipe[0]};
  if (child < 0) {
    result = failed(SCENARIO_LAUNCH_FORK);
  } else if (ptrace(PTRACE_SEIZE, child, 0, options) != 0) {
    result = failed(SCENARIO_LAUNCH_TRACE);
    kill(child, SIGKILL);
    while (waitpid(child, NULL, __WALL) < 0 && errno == EINTR) {
    }
  } else {
    ssize_t written = write(go_pipe[1], "g", 1);
    (void)written;
  }
  if (result.process < 0) {
    close(error_pipe[0]);
  }
  close(go_pipe[0]);
  close(go_pipe[1]);
  close(error_pipe[1]);
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
  ssize_t count;
  do {
    count = read(error_pipe, &report, sizeof report);
  } while (count < 0 && errno == EINTR);
  if (count != (ssize_t)sizeof report) {
    *error_number = 0;
    return SCENARIO_LAUNCH_DONE;
  }
  *error_number = report.error_number;
  return (enum scenario_launch_stage)report.stage;
}
