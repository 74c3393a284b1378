// Does what programs do that guard themselves, or that nobody expects to be held: hostile KIND. Says "fine" if time
// and the kernel's answers are what they must be all the same.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000 + time.tv_nsec;
}

// Whether a sleep of an hour lasts an hour: by raw call, so that nothing of libc helps.
static int sleeps_an_hour(void) {
  struct timespec hour = {.tv_sec = 3600};
  int64_t begin = now();
  return syscall(SYS_nanosleep, &hour, NULL) == 0 && now() - begin == 3600000000000;
}

static int ended_well(pid_t child) {
  int status = -1;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

static int child_sleeps_an_hour(void) {
  pid_t child = fork();
  if (child == 0) {
    _exit(sleeps_an_hour() ? 0 : 1);
  }
  return ended_well(child);
}

// One call gets `action`; returns what seccomp(2) returns.
static long filter_call(int number, unsigned action, unsigned flags) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, action),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return -1;
  }
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

static volatile int trapped_call;

static void note_trap(int signal, siginfo_t *information, void *context) {
  (void)signal;
  (void)context;
  trapped_call = information->si_syscall;
}

// The program's own trap wins over the tracer for the call that it names, and only for that.
static int own_trap(void) {
  struct sigaction action = {.sa_sigaction = note_trap, .sa_flags = SA_SIGINFO};
  sigaction(SIGSYS, &action, NULL);
  if (filter_call(SYS_clock_nanosleep, SECCOMP_RET_TRAP, 0) != 0) {
    return 0;
  }
  struct timespec second = {.tv_sec = 1};
  int64_t begin = now();
  syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &second, NULL);
  return trapped_call == SYS_clock_nanosleep && now() == begin && sleeps_an_hour();
}

static void *sleep_an_hour(void *result) {
  *(int *)result = sleeps_an_hour();
  return NULL;
}

// A filter is put on threads that sleep.
static int filter_for_all_threads(void) {
  pthread_t threads[4];
  int results[4] = {0};
  for (int index = 0; index < 4; index++) {
    pthread_create(&threads[index], NULL, sleep_an_hour, &results[index]);
  }
  struct timespec second = {.tv_sec = 1};
  nanosleep(&second, NULL);
  if (filter_call(SYS_getppid, SECCOMP_RET_ERRNO | EPERM, SECCOMP_FILTER_FLAG_TSYNC) != 0) {
    return 0;
  }
  int is_fine = syscall(SYS_getppid) == -1 && errno == EPERM;
  for (int index = 0; index < 4; index++) {
    pthread_join(threads[index], NULL);
    is_fine &= results[index];
  }
  return is_fine && sleeps_an_hour();
}

static void *answer_call(void *argument) {
  int listener = *(int *)argument;
  struct seccomp_notif request = {0};
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &request) == 0) {
    struct seccomp_notif_resp response = {.id = request.id, .val = 4242};
    sleeps_an_hour();
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
  }
  return NULL;
}

// One thread answers a call of another, an hour later.
static int own_notification(void) {
  static int listener;
  listener = (int)filter_call(SYS_getppid, SECCOMP_RET_USER_NOTIF,
                              SECCOMP_FILTER_FLAG_NEW_LISTENER);
  pthread_t thread;
  if (listener < 0 || pthread_create(&thread, NULL, answer_call, &listener) != 0) {
    return 0;
  }
  int64_t begin = now();
  int is_fine = syscall(SYS_getppid) == 4242 && now() - begin == 3600000000000;
  pthread_join(thread, NULL);
  return is_fine;
}

// A daemon: another session, no parent.
static int daemon_sleeps(void) {
  int ends[2];
  char answer = 'n';
  if (pipe(ends) != 0) {
    return 0;
  }
  pid_t child = fork();
  if (child == 0) {
    setsid();
    if (fork() == 0) {
      answer = sleeps_an_hour() && getsid(0) != getpid() ? 'y' : 'n';
      _exit(write(ends[1], &answer, 1) == 1 ? 0 : 1);
    }
    _exit(0);
  }
  int64_t begin = now();
  return ended_well(child) && read(ends[0], &answer, 1) == 1 && answer == 'y' &&
         now() - begin == 3600000000000;
}

// A sleeper is stopped for a while: the sleep's end does not move, and if it has passed, the sleep is over.
static int stopped_sleeper(int stopped_seconds, int64_t expected_seconds) {
  pid_t child = fork();
  if (child == 0) {
    struct timespec ten = {.tv_sec = 10};
    int64_t begin = now();
    int result = nanosleep(&ten, NULL);
    _exit(result == 0 && now() - begin == expected_seconds * 1000000000 ? 0 : 1);
  }
  // The child's sleep begins at this very instant: time moves only when both sleep.
  struct timespec second = {.tv_sec = 1};
  struct timespec rest = {.tv_sec = stopped_seconds - 1};
  nanosleep(&second, NULL);
  int status = 0;
  kill(child, SIGSTOP);
  if (waitpid(child, &status, WUNTRACED) != child || !WIFSTOPPED(status)) {
    return 0;
  }
  nanosleep(&rest, NULL);
  kill(child, SIGCONT);
  return ended_well(child);
}

