#include "resolution.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

int scenario_open_in_root(int root, const char *path, int flags) {
  struct open_how how = {.flags = (unsigned)flags | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT};
  return (int)syscall(SYS_openat2, root, path, &how, sizeof how);
}

int scenario_open_without_magic_links(int folder, const char *path, int flags) {
  struct open_how how = {.flags = (unsigned)flags | O_CLOEXEC, .resolve = RESOLVE_NO_MAGICLINKS};
  int descriptor = (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
  // A container's filter answers with one of these.
  if (descriptor < 0 && (errno == ENOSYS || errno == EPERM)) errno = ELOOP;
  return descriptor;
}

int scenario_stays_beneath(int root, const char *path, int follows) {
  struct open_how how = {
      .flags = O_PATH | O_CLOEXEC | (unsigned)(follows ? 0 : O_NOFOLLOW),
      .resolve = RESOLVE_BENEATH | RESOLVE_NO_XDEV,
  };
  int descriptor = (int)syscall(SYS_openat2, root, path, &how, sizeof how);
  // openat2(2): EXDEV comes before ENOENT where the way leads out, or into another mount.
  if (descriptor < 0) return errno == ENOENT;
  close(descriptor);
  return 1;
}
