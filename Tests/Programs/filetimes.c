// Makes each call that changes the times of files, and tells which times it has changed.
//
//   filetimes FOLDER SECONDS
//
// Every call finds fresh files in FOLDER whose times are all 1000. A line each: the call, its errno, and then
// for each file its times of access and modification: `k`, kept; `v`, SECONDS of the wall clock; `r`, another
// time.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>

#define KEPT 1000
static const struct timespec kept_times[2] = {{KEPT, 0}, {KEPT, 0}};
static const char *const names[] = {".",       "file", "new",     "link",
                                    "dangling", "sub",  "sub/new", "sub/second"};
static char absolute[4096];

static int file(int flags) { return open("file", flags); }
static struct iovec part(void) { return (struct iovec){.iov_base = "abc", .iov_len = 3}; }
static int source(void) { return open("../source", O_RDONLY); }

static long open_new(void) { return open("new", O_WRONLY | O_CREAT, 0600); }
static long open_old(void) { return open("file", O_WRONLY | O_CREAT, 0600); }
static long open_truncating(void) { return open("file", O_WRONLY | O_CREAT | O_TRUNC, 0600); }
static long open_only_new(void) { return open("new", O_RDWR | O_CREAT | O_EXCL, 0600); }
static long open_not_new(void) { return open("file", O_RDWR | O_CREAT | O_EXCL, 0600); }
static long open_reading(void) { return file(O_RDONLY); }
static long open_writing(void) { return file(O_WRONLY); }
static long open_dangling(void) { return open("dangling", O_WRONLY | O_CREAT, 0600); }
static long open_through_link(void) { return open("link", O_WRONLY | O_TRUNC); }
static long open_plain(void) { return syscall(SYS_open, "new", O_WRONLY | O_CREAT, 0600); }
static long open_below(void) {
  int folder = open("sub", O_RDONLY | O_DIRECTORY);
  return openat(folder, "new", O_WRONLY | O_CREAT, 0600);
}
static long open_with_structure(void) {
  struct open_how how = {.flags = O_WRONLY | O_CREAT, .mode = 0600};
  return syscall(SYS_openat2, AT_FDCWD, "sub/new", &how, sizeof how);
}
static long open_absolute(void) {
  char path[4200];
  snprintf(path, sizeof path, "%s/sub/new", absolute);
  return open(path, O_WRONLY | O_CREAT, 0600);
}
static long create(void) { return syscall(SYS_creat, "new", 0600); }
static long create_old(void) { return syscall(SYS_creat, "file", 0600); }
static long create_odd_name(void) { return open("\xff\xfe odd", O_WRONLY | O_CREAT, 0600); }
static long create_nameless(void) {
  int descriptor = open(".", O_TMPFILE | O_RDWR, 0600);
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  return descriptor < 0 ? -1 : linkat(AT_FDCWD, path, AT_FDCWD, "sub/new", AT_SYMLINK_FOLLOW);
}

static long write_some(void) { return write(file(O_WRONLY), "abc", 3); }
static long write_nothing(void) { return write(file(O_WRONLY), "abc", 0); }
static long write_wrong_address(void) { return syscall(SYS_write, file(O_WRONLY), 8L, 3L); }
static long write_read_only(void) { return write(file(O_RDONLY), "abc", 3); }
static long write_appending(void) { return write(file(O_WRONLY | O_APPEND), "abc", 3); }
static long write_at(void) { return pwrite(file(O_WRONLY), "abc", 3, 10); }
static long write_vector(void) {
  struct iovec one = part();
  return writev(file(O_WRONLY), &one, 1);
}
static long write_vector_at(void) {
  struct iovec one = part();
  return pwritev(file(O_WRONLY), &one, 1, 10);
}
static long write_vector_flags(void) {
  struct iovec one = part();
  return pwritev2(file(O_WRONLY), &one, 1, -1, RWF_APPEND);
}
static long send_file(void) { return sendfile(file(O_WRONLY), source(), NULL, 4); }
static long copy_range(void) { return copy_file_range(source(), NULL, file(O_WRONLY), NULL, 4, 0); }
static long splice_pipe(void) {
  int ends[2];
  if (pipe(ends) != 0 || write(ends[1], "abcd", 4) != 4) return -1;
  return splice(ends[0], NULL, file(O_WRONLY), NULL, 4, 0);
}
static long resize(void) { return ftruncate(file(O_WRONLY), 100); }
static long resize_same(void) { return ftruncate(file(O_WRONLY), 4); }
static long resize_path(void) { return truncate("link", 100); }
static long resize_path_same(void) { return truncate("file", 4); }
static long reserve(void) { return fallocate(file(O_WRONLY), 0, 0, 8192); }
static long reserve_only(void) {
  return fallocate(file(O_WRONLY), FALLOC_FL_KEEP_SIZE, 0, 8192);
}

