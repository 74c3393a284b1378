#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum { USUAL_END_OF_INPUT = 4 };

static int open_program_end(int runner_end) {
  // ioctl_tty(2): needs no path, which may lead elsewhere in another mount namespace.
  int descriptor = ioctl(runner_end, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (descriptor >= 0 || (errno != ENOTTY && errno != EINVAL)) {
    return descriptor;
  }
  char path[64];
  int error = ptsname_r(runner_end, path, sizeof path);
  if (error != 0) {
    errno = error;
    return -1;
  }
  return open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
}

int scenario_open_terminal(uint16_t columns, uint16_t rows, int *runner_end, int *program_end) {
  int first = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (first < 0) {
    return errno;
  }
  int second = -1;
  int error = 0;
  if (grantpt(first) != 0 || unlockpt(first) != 0 || (second = open_program_end(first)) < 0) {
    error = errno;
  } else {
    error = scenario_resize_terminal(first, columns, rows);
  }
  if (error != 0) {
    if (second >= 0) {
      close(second);
    }
    close(first);
    return error;
  }
  *runner_end = first;
  *program_end = second;
  return 0;
}

int scenario_resize_terminal(int descriptor, uint16_t columns, uint16_t rows) {
  struct winsize size = {.ws_col = columns, .ws_row = rows};
  return ioctl(descriptor, TIOCSWINSZ, &size) == 0 ? 0 : errno;
}

uint8_t scenario_terminal_end_of_input(int descriptor) {
  struct termios settings;
  if (tcgetattr(descriptor, &settings) != 0 || settings.c_cc[VEOF] == _POSIX_VDISABLE) {
    return USUAL_END_OF_INPUT;
  }
  return settings.c_cc[VEOF];
}
