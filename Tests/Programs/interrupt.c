// interrupt sleeps while a child sends it a signal.
//
//   interrupt MODE SLEEP_MILLISECONDS SIGNAL_MILLISECONDS
//
//   handler    SIGUSR1 has a handler: the sleep ends early, EINTR, with the rest of its time
//   restart    the same with SA_RESTART, which a sleep does not honour (signal(7))
//   ignored    SIGUSR1 is ignored: the sleep goes on to its end
//   child      nothing is sent; the child's end alone (SIGCHLD, ignored by default) disturbs nothing
//
// One line:
//
//   MODE result=R error=NAME elapsed_ns=N remaining_ns=N handled=COUNT

#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t handled = 0;

static void handle(int signal) {
  (void)signal;
  handled += 1;
}

static int64_t nanoseconds(struct timespec value) {
  return (int64_t)value.tv_sec * 1000000000 + value.tv_nsec;
}

static struct timespec milliseconds(const char *text) {
  long count = strtol(text, NULL, 10);
  return (struct timespec){.tv_sec = count / 1000, .tv_nsec = count % 1000 * 1000000};
}

static int prepare(const char *mode) {
  struct sigaction action = {.sa_handler = handle};
  sigemptyset(&action.sa_mask);
  if (strcmp(mode, "child") == 0) return 0;
  if (strcmp(mode, "restart") == 0) {
    action.sa_flags = SA_RESTART;
  } else if (strcmp(mode, "ignored") == 0) {
    action.sa_handler = SIG_IGN;
  } else if (strcmp(mode, "handler") != 0) {
    return -1;
  }
  return sigaction(SIGUSR1, &action, NULL);
}

static void signal_parent(pid_t parent, const char *mode, struct timespec delay) {
  nanosleep(&delay, NULL);
  if (strcmp(mode, "child") != 0) kill(parent, SIGUSR1);
}

int main(int count, char **arguments) {
  if (count != 4 || prepare(arguments[1]) != 0) {
    fprintf(
        stderr,
        "usage: interrupt handler|restart|ignored|child SLEEP_MILLISECONDS SIGNAL_MILLISECONDS\n");
    return 2;
  }
  struct timespec length = milliseconds(arguments[2]);
  struct timespec remaining = {0};
  struct timespec before;
  struct timespec after;
  pid_t parent = getpid();
  clock_gettime(CLOCK_MONOTONIC, &before);
  pid_t child = fork();
  if (child < 0) {
    perror("fork");
    return 3;
  }
  if (child == 0) {
    signal_parent(parent, arguments[1], milliseconds(arguments[3]));
    _exit(0);
  }
  int result = nanosleep(&length, &remaining);
  int error = result < 0 ? errno : 0;
  clock_gettime(CLOCK_MONOTONIC, &after);
  printf(
      "%s result=%d error=%s elapsed_ns=%" PRId64 " remaining_ns=%" PRId64 " handled=%d\n",
      arguments[1], result, error == 0 ? "none" : strerrorname_np(error),
      nanoseconds(after) - nanoseconds(before), nanoseconds(remaining), (int)handled);
  fflush(stdout);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
  return 0;
}
