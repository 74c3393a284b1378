// Changes what is in a folder by each call that can, made without the C library's help, and says how each has ended.
//
//   outside_writes FOLDER
//
// The folder has a file "old", and nothing else.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static const char *ending(long result) {
  if (result >= 0) return "done";
  switch (errno) {
    case EROFS: return "EROFS";
    case ENOENT: return "ENOENT";
    default: return strerror(errno);
  }
}

static long call(const char *name, long result) {
  printf("%s: %s\n", name, ending(result));
  fflush(stdout);
  return result;
}

static void open_and_close(const char *name, long descriptor) {
  if (call(name, descriptor) >= 0) syscall(SYS_close, descriptor);
}

// Gives a name to a file that has none, or, on a disk that has no such files, another name to one.
static long give_name(void) {
  int nameless = open(".", O_TMPFILE | O_RDWR, 0600);
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", nameless);
  long result =
      syscall(SYS_linkat, AT_FDCWD, nameless < 0 ? "old" : path, AT_FDCWD, "named", AT_SYMLINK_FOLLOW);
  int error = errno;
  close(nameless);
  errno = error;
  return result;
}

int main(int count, char **arguments) {
  if (count != 2 || chdir(arguments[1]) != 0) return 2;
  open_and_close("openat", syscall(SYS_openat, AT_FDCWD, "old", O_WRONLY));
  open_and_close("open", syscall(SYS_open, "open", O_CREAT | O_RDONLY, 0600));
  struct open_how how = {.flags = O_CREAT | O_RDWR, .mode = 0600};
  open_and_close("openat2", syscall(SYS_openat2, AT_FDCWD, "openat2", &how, sizeof how));
  open_and_close("creat", syscall(SYS_creat, "creat", 0600));
  call("mkdir", syscall(SYS_mkdir, "folder", 0700));
  call("mknod", syscall(SYS_mknod, "pipe", S_IFIFO | 0600, 0));
  call("symlink", syscall(SYS_symlink, "old", "symlink"));
  call("link", syscall(SYS_link, "old", "link"));
  call("linkat", give_name());
  call("rename", syscall(SYS_rename, "old", "renamed"));
  call("renameat2", syscall(SYS_renameat2, AT_FDCWD, "renamed", AT_FDCWD, "old", 0));
  call("truncate", syscall(SYS_truncate, "old", 1));
  call("chmod", syscall(SYS_chmod, "old", 0600));
  int old = open("old", O_RDONLY);
  call("fchmod", syscall(SYS_fchmod, old, 0644));
  call("utimensat", syscall(SYS_utimensat, old, NULL, NULL, 0));
  close(old);
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
  int server = socket(AF_UNIX, SOCK_STREAM, 0);
  call("bind", syscall(SYS_bind, server, &address, sizeof address));
  close(server);
  const char *names[] = {"open", "openat2", "creat", "pipe", "symlink", "link", "named", "socket"};
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) unlink(names[index]);
  rmdir("folder");
  call("unlinkat", syscall(SYS_unlinkat, AT_FDCWD, "old", 0));
  return 0;
}
