// Takes as much as it gets of one thing, and prints how much that was.
//
//   limits memory|kinds|files|threads|crowd|children|raise [COUNT]

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CROWD = 20, MEBIBYTE = 1 << 20, SMALL_STACK = 65536 };

static atomic_int taken;
static pthread_barrier_t barrier;

static pthread_attr_t small(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, SMALL_STACK);
  return attributes;
}

static void in_crowd(void *(*body)(void *)) {
  pthread_t threads[CROWD];
  pthread_attr_t attributes = small();
  pthread_barrier_init(&barrier, NULL, CROWD);
  for (int i = 0; i < CROWD; i++) {
    if (pthread_create(&threads[i], &attributes, body, NULL) != 0) abort();
  }
  for (int i = 0; i < CROWD; i++) pthread_join(threads[i], NULL);
}

static void *map(size_t size, int protection, int flags) {
  return mmap(NULL, size, protection, flags | MAP_ANONYMOUS, -1, 0);
}

static void *take_memory(void *unused) {
  (void)unused;
  pthread_barrier_wait(&barrier);
  while (map(MEBIBYTE, PROT_READ | PROT_WRITE, MAP_PRIVATE) != MAP_FAILED) taken++;
  return errno == ENOMEM ? NULL : (void *)1;
}

static void *take_files(void *unused) {
  (void)unused;
  pthread_barrier_wait(&barrier);
  while (open("/dev/null", O_RDONLY) >= 0) taken++;
  return NULL;
}

static const char *outcome(int failed) { return failed ? strerrorname_np(errno) : "ok"; }

// Which ways to memory count; the limit is 16 MiB.
static void kinds(void) {
  size_t large = 64 * MEBIBYTE;
  printf("private %s\n",
         outcome(map(large, PROT_READ | PROT_WRITE, MAP_PRIVATE) == MAP_FAILED));
  printf("shared %s\n", outcome(map(large, PROT_READ | PROT_WRITE, MAP_SHARED) == MAP_FAILED));
  printf("readonly %s\n", outcome(map(large, PROT_READ, MAP_PRIVATE) == MAP_FAILED));
  void *reserved = map(large, PROT_NONE, MAP_PRIVATE);
  printf("reserved %s\n", outcome(reserved == MAP_FAILED));
  printf("mprotect-part %s\n", outcome(mprotect(reserved, MEBIBYTE, PROT_READ | PROT_WRITE)));
  printf("mprotect %s\n", outcome(mprotect(reserved, large, PROT_READ | PROT_WRITE)));
  void *part = map(MEBIBYTE, PROT_READ | PROT_WRITE, MAP_PRIVATE);
  printf("mremap %s\n", outcome(mremap(part, MEBIBYTE, large, MREMAP_MAYMOVE) == MAP_FAILED));
  printf("brk %s\n", outcome(sbrk((intptr_t)large) == (void *)-1));
  printf("malloc %s\n", outcome(malloc(large) == NULL));
  munmap(part, MEBIBYTE);
  fflush(stdout);
  if (fork() == 0) {
    // The child has what its parent has, and counts by itself from there.
    printf("child %s\n", outcome(map(12 * MEBIBYTE, PROT_READ | PROT_WRITE, MAP_PRIVATE) == MAP_FAILED));
    printf("child-more %s\n", outcome(map(12 * MEBIBYTE, PROT_READ | PROT_WRITE, MAP_PRIVATE) == MAP_FAILED));
    exit(0);
  }
  wait(NULL);
  printf("parent %s\n", outcome(map(12 * MEBIBYTE, PROT_READ | PROT_WRITE, MAP_PRIVATE) == MAP_FAILED));
}

static void *wait_for_ever(void *unused) {
  while (pause() != 0) {
  }
  return unused;
}

static void *nothing(void *unused) { return unused; }

