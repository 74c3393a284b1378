// Prints random numbers, one line for each way to get some: NAME HEX.
//
// The order of the lines is the order of the draws.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

static void show(const char *name, const void *bytes, ssize_t count) {
  printf("%s ", name);
  if (count < 0) {
    printf("error=%s", strerrorname_np(errno));
  }
  for (ssize_t i = 0; i < count; i++) {
    printf("%02x", ((const uint8_t *)bytes)[i]);
  }
  printf("\n");
  fflush(stdout);
}

static void show_text(const char *name, const char *text, ssize_t count) {
  printf("%s %.*s", name, (int)count, text);
  fflush(stdout);
}

static void read_device(const char *name, int descriptor) {
  uint8_t bytes[24];
  show(name, bytes, read(descriptor, bytes, 8));
  show("pread", bytes, pread(descriptor, bytes, 8, 100));
  memset(bytes, 0, sizeof bytes);
  struct iovec parts[] = {{bytes, 3}, {bytes + 8, 5}, {bytes + 16, 8}};
  show("readv", bytes, readv(descriptor, parts, 3) == 16 ? 24 : -1);
  show("preadv", bytes, preadv(descriptor, parts, 2, 0) == 8 ? 24 : -1);
}

static void *draw_in_thread(void *descriptor) {
  uint8_t bytes[8];
  show("thread", bytes, read(*(int *)descriptor, bytes, sizeof bytes));
  return NULL;
}

int main(int argc, char **argv) {
  uint8_t bytes[64];
  if (argc > 2) {
    // A descriptor that was opened by another program.
    show("inherited", bytes, read(atoi(argv[2]), bytes, 8));
    return 0;
  }
  show("start", (void *)getauxval(AT_RANDOM), 16);
  void *heap = malloc(1);
  int local;
  if (argc > 1) {
    // Where things lie; only where the system lets a program ask for that.
    printf("places %p %p %p %p\n", (void *)main, heap, (void *)&local, (void *)printf);
  }
  show("getrandom", bytes, getrandom(bytes, 8, 0));
  show("unaligned", bytes, getrandom(bytes, 3, GRND_NONBLOCK));
  show("raw", bytes, syscall(SYS_getrandom, bytes, 8, GRND_RANDOM));
  show("badflags", bytes, syscall(SYS_getrandom, bytes, 8, 0x100));
  show("badaddress", bytes, syscall(SYS_getrandom, (void *)8, 8, 0));
  show("entropy", bytes, getentropy(bytes, 8) == 0 ? 8 : -1);

  int before = open("/dev/urandom", O_RDONLY);
  int random = open("/dev/random", O_RDONLY);
  read_device("urandom", before);
  read_device("random", random);
  int copy = dup2(before, 77);
  show("dup2", bytes, read(copy, bytes, 8));
  symlink("/dev/urandom", "numbers");
  int link = openat(AT_FDCWD, "numbers", O_RDONLY | O_CLOEXEC);
  show("link", bytes, read(link, bytes, 8));
  show("writeonly", bytes, read(open("/dev/urandom", O_WRONLY), bytes, 8));
  int pipes[2];
  if (pipe(pipes) != 0) return 1;
  show("sendfile", bytes, sendfile(pipes[1], before, NULL, 8));
  show("splice", bytes, splice(before, NULL, pipes[1], NULL, 8, 0));
  FILE *buffered = fopen("/dev/urandom", "r");
  show("stdio", bytes, (ssize_t)fread(bytes, 1, 8, buffered));
  show("stdio", bytes, (ssize_t)fread(bytes, 1, 8, buffered));

  int identifiers = open("/proc/sys/kernel/random/uuid", O_RDONLY);
  char text[64];
  show_text("uuid", text, read(identifiers, text, sizeof text));
  show_text("uuid-end\n", text, read(identifiers, text, sizeof text));
  show_text("uuid-again", text, pread(identifiers, text, sizeof text, 0));
  show_text("uuid-part", text, pread(identifiers, text, 9, 0));
  printf("\n");
  fflush(stdout);

  unsigned processor;
  uint64_t counter = __rdtsc();
  uint64_t later = __rdtscp(&processor);
  printf("counter %d %llx %llx\n", later > counter, (unsigned long long)counter,
         (unsigned long long)later);
  fflush(stdout);

  pthread_t thread;
  pthread_create(&thread, NULL, draw_in_thread, &before);
  pthread_join(thread, NULL);
  size_t large = 300000;
  uint8_t *many = malloc(large);
  ssize_t count = read(before, many, large);
  show("large", many + large - 8, count == (ssize_t)large ? 8 : -1);
  if (fork() == 0) {
    show("child", bytes, read(before, bytes, 8));
    char number[16];
    snprintf(number, sizeof number, "%d", before);
    execl("/proc/self/exe", "entropy", "inherited", number, NULL);
    _exit(1);
  }
  wait(NULL);
  show("parent", bytes, read(before, bytes, 8));
  return 0;
}
