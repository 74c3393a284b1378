// Calls functions of its own and of libraries, whose calls a supervisor watches.
//
//   functions local COUNT       adds up what a function of its own returns
//   functions errors COUNT      tells of each malloc that fails, and of errno
//   functions threads COUNT     the same sum from four threads
//   functions processes COUNT   in two children, one of which runs this program again
//   functions number            tells a square root
//   functions text              tells where a space is, which libc chooses a function for
//   functions library           loads libz and tells a checksum
//   functions reload            the same three times, each time loaded anew
//   functions variable          tells the variable FIRST; the name of another one stands behind the name
//   functions allocators        one call of each function that allocates
//   functions signals           tells whether a handler ran before a call
//   functions blocked           tells whether signals that are blocked stay so
//   functions nested DEPTH      a function that calls itself
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *error_name(int number) {
  return number == 0 ? "none" : number == ENOMEM ? "ENOMEM" : number == EAGAIN ? "EAGAIN" : "other";
}

// Neither exported nor inlined: found by the symbols of an executable that is not stripped.
static __attribute__((noinline, noclone)) int work(int number) {
  // Whatever the compiler finds out about it, a supervisor may change.
  __asm__ volatile("" : "+r"(number) : : "memory");
  return number + 1;
}

static __attribute__((noinline, noclone)) int nested(int depth) {
  __asm__ volatile("" : "+r"(depth) : : "memory");
  if (depth == 0) {
    return 1;
  }
  int below = nested(depth - 1);
  __asm__ volatile("" : "+r"(below) : : "memory");
  return below + 1;
}

static long sum(int count) {
  long total = 0;
  for (int index = 0; index < count; index++) {
    total += work(index) - index;
  }
  return total;
}

static int local(int count) {
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  errno = 0;
  long total = sum(count);
  int error = errno;
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf("sum=%ld errno=%s seconds=%ld\n", total, error_name(error),
         (long)(end.tv_sec - begin.tv_sec));
  return 0;
}

static int errors(int count) {
  for (int index = 1; index <= count; index++) {
    errno = 0;
    void *memory = malloc(24);
    if (memory == NULL) {
      printf("%d:%s\n", index, error_name(errno));
    }
    free(memory);
  }
  puts("end");
  return 0;
}

static void *add(void *argument) {
  return (void *)sum(*(int *)argument);
}

static int threads(int count) {
  pthread_t ids[4];
  for (int index = 0; index < 4; index++) {
    pthread_create(&ids[index], NULL, add, &count);
  }
  long total = 0;
  for (int index = 0; index < 4; index++) {
    void *part;
    pthread_join(ids[index], &part);
    total += (long)part;
  }
  printf("sum=%ld\n", total);
  return 0;
}

static int processes(const char *program, const char *count) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    printf("child sum=%ld\n", sum(atoi(count)));
    fflush(stdout);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  child = vfork();
  if (child == 0) {
    execl(program, program, "local", count, (char *)NULL);
    _exit(127);
  }
  waitpid(child, NULL, 0);
  printf("parent sum=%ld\n", sum(atoi(count)));
  return 0;
}

static int library(void) {
#ifdef STATIC
  return 2;
#else
  void *handle = dlopen("libz.so.1", RTLD_NOW);
  unsigned long (*checksum)(unsigned long, const unsigned char *, unsigned) =
      handle ? (unsigned long (*)(unsigned long, const unsigned char *, unsigned))dlsym(
                   handle, "crc32")
             : NULL;
  if (checksum == NULL) {
    puts("none");
    return 1;
  }
  printf("crc32=%lx\n", checksum(0, (const unsigned char *)"abc", 3));
  return 0;
#endif
}

static int reload(void) {
#ifndef STATIC
  for (int round = 0; round < 3; round++) {
    void *handle = dlopen("libz.so.1", RTLD_NOW);
    unsigned long (*checksum)(unsigned long, const unsigned char *, unsigned) =
        (unsigned long (*)(unsigned long, const unsigned char *, unsigned))dlsym(handle, "crc32");
    printf("%lx%c", checksum(0, (const unsigned char *)"abc", 3), round < 2 ? ' ' : '\n');
    dlclose(handle);
  }
#endif
  return 0;
}

static int variable(void) {
  static const char names[] = "FIRST\0SECOND";
  const char *volatile name = names;
  const char *value = getenv(name);
  return puts(value ? value : "none") < 0;
}

static int allocators(void) {
  void *memory[8] = {NULL};
  memory[0] = malloc(10);
  memory[1] = calloc(3, 10);
  memory[2] = realloc(NULL, 10);
  memory[3] = reallocarray(NULL, 2, 10);
  memory[4] = aligned_alloc(64, 128);
  memory[5] = memalign(8, 10);
  int error = posix_memalign(&memory[6], 16, 10);
  memory[7] = strdup("text");
  // Through memory of its own: stdout would allocate.
  char text[200];
  int length = 0;
  for (int index = 0; index < 8; index++) {
    length += snprintf(text + length, sizeof text - (size_t)length, "%d", memory[index] != NULL);
    free(memory[index]);
  }
  length += snprintf(text + length, sizeof text - (size_t)length, " %s\n",
                     error_name(error));
  return write(STDOUT_FILENO, text, (size_t)length) == length ? 0 : 1;
}

static volatile sig_atomic_t handled;

static void handler(int number) {
  handled = number;
}

static int signals(void) {
  signal(SIGUSR1, handler);
  int before = handled != 0;
  int result = work(41);
  printf("before=%d after=%d result=%d\n", before, handled != 0, result);
  return 0;
}

static int blocked(void) {
  sigset_t all, now;
  signal(SIGTRAP, handler);
  signal(SIGUSR1, handler);
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  sum(4);
  sigprocmask(SIG_BLOCK, NULL, &now);
  struct sigaction action;
  sigaction(SIGTRAP, NULL, &action);
  printf("blocked=%d handled=%d trap=%d\n", sigismember(&now, SIGTRAP), handled != 0,
         action.sa_handler == handler);
  return 0;
}

int main(int count, char **words) {
  const char *kind = count > 1 ? words[1] : "";
  const char *number = count > 2 ? words[2] : "1";
  volatile double square = 2;
  const char *volatile text = "eleven char";
  if (strcmp(kind, "local") == 0) return local(atoi(number));
  if (strcmp(kind, "errors") == 0) return errors(atoi(number));
  if (strcmp(kind, "threads") == 0) return threads(atoi(number));
  if (strcmp(kind, "processes") == 0) return processes(words[0], number);
  if (strcmp(kind, "library") == 0) return library();
  if (strcmp(kind, "reload") == 0) return reload();
  if (strcmp(kind, "variable") == 0) return variable();
  if (strcmp(kind, "allocators") == 0) return allocators();
  if (strcmp(kind, "blocked") == 0) return blocked();
  if (strcmp(kind, "signals") == 0) return signals();
  if (strcmp(kind, "number") == 0) return printf("%.3f\n", cbrt(square)) < 0;
  if (strcmp(kind, "text") == 0) return printf("%zu\n", strcspn(text, " ")) < 0;
  if (strcmp(kind, "nested") == 0) return printf("%d\n", nested(atoi(number))) < 0;
  return 2;
}
