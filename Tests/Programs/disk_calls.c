// Writes to files in every way there is, and says what came of it.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char *name_of(int number) {
  switch (number) {
  case 0: return "ok";
  case ENOSPC: return "ENOSPC";
  case EDQUOT: return "EDQUOT";
  case EROFS: return "EROFS";
  case EEXIST: return "EEXIST";
  case ENOENT: return "ENOENT";
  case EISDIR: return "EISDIR";
  case EBADF: return "EBADF";
  default: return strerror(number);
  }
}

static void tell(const char *what, long result) {
  int number = errno;
  if (result < 0)
    printf("%s=%s\n", what, name_of(number));
  else
    printf("%s=%ld\n", what, result);
  fflush(stdout);
}

static char block[1 << 20];

static long size_of(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 ? (long)status.st_size : -1;
}

static int make(const char *path, int flags) {
  return open(path, O_CREAT | O_RDWR | flags, 0600);
}

// With 10000 bytes free.
static void ways(void) {
  int file = make("ways", 0);
  struct iovec parts[3] = {{block, 1000}, {block, 2000}, {block, 3000}};
  tell("writev", writev(file, parts, 3));
  tell("pwritev", pwritev(file, parts, 3, 6000));
  tell("where it stands", write(file, block, 1));
  tell("in place", pwrite(file, block, 10000, 0));
  tell("empty", write(file, block, 0));
  tell("shrink", ftruncate(file, 4000));
  tell("sparse", ftruncate(file, 1 << 20));
  tell("in the hole", pwrite(file, block, 8192, 1 << 19));
  tell("shrink", ftruncate(file, 0));
  tell("fallocate", fallocate(file, 0, 0, 20000));
  tell("fallocate", fallocate(file, 0, 0, 8192));
  tell("allocated", pwrite(file, block, 8192, 0));
  tell("punch", fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096));
  tell("extend", pwrite(file, block, 9000, 8192));
  close(file);
  tell("unlink", unlink("ways"));
  int source = memfd_create("source", 0);
  tell("memory", write(source, block, 1 << 20));
  file = make("copy", 0);
  off_t start = 0;
  tell("sendfile", sendfile(file, source, &start, 1 << 20));
  tell("sendfile", sendfile(file, source, &start, 1 << 20));
  start = 1 << 20;
  tell("nothing to send", sendfile(file, source, &start, 1 << 20));
  tell("truncate", truncate("copy", 0));
  int other = make("other", 0);
  tell("write", write(other, block, 6000));
  start = 0;
  lseek(file, 0, SEEK_SET);
  tell("copy_file_range", copy_file_range(other, &start, file, NULL, 6000, 0));
  tell("truncate", truncate("copy", 0));
  int ends[2];
  if (pipe(ends) != 0) exit(9);
  tell("pipe", write(ends[1], block, 6000));
  lseek(file, 0, SEEK_SET);
  tell("splice", splice(ends[0], NULL, file, NULL, 6000, 0));
}

static void entries(void) {
  char text[101];
  memset(text, 'x', 100);
  text[100] = 0;
  tell("file", make("file", 0));
  tell("mkdir", mkdir("folder", 0700));
  tell("mkdir there", mkdir(".", 0700));
  tell("symlink", symlink("short", "short"));
  tell("long symlink", symlink(text, "long"));
  tell("rename", rename("file", "renamed"));
  tell("link", link("renamed", "linked"));
  tell("unlink", unlink("linked"));
}

static long room(void) {
  struct statvfs status;
  if (statvfs(".", &status) != 0) return -1;
  return (long)(status.f_bavail * status.f_bsize);
}

static void orphans(void) {
  int file = make("orphan", 0);
  tell("write", write(file, block, 8192));
  tell("free", room());
  unlink("orphan");
  tell("free while open", room());
  int copy = dup(file);
  close(file);
  tell("free while a copy is open", room());
  close(copy);
  tell("free", room());
  file = open(".", O_TMPFILE | O_RDWR, 0600);
  tell("nameless", write(file, block, 8192));
  tell("free while open", room());
  close(file);
  tell("free", room());
  file = make("first", 0);
  tell("write", write(file, block, 8192));
  close(file);
  close(make("second", 0));
  tell("rename over it", rename("second", "first"));
  tell("free", room());
}

static long room_of(const char *path) {
  struct statvfs status;
  return statvfs(path, &status) == 0 ? (long)(status.f_bavail * status.f_bsize) : -1;
}

static void fill(const char *path, long size) {
  int file = make(path, 0);
  if (write(file, block, size) != size) exit(9);
  close(file);
}

static int move(const char *from, const char *to, unsigned flags) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags);
}