static int spawns(void) {
  char *arguments[] = {"true", NULL};
  for (volatile int round = 0; round < 50; round++) {
    pid_t child = vfork();
    if (child == 0) {
      execve(round % 2 ? "/bin/true" : "/nonexistent", arguments, environ);
      execve("/bin/true", arguments, environ);
      _exit(9);
    }
    if (!ended_well(child) ||
        posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environ) != 0 ||
        !ended_well(child)) {
      return 0;
    }
  }
  return sleeps_an_hour();
}

// What traces itself learns that somebody does already, as under any debugger.
static int asks_to_be_traced(void) {
  return ptrace(PTRACE_TRACEME, 0, 0, 0) == -1 && errno == EPERM && sleeps_an_hour();
}

static int hides_its_memory(void) {
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && sleeps_an_hour() && child_sleeps_an_hour();
}

// Needs root.
static int changes_user(void) {
  return setresgid(65534, 65534, 65534) == 0 && setresuid(65534, 65534, 65534) == 0 &&
         sleeps_an_hour() && child_sleeps_an_hour();
}

// Needs root.
static int changes_root(void) {
  if (chroot("/proc") != 0 || chdir("/") != 0) {
    return 0;
  }
  return sleeps_an_hour() && child_sleeps_an_hour() && access("/bin", F_OK) != 0;
}

static volatile sig_atomic_t was_told;

static void note_death(int signal) {
  (void)signal;
  was_told = 1;
}

// A sleeper is told of its parent's end.
static int told_of_death(void) {
  int ends[2];
  char answer = 'n';
  if (pipe(ends) != 0) {
    return 0;
  }
  pid_t parent = fork();
  if (parent == 0) {
    if (fork() == 0) {
      struct sigaction action = {.sa_handler = note_death};
      sigaction(SIGTERM, &action, NULL);
      prctl(PR_SET_PDEATHSIG, SIGTERM);
      struct timespec hour = {.tv_sec = 3600};
      struct timespec rest = {0};
      int result = nanosleep(&hour, &rest);
      answer = result == -1 && errno == EINTR && was_told && rest.tv_sec == 3590 ? 'y' : 'n';
      _exit(write(ends[1], &answer, 1) == 1 ? 0 : 1);
    }
    struct timespec ten = {.tv_sec = 10};
    nanosleep(&ten, NULL);
    _exit(0);
  }
  return ended_well(parent) && read(ends[0], &answer, 1) == 1 && answer == 'y';
}

static int closes_everything(void) {
  int is_fine = syscall(SYS_close_range, 3, ~0u, 0) == 0 && close(0) == 0 && close(2) == 0;
  return is_fine && sleeps_an_hour() && child_sleeps_an_hour();
}

static int has_little_memory(void) {
  struct rlimit limit = {.rlim_cur = 24 << 20, .rlim_max = 24 << 20};
  if (setrlimit(RLIMIT_AS, &limit) != 0) {
    return 0;
  }
  pid_t child = vfork();
  if (child == 0) {
    close(1);
    execl("/proc/self/exe", "hostile", "hour", NULL);
    _exit(9);
  }
  return ended_well(child) && sleeps_an_hour();
}

// Calls by the numbers of other kinds of programs are not there: they would not be seen.
static int foreign_calls(void) {
  struct timespec second = {.tv_sec = 1};
  int64_t begin = now();
  int is_fine = syscall(0x40000000 | SYS_nanosleep, &second, NULL) == -1 && errno == ENOSYS;
  long result = 20;  // getpid(2) of 32-bit programs
  __asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
  return is_fine && result == -ENOSYS && now() == begin;
}

int main(int count, char **arguments) {
  const char *kind = count > 1 ? arguments[1] : "";
  int is_fine = -1;
  if (strcmp(kind, "own-trap") == 0) {
    is_fine = own_trap();
  } else if (strcmp(kind, "filter-for-all-threads") == 0) {
    is_fine = filter_for_all_threads();
  } else if (strcmp(kind, "own-notification") == 0) {
    is_fine = own_notification();
  } else if (strcmp(kind, "daemon") == 0) {
    is_fine = daemon_sleeps();
  } else if (strcmp(kind, "stopped-beyond-its-end") == 0) {
    is_fine = stopped_sleeper(3600, 3600);
  } else if (strcmp(kind, "stopped-before-its-end") == 0) {
    is_fine = stopped_sleeper(5, 10);
  } else if (strcmp(kind, "spawns") == 0) {
    is_fine = spawns();
  } else if (strcmp(kind, "asks-to-be-traced") == 0) {
    is_fine = asks_to_be_traced();
  } else if (strcmp(kind, "hides-its-memory") == 0) {
    is_fine = hides_its_memory();
  } else if (strcmp(kind, "changes-user") == 0) {
    is_fine = changes_user();
  } else if (strcmp(kind, "changes-root") == 0) {
    is_fine = changes_root();
  } else if (strcmp(kind, "told-of-death") == 0) {
    is_fine = told_of_death();
  } else if (strcmp(kind, "closes-everything") == 0) {
    is_fine = closes_everything();
  } else if (strcmp(kind, "little-memory") == 0) {
    is_fine = has_little_memory();
  } else if (strcmp(kind, "foreign-calls") == 0) {
    is_fine = foreign_calls();
  } else if (strcmp(kind, "hour") == 0) {
    is_fine = sleeps_an_hour();
  }
  if (is_fine < 0) {
    fputs("usage: hostile KIND\n", stderr);
    return 2;
  }
  puts(is_fine ? "fine" : "wrong");
  return is_fine ? 0 : 1;
}