static long make_folder(void) { return mkdir("new", 0700); }
static long make_folder_slashes(void) { return mkdir("./sub//new//", 0700); }
static long make_folder_again(void) { return mkdir("sub", 0700); }
static long make_folder_below(void) { return mkdirat(open("sub", O_PATH), "new", 0700); }
static long make_fifo(void) { return mknod("new", S_IFIFO | 0600, 0); }
static long make_fifo_below(void) { return mknodat(open("sub", O_PATH), "new", S_IFIFO | 0600, 0); }
static long make_link(void) { return symlink("nowhere", "new"); }
static long make_link_below(void) { return symlinkat("nowhere", open("sub", O_PATH), "new"); }
static long make_name(void) { return link("file", "sub/new"); }
static long make_name_below(void) { return linkat(AT_FDCWD, "file", open("sub", O_PATH), "new", 0); }
static long bind_path(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "new"};
  return bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&address,
              sizeof address.sun_family + 3);
}
static long bind_abstract(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  return bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&address,
              sizeof address.sun_family);
}
static long move(void) { return rename("file", "sub/new"); }
static long move_plain(void) { return syscall(SYS_rename, "file", "new"); }
static long move_onto_itself(void) {
  if (link("file", "sub/new") != 0) return -1;
  utimensat(AT_FDCWD, "sub", kept_times, 0);
  return renameat(AT_FDCWD, "file", AT_FDCWD, "sub/new");
}
static long exchange(void) {
  return renameat2(AT_FDCWD, "file", AT_FDCWD, "sub/second", RENAME_EXCHANGE);
}
static long move_missing(void) { return rename("missing", "new"); }
static long remove_file(void) { return unlink("sub/second"); }
static long remove_below(void) { return unlinkat(open("sub", O_PATH), "second", 0); }
static long remove_open_folder(void) {
  if (unlink("sub/second") != 0) return -1;
  return unlinkat(AT_FDCWD, "sub/", AT_REMOVEDIR);
}
static long remove_full_folder(void) { return rmdir("sub"); }

static long set_utime(void) { return syscall(SYS_utime, "link", NULL); }
static long set_utimes(void) { return syscall(SYS_utimes, "file", NULL); }
static long set_futimesat(void) { return syscall(SYS_futimesat, AT_FDCWD, "file", NULL); }
static long set_futimesat_open(void) { return syscall(SYS_futimesat, file(O_RDONLY), NULL, NULL); }
static long set_now(void) { return utimensat(AT_FDCWD, "file", NULL, 0); }
static long set_now_link(void) { return utimensat(AT_FDCWD, "link", NULL, AT_SYMLINK_NOFOLLOW); }
static long set_now_open(void) { return futimens(file(O_RDONLY), NULL); }
static long set_now_empty(void) { return utimensat(file(O_PATH), "", NULL, AT_EMPTY_PATH); }
static long set_now_working(void) { return utimensat(AT_FDCWD, "", NULL, AT_EMPTY_PATH); }
static long set_access_now(void) {
  const struct timespec times[2] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
  return utimensat(AT_FDCWD, "file", times, 0);
}
static long set_modification_now(void) {
  const struct timespec times[2] = {{KEPT, 0}, {0, UTIME_NOW}};
  return utimensat(AT_FDCWD, "file", times, 0);
}
static long set_neither(void) {
  const struct timespec times[2] = {{0, UTIME_OMIT}, {0, UTIME_OMIT}};
  return utimensat(AT_FDCWD, "file", times, 0);
}
static long set_explicitly(void) {
  if (utimensat(AT_FDCWD, "file", NULL, 0) != 0) return -1;
  return utimensat(AT_FDCWD, "file", kept_times, 0);
}
static long set_utime_explicitly(void) {
  const struct utimbuf times = {KEPT, KEPT};
  return syscall(SYS_utime, "file", &times);
}
static long set_missing(void) { return utimensat(AT_FDCWD, "missing", NULL, 0); }

static long change_mode(void) { return chmod("file", 0640); }

static void *writer(void *leader) {
  if (leader) pthread_join(*(pthread_t *)leader, NULL);
  long result = write(file(O_WRONLY), "abc", 3) == 3 && mkdir("new", 0700) == 0 ? 0 : 1;
  if (leader) _exit((int)result);
  return (void *)result;
}
static long write_from_thread(void) {
  pthread_t thread;
  void *result = NULL;
  pthread_create(&thread, NULL, writer, NULL);
  pthread_join(thread, &result);
  return result ? -1 : 0;
}
static long write_without_leader(void) {
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    static pthread_t leader;
    pthread_t thread;
    leader = pthread_self();
    pthread_create(&thread, NULL, writer, &leader);
    pthread_exit(NULL);
  }
  waitpid(child, &status, 0);
  return status == 0 ? 0 : -1;
}
static void *writer_with_own_descriptors(void *unused) {
  (void)unused;
  if (unshare(CLONE_FILES | CLONE_FS) != 0 || chdir("sub") != 0) return (void *)1;
  int descriptor = open("second", O_WRONLY);
  return (void *)(long)(write(descriptor, "abc", 3) != 3 || mkdir("new", 0700) != 0);
}
static long write_from_own_descriptors(void) {
  pthread_t thread;
  void *result = NULL;
  pthread_create(&thread, NULL, writer_with_own_descriptors, NULL);
  pthread_join(thread, &result);
  return result ? -1 : 0;
}
static long write_in_other_root(void) {
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    // Where this is not allowed, it is so with and without a supervisor.
    if (symlink("/sub", "other") != 0 || chroot(".") != 0) _exit(EPERM);
    utimensat(AT_FDCWD, ".", kept_times, 0);
    _exit(mkdir("/other/new", 0700) == 0 && write(open("/sub/second", O_WRONLY), "abc", 3) == 3 ? 0 : 1);
  }
  waitpid(child, &status, 0);
  errno = WEXITSTATUS(status);
  return status == 0 ? 0 : -1;
}