// With 10000 bytes free on the disk "disk", beside which there is a lot.
static void moves(void) {
  mkdir("disk", 0700);
  fill("big", 20000);
  fill("small", 4000);
  mkdir("tree", 0700);
  fill("tree/one", 3000);
  fill("tree/two", 3000);
  mkdir("twig", 0700);
  fill("twig/leaf", 1000);
  tell("big", rename("big", "disk/big"));
  tell("small", rename("small", "disk/small"));
  tell("room", room_of("disk"));
  tell("tree", rename("tree", "disk/tree"));
  tell("link to big", link("big", "disk/link"));
  tell("exchange", move("big", "disk/small", RENAME_EXCHANGE));
  tell("over nothing new", move("big", "disk/small", RENAME_NOREPLACE));
  tell("within", rename("disk/small", "disk/other"));
  tell("away", rename("disk/other", "small"));
  tell("room", room_of("disk"));
  tell("link", link("small", "disk/second"));
  tell("link within", link("disk/second", "disk/third"));
  tell("room", room_of("disk"));
  tell("one gone", unlink("disk/second"));
  tell("room", room_of("disk"));
  tell("moved onto its other name", rename("disk/third", "small"));
  tell("away", rename("disk/third", "fourth"));
  tell("room", room_of("disk"));
  tell("twig", rename("twig", "disk/twig"));
  tell("room", room_of("disk"));
  int leaf = open("disk/twig/leaf", O_WRONLY | O_APPEND);
  tell("write", write(leaf, block, 10000));
  tell("away", rename("disk/twig", "twig"));
  tell("write outside", write(leaf, block, 1000));
  tell("room", room_of("disk"));
  tell("write", write(make("disk/all", 0), block, 20000));
  tell("small", rename("small", "disk/small"));
  tell("exchange", move("big", "disk/all", RENAME_EXCHANGE));
  tell("exchange", move("twig/leaf", "disk/all", RENAME_EXCHANGE));
  tell("room", room_of("disk"));
  int nameless = open(".", O_TMPFILE | O_RDWR, 0600);
  tell("write", write(nameless, block, 20000));
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", nameless);
  tell("name", linkat(AT_FDCWD, path, AT_FDCWD, "disk/named", AT_SYMLINK_FOLLOW));
}

// With a quota of 10000, of which the files "there" and "again", which are one, take 6000.
static void quota(void) {
  tell("write", write(make("new", 0), block, 10000));
  tell("unlink", unlink("there"));
  tell("write", write(make("more", 0), block, 10000));
  tell("unlink", unlink("again"));
  tell("write", write(make("more", O_APPEND), block, 10000));
}

// Maps many files, one after the other, and makes as many that nobody has a name for.
static void many(void) {
  for (int index = 0; index < 400; index++) {
    int file = make("mapped", 0);
    if (ftruncate(file, 8192) != 0) exit(9);
    char *bytes = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    bytes[0] = 'm';
    unlink("mapped");
    munmap(bytes, 8192);
    close(file);
    file = open(".", O_TMPFILE | O_RDWR, 0600);
    if (write(file, block, 4096) != 4096) exit(9);
    close(file);
    char name[32];
    snprintf(name, sizeof name, "file%d", index);
    file = make(name, 0);
    bytes = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    munmap(bytes, 4096);
    close(file);
  }
  tell("free", room());
}

static void queue(void) {
  unsigned long context = 0;
  tell("io_setup", syscall(SYS_io_setup, 4, &context));
}

static void *writer(void *name) {
  int file = open(name, O_CREAT | O_WRONLY | O_APPEND, 0600);
  while (write(file, block, 100) > 0) {}
  close(file);
  return NULL;
}

// Twenty threads in each of three processes share a disk.
static void crowd(void) {
  for (int process = 0; process < 3; process++) {
    if (fork() != 0) continue;
    pthread_t threads[20];
    for (int index = 0; index < 20; index++)
      pthread_create(&threads[index], NULL, writer, index % 2 ? "odd" : "even");
    for (int index = 0; index < 20; index++) pthread_join(threads[index], NULL);
    _exit(0);
  }
  while (wait(NULL) > 0) {}
  tell("sum", size_of("odd") + size_of("even"));
}

static void mapped(void) {
  int file = make("mapped", 0);
  tell("sparse", ftruncate(file, 8192));
  char *bytes = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  memset(bytes, 'm', 8192);
  int other = make("other", 0);
  tell("write", write(other, block, 10000));
}

