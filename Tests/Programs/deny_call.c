// Runs a program on a machine that forbids a system call, as some containers do: deny_call CALL PROGRAM ARGUMENTS…
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static long number_of(const char *name) {
  return strcmp(name, "mmap") == 0       ? SYS_mmap
         : strcmp(name, "ptrace") == 0   ? SYS_ptrace
         : strcmp(name, "readlink") == 0 ? SYS_readlink
         : strcmp(name, "write") == 0    ? SYS_write
                                         : -1;
}

int main(int count, char **arguments) {
  if (count < 3) {
    return 2;
  }
  const long number = number_of(arguments[1]);
  if (number < 0) {
    fprintf(stderr, "deny_call: %s is not known here\n", arguments[1]);
    return 2;
  }
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    perror("seccomp");
    return 2;
  }
  execv(arguments[2], arguments + 2);
  perror(arguments[2]);
  return 2;
}
