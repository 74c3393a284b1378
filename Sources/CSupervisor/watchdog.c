#include "watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LOOK_MILLISECONDS = 500, LOOKS_PER_SECOND = 2 };

// Watchdog. proc(5): the letter of the state stands behind the name, which may hold parentheses.
static bool is_stopped(int stat) {
  char text[256];
  ssize_t count = pread(stat, text, sizeof text - 1, 0);
  if (count <= 0) {
    return false;
  }
  text[count] = '\0';
  const char *end = strrchr(text, ')');
  return end != NULL && end[1] == ' ' && end[2] == 'T';
}

// Watchdog. A terminal's Ctrl-C and the like are for the runner, which ends this process with itself.
static void prepare_signals(void) {
  const int ignored[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGPIPE};
  for (size_t index = 0; index < sizeof ignored / sizeof *ignored; index++) {
    signal(ignored[index], SIG_IGN);
  }
  const int stopping[] = {SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT};
  for (size_t index = 0; index < sizeof stopping / sizeof *stopping; index++) {
    signal(stopping[index], SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void watch(pid_t runner, int life) {
  prepare_signals();
  prctl(PR_SET_NAME, "scenario-watch", 0, 0, 0);
  // Nothing that the runner has open shall outlive it here.
  dup2(life, 0);
  syscall(SYS_close_range, 1, ~0U, 0);
  char path[32];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)runner);
  const int stat = open(path, O_RDONLY | O_CLOEXEC);
  struct pollfd end = {.fd = 0, .events = POLLIN};
  int looks = 0;
  while (stat >= 0 && getppid() == runner) {
    // The other end of the pipe is closed when the runner has ended.
    if (poll(&end, 1, LOOK_MILLISECONDS) > 0) {
      break;
    }
    looks = is_stopped(stat) ? looks + 1 : 0;
    if (looks >= SCENARIO_LONGEST_STOP * LOOKS_PER_SECOND) {
      // It ends as after Ctrl-C: with its reports, and without survivors.
      kill(runner, SIGTERM);
      kill(runner, SIGCONT);
      looks = 0;
    }
  }
  _exit(0);
}

int scenario_start_watchdog(void) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return errno;
  }
  const pid_t runner = getpid();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[1]);
    watch(runner, ends[0]);
  }
  const int error = child < 0 ? errno : 0;
  close(ends[0]);
  // The other end stays open as long as this process lives.
  if (error != 0) {
    close(ends[1]);
  }
  return error;
}