static void read_only(int opened) {
  tell("open to read", open("there", O_RDONLY));
  tell("open to create what is there", open("there", O_RDONLY | O_CREAT, 0600));
  tell("open what must not be there", open("there", O_RDWR | O_CREAT | O_EXCL, 0600));
  tell("open to write", open("there", O_WRONLY));
  tell("open to cut", open("there", O_RDONLY | O_TRUNC));
  tell("open what is not there", open("nowhere", O_WRONLY));
  tell("open a folder to write", open(".", O_WRONLY));
  tell("create", make("new", 0));
  tell("nameless", open(".", O_TMPFILE | O_RDWR, 0600));
  tell("mkdir", mkdir("new", 0700));
  tell("mkdir there", mkdir("there", 0700));
  tell("unlink", unlink("there"));
  tell("unlink nothing", unlink("nowhere"));
  tell("unlink in nothing", unlink("nowhere/file"));
  tell("rename", rename("there", "elsewhere"));
  tell("link", link("there", "elsewhere"));
  tell("symlink", symlink("there", "elsewhere"));
  tell("mknod", mknod("elsewhere", S_IFIFO | 0600, 0));
  tell("chmod", chmod("there", 0644));
  tell("fchmod", fchmod(opened, 0644));
  tell("utimes", futimens(opened, NULL));
  tell("truncate", truncate("there", 0));
  tell("write", write(opened, block, 1));
  tell("access to read", access("there", R_OK));
  tell("access to write", access("there", W_OK));
  struct statvfs status;
  statvfs(".", &status);
  tell("flag", status.f_flag & ST_RDONLY);
}

// Files of which some of what was written is durable.
static void crash(void) {
  int appended = make("appended", O_APPEND);
  tell("write", write(appended, "one", 3));
  int emptied = make("emptied", 0);
  tell("write", write(emptied, "durable", 7));
  sync();
  tell("write", write(appended, "LOST", 4));
  int file = make("overwritten", 0);
  tell("start", pwrite(file, "durable durable", 15, 0));
  fsync(file);
  tell("over", pwrite(file, "LOST", 4, 0));
  tell("more", pwrite(file, "and LOST", 8, 15));
  int cut = make("cut", 0);
  tell("write", write(cut, "whole", 5));
  fdatasync(cut);
  tell("cut", ftruncate(cut, 1));
  int synced = make("synchronous", O_SYNC);
  close(open("emptied", O_WRONLY | O_TRUNC));
  tell("write", write(synced, "kept", 4));
  int plain = make("plain", 0);
  tell("write", write(plain, "LOST", 4));
  struct iovec part = {"kept", 4};
  int mixed = make("mixed", 0);
  tell("write", pwrite(mixed, "LOST", 4, 0));
  tell("write", pwritev2(mixed, &part, 1, 4, RWF_DSYNC));
  sync_file_range(plain, 0, 4, SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE
      | SYNC_FILE_RANGE_WAIT_AFTER);
  kill(getpid(), 0);
  tell("alive", 0);
}

static int durable(const char *name) {
  int file = make(name, 0);
  if (write(file, "durable", 7) != 7) exit(9);
  return file;
}

// Files whose lengths change after the last sync.
static void crash_lengths(void) {
  int cut = durable("cut");
  int grown = durable("grown");
  int allocated = durable("allocated");
  int punched = durable("punched");
  durable("opened");
  sync();
  tell("cut", ftruncate(cut, 3));
  tell("grown", ftruncate(grown, 10));
  tell("allocated", fallocate(allocated, 0, 0, 8));
  tell("punched", fallocate(punched, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 2));
  tell("written", pwrite(punched, "LOST", 4, 0));
  int opened = make("opened", O_TRUNC);
  tell("write", write(opened, "LOST", 4));
  kill(getpid(), 0);
}

static void crash_failed_sync(void) {
  int file = make("file", 0);
  if (write(file, "old", 3) != 3) exit(9);
  fsync(file);
  if (pwrite(file, "new", 3, 0) != 3) exit(9);
  tell("sync", fsync(file));
  tell("again", fsync(file));
  kill(getpid(), 0);
}

static char *map(const char *name, int protection, int *file) {
  *file = make(name, 0);
  memset(block, 'o', 8192);
  if (write(*file, block, 8192) != 8192) exit(9);
  fsync(*file);
  return mmap(NULL, 8192, protection, MAP_SHARED, *file, 0);
}

// Mappings of which a part is synced, that become writable later, that get longer.
static void crash_mapped(void) {
  int file;
  char *bytes = map("synced", PROT_READ | PROT_WRITE, &file);
  memset(bytes, 'm', 8192);
  tell("msync", msync(bytes, 4096, MS_SYNC));
  memset(bytes, 'x', 4096 - 1);
  tell("msync", msync(bytes, 4096, MS_ASYNC));
  memset(bytes, 'm', 4);
  tell("msync", msync(bytes, 4096, MS_SYNC));
  memset(bytes, 'x', 8192);
  bytes = map("protected", PROT_READ, &file);
  tell("mprotect", mprotect(bytes, 8192, PROT_READ | PROT_WRITE));
  memset(bytes, 'm', 8192);
  file = make("moved", 0);
  memset(block, 'o', 8192);
  if (write(file, block, 8192) != 8192) exit(9);
  fsync(file);
  bytes = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  bytes = mremap(bytes, 4096, 8192, MREMAP_MAYMOVE);
  memset(bytes, 'm', 8192);
  bytes = map("file-synced", PROT_READ | PROT_WRITE, &file);
  memset(bytes, 'm', 8192);
  tell("fsync", fsync(file));
  memset(bytes, 'x', 8192);
  kill(getpid(), 0);
}

