// untraced makes a child that asks to be left alone by tracers (CLONE_UNTRACED), and sleeps in it.
//
//   untraced clone|clone3|vfork SECONDS
//
// One line: "KIND child_elapsed_s=N parent_flags=kept|changed child_flags=kept|changed". Flags are looked
// at where the call had them: in the first argument's register, or in memory.

#define _GNU_SOURCE
#include <inttypes.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct account {
  int64_t elapsed;
  int flags_kept;
};

// The register of the first argument comes back as `*flags`.
static long call_clone(uint64_t *flags, uint64_t second, long number) {
  register uint64_t first __asm__("rdi") = *flags;
  register uint64_t third __asm__("rdx") = 0;
  register uint64_t fourth __asm__("r10") = 0;
  register uint64_t fifth __asm__("r8") = 0;
  long result = number;
  __asm__ volatile("syscall"
                   : "+a"(result), "+r"(first)
                   : "S"(second), "r"(third), "r"(fourth), "r"(fifth)
                   : "rcx", "r11", "memory");
  *flags = first;
  return result;
}

static int64_t now(void) {
  struct timespec value;
  clock_gettime(CLOCK_MONOTONIC, &value);
  return value.tv_sec;
}

int main(int count, char **words) {
  if (count != 3) {
    fprintf(stderr, "usage: untraced clone|clone3|vfork SECONDS\n");
    return 2;
  }
  struct account *account =
      mmap(NULL, sizeof *account, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (account == MAP_FAILED) return 1;
  struct timespec length = {.tv_sec = strtol(words[2], NULL, 10)};
  int64_t start = now();

  int in_memory = strcmp(words[1], "clone3") == 0;
  uint64_t wanted = CLONE_UNTRACED | (strcmp(words[1], "vfork") == 0 ? CLONE_VFORK : 0);
  struct clone_args arguments = {.flags = wanted, .exit_signal = SIGCHLD};
  uint64_t original = in_memory ? (uint64_t)(uintptr_t)&arguments : wanted | SIGCHLD;
  uint64_t flags = original;
  long child = in_memory ? call_clone(&flags, sizeof arguments, SYS_clone3)
                         : call_clone(&flags, 0, SYS_clone);
  int kept = flags == original && arguments.flags == wanted;
  if (child == 0) {
    nanosleep(&length, NULL);
    account->elapsed = now() - start;
    account->flags_kept = kept;
    _exit(0);
  }
  if (child < 0) {
    perror(words[1]);
    return 1;
  }
  waitpid((pid_t)child, NULL, 0);
  printf("%s child_elapsed_s=%" PRId64 " parent_flags=%s child_flags=%s\n", words[1],
         account->elapsed, kept ? "kept" : "changed", account->flags_kept ? "kept" : "changed");
  return 0;
}
