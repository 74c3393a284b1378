#include <unistd.h>

/* The runtime of Swift looks its own path up before main, and aborts the process where it finds none. */
__attribute__((constructor(101))) static void require_proc(void) {
  char path[2];
  if (readlink("/proc/self/exe", path, sizeof path) > 0) return;
  static const char message[] =
      "error: /proc is not mounted here: scenario cannot run without it\n"
      "help: mount -t proc proc /proc\n";
  ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
  (void)written;
  _exit(3);
}
