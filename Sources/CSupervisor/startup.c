#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "raw_system_call_x86_64.h"

// The exit code of a run that decides nothing.
enum { UNDECIDED = 3, ARGUMENT_COUNT = 4, PART_COUNT = 7 };

// A call without which the runtime of Swift ends or hangs before main, or nothing can be said.
struct required_call {
  const char *name;
  long number;
  long arguments[ARGUMENT_COUNT];  // of which the kernel says that they are wrong
};

static const struct required_call required_calls[] = {
    {"write", SYS_write, {-1, 0, 0, 0}},
    {"mmap", SYS_mmap, {0, 0, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS}},
    {"readlink", SYS_readlink, {0, 0, 0, 0}},
};

/* Where a filter refuses one of these calls, this is the last place that can say so: without write(2), by writev(2). */
static void require_call(const struct required_call *call) {
  const long *arguments = call->arguments;
  const long result = raw_system_call(call->number, arguments[0], arguments[1], arguments[2],
                                      arguments[3], 0);
  if (result != -EPERM && result != -EACCES && result != -ENOSYS) return;
  const char *parts[PART_COUNT] = {
      "error: the call ",
      call->name,
      " is refused here: ",
      strerror((int)-result),
      "\nhelp: the container's seccomp profile must allow ",
      call->name,
      " (docker run --security-opt seccomp=unconfined)\n",
  };
  struct iovec vectors[PART_COUNT];
  for (size_t index = 0; index < PART_COUNT; index++) {
    vectors[index].iov_base = (void *)(uintptr_t)parts[index];
    vectors[index].iov_len = strlen(parts[index]);
  }
  ssize_t written = writev(STDERR_FILENO, vectors, PART_COUNT);
  (void)written;
  _exit(UNDECIDED);
}

/* Before the constructors of Swift's runtime, which needs these calls, and looks its own path up in /proc: it aborts
   the process where it finds none. */
__attribute__((constructor(101))) static void require_machine(void) {
  for (size_t index = 0; index < sizeof required_calls / sizeof *required_calls; index++) {
    require_call(&required_calls[index]);
  }
  char path[2];
  if (readlink("/proc/self/exe", path, sizeof path) > 0) return;
  static const char message[] =
      "error: /proc is not mounted here: scenario cannot run without it\n"
      "help: mount -t proc proc /proc\n";
  ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
  (void)written;
  _exit(UNDECIDED);
}