static void *brief_threads(void *unused) {
  (void)unused;
  pthread_attr_t attributes = small();
  for (int i = 0; i < 50; i++) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, nothing, NULL) == 0) {
      pthread_join(thread, NULL);
      taken++;
    }
  }
  return NULL;
}

static void *take_children(void *unused) {
  (void)unused;
  pthread_barrier_wait(&barrier);
  for (;;) {
    pid_t child = fork();
    if (child < 0) break;
    if (child == 0) {
      for (;;) pause();
    }
    taken++;
  }
  // Nobody makes room for the others.
  pthread_barrier_wait(&barrier);
  return NULL;
}

// As many threads as may live, then once more when one of them is gone; every way to make a process.
static void threads(void) {
  pthread_attr_t attributes = small();
  pthread_t waiting[CROWD];
  int count = 0;
  int error = 0;
  while (count < CROWD &&
         (error = pthread_create(&waiting[count], &attributes, wait_for_ever, NULL)) == 0) {
    count++;
  }
  printf("threads %d %s\n", count, strerrorname_np(error));
  pid_t child = fork();
  if (child == 0) _exit(1);
  printf("fork %s\n", outcome(child < 0));
  child = vfork();
  if (child == 0) _exit(0);
  printf("vfork %s\n", outcome(child < 0));
  struct clone_args arguments = {.exit_signal = SIGCHLD};
  printf("clone3 %s\n", outcome(syscall(SYS_clone3, &arguments, sizeof arguments) < 0));
  printf("untraced %s\n", outcome(syscall(SYS_clone, CLONE_UNTRACED | SIGCHLD, 0, 0, 0, 0) < 0));
  pthread_cancel(waiting[0]);
  pthread_join(waiting[0], NULL);
  fflush(stdout);
  for (int i = 0; i < 3; i++) {
    child = fork();
    if (child == 0) {
      printf("grandchild %s\n", outcome(fork() < 0));
      exit(0);
    }
    int failed = child < 0;
    wait(NULL);
    printf("again %s\n", outcome(failed));
    fflush(stdout);
  }
}

static void raise_limits(void) {
  const int resources[] = {RLIMIT_DATA, RLIMIT_NOFILE};
  for (int i = 0; i < 2; i++) {
    struct rlimit limit;
    getrlimit(resources[i], &limit);
    printf("limit %llu %llu\n", (unsigned long long)limit.rlim_cur,
           (unsigned long long)limit.rlim_max);
    struct rlimit more = {limit.rlim_cur, limit.rlim_max + 1};
    printf("more %s\n", outcome(setrlimit(resources[i], &more)));
    printf("prlimit %s\n", outcome(prlimit(0, resources[i], &more, NULL)));
    struct rlimit odd = {limit.rlim_max + 2, limit.rlim_max + 1};
    printf("odd %s\n", outcome(setrlimit(resources[i], &odd)));
    struct rlimit less = {limit.rlim_cur - 1, limit.rlim_max};
    printf("less %s\n", outcome(setrlimit(resources[i], &less)));
    printf("back %s\n", outcome(setrlimit(resources[i], &limit)));
  }
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "memory") == 0) {
    in_crowd(take_memory);
    printf("%d\n", taken);
  } else if (strcmp(what, "kinds") == 0) {
    kinds();
  } else if (strcmp(what, "files") == 0) {
    in_crowd(take_files);
    printf("%d %s\n", taken, outcome(dup(0) < 0));
  } else if (strcmp(what, "threads") == 0) {
    threads();
  } else if (strcmp(what, "crowd") == 0) {
    in_crowd(brief_threads);
    printf("%d\n", taken);
  } else if (strcmp(what, "children") == 0) {
    in_crowd(take_children);
    pid_t last = fork();
    if (last == 0) wait_for_ever(NULL);
    printf("%d %s\n", taken, outcome(last < 0));
    fflush(stdout);
    signal(SIGTERM, SIG_IGN);
    kill(0, SIGTERM);
  } else if (strcmp(what, "raise") == 0) {
    raise_limits();
  }
  return 0;
}