static void crash_mapped_failing(void) {
  int file = make("mapped", 0);
  if (ftruncate(file, 4096) != 0) exit(9);
  char *bytes = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  bytes[0] = 'm';
  tell("fsync", fsync(file));
  tell("fsync", fsync(file));
  kill(getpid(), 0);
}

// Threads that write and sync at the same time.
static void *syncer(void *argument) {
  char name[16];
  snprintf(name, sizeof name, "file%ld", (long)argument);
  int file = make(name, 0);
  for (int round = 0; round < 20; round++) {
    if (pwrite(file, &round, sizeof round, 0) != sizeof round) exit(9);
    fsync(file);
  }
  int lost = 99;
  if (pwrite(file, &lost, sizeof lost, 0) != sizeof lost) exit(9);
  close(file);
  return NULL;
}

// Moves across the edge of what is lost, and syncs of another disk.
static void crash_moves(void) {
  mkdir("lost", 0700);
  mkdir("kept", 0700);
  fill("kept/in", 3);
  fill("lost/out", 3);
  sync();
  tell("in", rename("kept/in", "lost/in"));
  tell("out", rename("lost/out", "kept/out"));
  kill(getpid(), 0);
}

static void crash_other_disk(const char *other) {
  fill("new", 3);
  tell("syncfs", syncfs(open(other, O_RDONLY)));
  kill(getpid(), 0);
}

// Removes what is to come back as it was.
static void crash_attributes(void) {
  umask(077);
  fill("file", 3);
  chmod("file", 0640);
  setxattr("file", "user.color", "green", 5, 0);
  struct timespec times[2] = {{1000000, 5}, {2000000, 7}};
  utimensat(AT_FDCWD, "file", times, 0);
  mkdir("folder", 0700);
  chmod("folder", 01777);
  mkfifo("pipe", 0600);
  chmod("pipe", 0622);
  if (symlink("nowhere", "link") != 0) exit(9);
  utimensat(AT_FDCWD, "link", times, AT_SYMLINK_NOFOLLOW);
  sync();
  tell("file", unlink("file"));
  tell("folder", rmdir("folder"));
  tell("pipe", unlink("pipe"));
  tell("link", unlink("link"));
  kill(getpid(), 0);
}

static void crash_crowd(void) {
  pthread_t threads[20];
  for (long index = 0; index < 20; index++)
    pthread_create(&threads[index], NULL, syncer, (void *)index);
  for (int index = 0; index < 20; index++) pthread_join(threads[index], NULL);
  kill(getpid(), 0);
}

int main(int count, char **arguments) {
  const char *mode = count > 1 ? arguments[1] : "";
  if (strcmp(mode, "ways") == 0) ways();
  if (strcmp(mode, "entries") == 0) entries();
  if (strcmp(mode, "orphans") == 0) orphans();
  if (strcmp(mode, "crowd") == 0) crowd();
  if (strcmp(mode, "mapped") == 0) mapped();
  if (strcmp(mode, "crash") == 0) crash();
  if (strcmp(mode, "crash-crowd") == 0) crash_crowd();
  if (strcmp(mode, "crash-lengths") == 0) crash_lengths();
  if (strcmp(mode, "crash-failed-sync") == 0) crash_failed_sync();
  if (strcmp(mode, "crash-mapped") == 0) crash_mapped();
  if (strcmp(mode, "crash-mapped-failing") == 0) crash_mapped_failing();
  if (strcmp(mode, "moves") == 0) moves();
  if (strcmp(mode, "quota") == 0) quota();
  if (strcmp(mode, "many") == 0) many();
  if (strcmp(mode, "queue") == 0) queue();
  if (strcmp(mode, "crash-moves") == 0) crash_moves();
  if (strcmp(mode, "crash-other-disk") == 0) crash_other_disk("/dev/shm");
  if (strcmp(mode, "crash-own-disk") == 0) crash_other_disk(".");
  if (strcmp(mode, "crash-attributes") == 0) crash_attributes();
  if (strcmp(mode, "read-only") == 0) read_only(open("there", O_WRONLY));
  if (strcmp(mode, "free") == 0) tell("free", room());
  return 0;
}