static const struct {
  const char *name;
  long (*make)(void);
} calls[] = {
#define CALL(name) {#name, name}
    CALL(open_new), CALL(open_old), CALL(open_truncating), CALL(open_only_new), CALL(open_not_new),
    CALL(open_reading), CALL(open_writing), CALL(open_dangling), CALL(open_through_link), CALL(open_plain),
    CALL(open_below), CALL(open_with_structure), CALL(open_absolute), CALL(create), CALL(create_old),
    CALL(create_odd_name), CALL(create_nameless), CALL(write_some), CALL(write_nothing),
    CALL(write_wrong_address), CALL(write_read_only), CALL(write_appending), CALL(write_at), CALL(write_vector),
    CALL(write_vector_at), CALL(write_vector_flags), CALL(send_file), CALL(copy_range), CALL(splice_pipe),
    CALL(resize), CALL(resize_same), CALL(resize_path), CALL(resize_path_same), CALL(reserve),
    CALL(reserve_only), CALL(make_folder), CALL(make_folder_slashes), CALL(make_folder_again),
    CALL(make_folder_below), CALL(make_fifo), CALL(make_fifo_below), CALL(make_link), CALL(make_link_below),
    CALL(make_name), CALL(make_name_below), CALL(bind_path), CALL(bind_abstract), CALL(move), CALL(move_plain),
    CALL(move_onto_itself), CALL(exchange), CALL(move_missing), CALL(remove_file), CALL(remove_below),
    CALL(remove_open_folder), CALL(remove_full_folder), CALL(set_utime), CALL(set_utimes), CALL(set_futimesat),
    CALL(set_futimesat_open), CALL(set_now), CALL(set_now_link), CALL(set_now_open), CALL(set_now_empty),
    CALL(set_now_working), CALL(set_access_now), CALL(set_modification_now), CALL(set_neither),
    CALL(set_explicitly), CALL(set_utime_explicitly), CALL(set_missing), CALL(change_mode),
    CALL(write_from_thread), CALL(write_without_leader), CALL(write_from_own_descriptors),
    CALL(write_in_other_root),
};

static void need(int condition, const char *what) {
  if (condition) return;
  perror(what);
  exit(1);
}

static void fill(const char *name, const char *text) {
  int descriptor = open(name, O_WRONLY | O_CREAT, 0600);
  need(descriptor >= 0 && write(descriptor, text, strlen(text)) == (ssize_t)strlen(text), name);
  close(descriptor);
}

static char letter(struct timespec time, long wall) {
  if (time.tv_sec == KEPT && time.tv_nsec == 0) return 'k';
  return time.tv_sec == wall ? 'v' : 'r';
}

int main(int count, char **arguments) {
  need(count == 3 && chdir(arguments[1]) == 0, "usage: filetimes FOLDER SECONDS");
  long wall = atol(arguments[2]);
  fill("source", "data");
  for (size_t index = 0; index < sizeof calls / sizeof *calls; index++) {
    need(mkdir(calls[index].name, 0700) == 0 && chdir(calls[index].name) == 0, calls[index].name);
    need(getcwd(absolute, sizeof absolute) != NULL && mkdir("sub", 0700) == 0, "sub");
    need(symlink("file", "link") == 0 && symlink("sub/new", "dangling") == 0, "link");
    fill("file", "data");
    fill("sub/second", "data");
    for (size_t name = sizeof names / sizeof *names; name-- > 0;) {
      utimensat(AT_FDCWD, names[name], kept_times, AT_SYMLINK_NOFOLLOW);
    }
    errno = 0;
    long result = calls[index].make();
    printf("%s %d", calls[index].name, result < 0 ? errno : 0);
    for (size_t name = 0; name < sizeof names / sizeof *names; name++) {
      struct stat status;
      if (lstat(names[name], &status) != 0) continue;
      printf(" %s=%c%c", names[name], letter(status.st_atim, wall), letter(status.st_mtim, wall));
    }
    printf("\n");
    close_range(3, ~0U, 0);
    need(chdir("..") == 0, "..");
  }
  return 0;
}
