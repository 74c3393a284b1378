#include "asked_program.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "descriptor_copies.h"
#include "launch.h"

// Child only: what signal-safety(7) lists, and execvpe(3), which asks for no memory but its stack.
static _Noreturn void run(const struct scenario_asked_program *program, int failure) {
  // What a terminal sends is for the runner.
  setpgid(0, 0);
  if (dup2(program->standard_input, 0) >= 0 && dup2(program->standard_output, 1) >= 0 &&
      dup2(program->standard_error, 2) >= 0) {
    int kept[] = {failure};
    scenario_close_copies(kept, 1);
    scenario_set_usual_limits(false);
    scenario_reset_signals();
    execvpe(program->arguments[0], program->arguments, program->environment);
  }
  const int32_t error = errno;
  // Nobody is left to be told where it fails.
  const ssize_t count = write(failure, &error, sizeof error);
  (void)count;
  _exit(127);
}

int scenario_start_asked_program(const struct scenario_asked_program *program, pid_t *process) {
  int failure[2];
  const int no_pipe = scenario_open_pipe(&failure[0], &failure[1]);
  if (no_pipe != 0) {
    return no_pipe;
  }
  // A handler of the runner's must not run in the child.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  scenario_begin_copies();
  const pid_t child = fork();
  if (child == 0) {
    run(program, failure[1]);
  }
  int error = child < 0 ? errno : 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(failure[1]);
  if (error == 0) {
    // At its end once the program runs, when there are no copies of descriptors left.
    int32_t told = 0;
    ssize_t count;
    do {
      count = read(failure[0], &told, sizeof told);
    } while (count < 0 && errno == EINTR);
    if (count == sizeof told) {
      error = told;
      waitpid(child, NULL, 0);
    }
  }
  scenario_end_copies();
  close(failure[0]);
  *process = child;
  return error;
}
