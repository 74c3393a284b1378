// ring asks for an io_uring twice, as programs do that would fall back without one, and waits an hour.
//
//   ring       prints what io_uring_setup(2) returned each time: a descriptor, or -errno
//   ring none  asks for none

#include <errno.h>
#include <linux/io_uring.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long ask(void) {
  struct io_uring_params parameters;
  memset(&parameters, 0, sizeof parameters);
  long result = syscall(SYS_io_uring_setup, 8, &parameters);
  return result < 0 ? -errno : result;
}

int main(int count, char **arguments) {
  if (count < 2 || strcmp(arguments[1], "none") != 0) {
    long first = ask();
    printf("first %ld, second %ld\n", first, ask());
    fflush(stdout);
  }
  struct timespec hour = {.tv_sec = 3600};
  return nanosleep(&hour, NULL);
}
