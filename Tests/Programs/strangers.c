// Does to a process what only its own scenario may do: strangers KIND PROCESS. Says what became of it: "done", or the
// name of the error.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int open_process(pid_t process) {
  return (int)syscall(SYS_pidfd_open, process, 0);
}

static long queue(long number, pid_t process) {
  siginfo_t information = {.si_signo = SIGTERM, .si_code = SI_QUEUE};
  return number == SYS_rt_sigqueueinfo
             ? syscall(number, process, SIGTERM, &information)
             : syscall(number, process, process, SIGTERM, &information);
}

static long open_entry(pid_t process, const char *name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", process, name);
  return open(path, O_RDONLY);
}

// By way of the folder, so that the path does not name the process.
static long open_from_folder(pid_t process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d", process);
  return chdir(path) != 0 ? -1 : open("environ", O_RDONLY);
}

static long act(const char *kind, pid_t process) {
  char byte;
  struct iovec local = {&byte, 1}, remote = {(void *)0x1000, 1};
  struct rlimit limit = {64, 64};
  int sockets[2];
  int owner = process;
  struct f_owner_ex structure = {F_OWNER_PID, process};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return -1;
  if (strcmp(kind, "ask") == 0) return kill(process, 0);
  if (strcmp(kind, "kill") == 0) return kill(process, SIGTERM);
  if (strcmp(kind, "group") == 0) return kill(-process, SIGTERM);
  if (strcmp(kind, "tkill") == 0) return syscall(SYS_tkill, process, SIGTERM);
  if (strcmp(kind, "tgkill") == 0) return syscall(SYS_tgkill, process, process, SIGTERM);
  if (strcmp(kind, "queue") == 0) return queue(SYS_rt_sigqueueinfo, process);
  if (strcmp(kind, "queue-thread") == 0) return queue(SYS_rt_tgsigqueueinfo, process);
  if (strcmp(kind, "pidfd") == 0) {
    return syscall(SYS_pidfd_send_signal, open_process(process), SIGTERM, NULL, 0);
  }
  if (strcmp(kind, "owner") == 0) return fcntl(sockets[0], F_SETOWN, process);
  if (strcmp(kind, "owner-structure") == 0) return fcntl(sockets[0], F_SETOWN_EX, &structure);
  if (strcmp(kind, "owner-request") == 0) return ioctl(sockets[0], FIOSETOWN, &owner);
  if (strcmp(kind, "trace") == 0) return ptrace(PTRACE_SEIZE, process, 0, 0);
  if (strcmp(kind, "read") == 0) {
    return process_vm_readv(process, &local, 1, &remote, 1, 0);
  }
  if (strcmp(kind, "write") == 0) {
    return process_vm_writev(process, &local, 1, &remote, 1, 0);
  }
  if (strcmp(kind, "descriptor") == 0) return syscall(SYS_pidfd_getfd, open_process(process), 0, 0);
  if (strcmp(kind, "limit") == 0) return prlimit(process, RLIMIT_NOFILE, &limit, NULL);
  if (strcmp(kind, "priority") == 0) return setpriority(PRIO_PROCESS, (id_t)process, 19);
  // Above all limits of what a machine's users are called: nobody's priority changes if it is not refused.
  if (strcmp(kind, "priority-user") == 0) return setpriority(PRIO_USER, 4000000001u, 19);
  if (strcmp(kind, "priority-group") == 0) return setpriority(PRIO_PGRP, (id_t)process, 19);
  // The classes of ioprio_set(2): 3 is IOPRIO_CLASS_IDLE.
  if (strcmp(kind, "io-priority") == 0) return syscall(SYS_ioprio_set, 1, process, 3 << 13);
  if (strcmp(kind, "io-priority-group") == 0) return syscall(SYS_ioprio_set, 2, process, 3 << 13);
  if (strcmp(kind, "io-priority-user") == 0) return syscall(SYS_ioprio_set, 3, 4000000001u, 3 << 13);
  if (strcmp(kind, "own-priorities") == 0) {
    return setpriority(PRIO_PGRP, 0, 1) | setpriority(PRIO_PROCESS, 0, 2) |
           syscall(SYS_ioprio_set, 2, getpgrp(), 3 << 13);
  }
  if (strcmp(kind, "environ") == 0) return open_entry(process, "environ");
  if (strcmp(kind, "mem") == 0) return open_entry(process, "mem");
  if (strcmp(kind, "thread-environ") == 0) {
    char name[64];
    snprintf(name, sizeof name, "task/%d/environ", process);
    return open_entry(process, name);
  }
  if (strcmp(kind, "environ-from-folder") == 0) return open_from_folder(process);
  if (strcmp(kind, "stat") == 0) return open_entry(process, "stat");
  errno = EINVAL;
  return -1;
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  pid_t process = strcmp(arguments[2], "parent") == 0 ? getppid() : atoi(arguments[2]);
  long result = act(arguments[1], process);
  puts(result >= 0 ? "done" : strerrorname_np(errno));
  return 0;
}
