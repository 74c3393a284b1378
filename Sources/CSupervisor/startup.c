#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void end_with(const char *message) {
  ssize_t written = write(STDERR_FILENO, message, strlen(message));
  (void)written;
  _exit(3);
}

/* The runtime of Swift looks its own path up before main, and aborts the process where it finds none. And whoever holds
   processes finds them, and writes into them, by /proc (proc(5)). */
__attribute__((constructor(101))) static void require_proc(void) {
  char text[24];
  if (readlink("/proc/self/exe", text, sizeof text) <= 0) {
    end_with(
        "error: /proc is not mounted here: scenario cannot run without it\n"
        "help: mount -t proc proc /proc\n");
  }
  const ssize_t length = readlink("/proc/self", text, sizeof text - 1);
  if (length > 0) {
    text[length] = 0;
    if (atoi(text) != getpid()) {
      end_with(
          "error: /proc shows another process namespace than the one that scenario runs in\n"
          "help: mount -t proc proc /proc, or unshare with --mount-proc\n");
    }
  }
  const int memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  if (memory >= 0) {
    close(memory);
  } else if (errno == EROFS) {
    end_with(
        "error: /proc is mounted read-only here: scenario cannot write into the programs that it runs\n"
        "help: mount -o remount,rw /proc\n");
  }
}
