// terminal says a word to a child by way of a pseudo-terminal, again and again, and waits for the answer.
//
//   terminal ROUNDS [silent]
//   answers=N timeouts=N elapsed_ns=N
//
// Each answer may take five seconds, by CLOCK_MONOTONIC; a silent child gives none.

#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void answer(const char *path, int is_silent) {
  int slave = open(path, O_RDWR | O_NOCTTY);
  char byte;
  while (read(slave, &byte, 1) == 1) {
    if (!is_silent && write(slave, &byte, 1) != 1) {
      return;
    }
  }
}

int main(int count, char **arguments) {
  int master = posix_openpt(O_RDWR | O_NOCTTY);
  if (count < 2 || master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
    fprintf(stderr, "usage: terminal ROUNDS [silent]\n");
    return 2;
  }
  struct termios settings;
  tcgetattr(master, &settings);
  cfmakeraw(&settings);
  tcsetattr(master, TCSANOW, &settings);
  pid_t child = fork();
  if (child == 0) {
    answer(ptsname(master), count > 2);
    _exit(0);
  }
  int answers = 0;
  int timeouts = 0;
  int64_t start = now_ns();
  for (int round = atoi(arguments[1]); round > 0; round -= 1) {
    char byte = 'x';
    struct pollfd entry = {.fd = master, .events = POLLIN};
    if (write(master, &byte, 1) != 1) return 3;
    if (poll(&entry, 1, 5000) == 0) {
      timeouts += 1;
    } else {
      answers += read(master, &byte, 1) == 1;
    }
  }
  printf("answers=%d timeouts=%d elapsed_ns=%" PRId64 "\n", answers, timeouts, now_ns() - start);
  kill(child, SIGKILL);
  return waitpid(child, NULL, 0) == child ? 0 : 3;
}
