// Runs a program that stops at one system call, and lets it go on each time with no more than a look at its
// registers: what no tracer can do for less.
//
//   least_tracer NUMBER PROGRAM [ARGUMENT...]      "none": the filter lets all pass, and nobody traces
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static int begin(unsigned number, unsigned action, char **words) {
  struct sock_filter program[] = {
      {0x20, 0, 0, offsetof(struct seccomp_data, nr)},
      {0x15, 0, 1, number},
      {0x06, 0, 0, action},
      {0x06, 0, 0, SECCOMP_RET_ALLOW},
  };
  struct sock_fprog filter = {4, program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) != 0) {
    return 1;
  }
  execv(words[0], words);
  return 1;
}

int main(int count, char **words) {
  if (count < 3) return 1;
  if (strcmp(words[1], "none") == 0) return begin(~0u, SECCOMP_RET_ALLOW, words + 2);
  int ready[2];
  if (pipe(ready) != 0) return 1;
  pid_t child = fork();
  if (child == 0) {
    char byte;
    if (read(ready[0], &byte, 1) != 1) return 1;
    return begin((unsigned)atoi(words[1]), SECCOMP_RET_TRACE, words + 2);
  }
  if (ptrace(PTRACE_SEIZE, child, 0, PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL) != 0 ||
      write(ready[1], "", 1) != 1) {
    return 1;
  }
  for (;;) {
    int status;
    pid_t found = waitpid(child, &status, __WALL | WNOHANG);
    if (found == 0) {
      sched_yield();
      continue;
    }
    if (found < 0 || WIFEXITED(status) || WIFSIGNALED(status)) {
      return found > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    }
    struct user_regs_struct registers;
    int signal = status >> 16 == 0 ? WSTOPSIG(status) : 0;
    ptrace(PTRACE_GETREGS, child, 0, &registers);
    ptrace(PTRACE_CONT, child, 0, signal);
  }
}
