// hardship KIND does something that is hard on whoever traces it, and prints "fine" if it went as it would
// without a tracer.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// A child is asked to end, or is killed, at any moment of its exec.
static int children_ended_in_exec(int signal_number) {
  for (int round = 0; round < 300; round++) {
    pid_t child = fork();
    if (child == 0) {
      execl("/bin/sleep", "sleep", "1000", NULL);
      _exit(1);
    }
    for (volatile int delay = 0; delay < round * 300; delay++) {
    }
    kill(child, signal_number);
    int status;
    if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status) ||
        WTERMSIG(status) != signal_number) {
      return 0;
    }
  }
  return 1;
}

static volatile int64_t handled_at;

static void handle(int signal_number) {
  (void)signal_number;
  handled_at = now();
}

// A signal comes at any moment around the beginning of a sleep.
static int signal_at_sleep(void) {
  signal(SIGUSR1, handle);
  int asked[2];
  if (pipe(asked) != 0) {
    return 0;
  }
  pid_t parent = getpid();
  pid_t child = fork();
  if (child == 0) {
    signal(SIGUSR1, SIG_IGN);
    close(asked[1]);
    char byte;
    for (int round = 0; read(asked[0], &byte, 1) == 1; round++) {
      for (volatile int delay = 0; delay < round * 37 % 6000; delay++) {
      }
      kill(parent, SIGUSR1);
    }
    _exit(0);
  }
  int is_fine = 1;
  for (int round = 0; round < 500 && is_fine; round++) {
    struct timespec hour = {.tv_sec = 3600};
    handled_at = 0;
    int64_t begin = now();
    if (write(asked[1], "x", 1) != 1) {
      return 0;
    }
    nanosleep(&hour, NULL);
    // A signal that comes before the sleep leaves the whole of it, also without a tracer.
    is_fine = handled_at == begin;
  }
  close(asked[1]);
  waitpid(child, NULL, 0);
  return is_fine;
}

// A process is killed as it makes a child, again and again; the children end by themselves.
static int killed_in_fork(void) {
  for (int round = 0; round < 200; round++) {
    pid_t child = fork();
    if (child == 0) {
      for (;;) {
        if (fork() == 0) {
          _exit(0);
        }
      }
    }
    for (volatile int delay = 0; delay < 20000 + round * 100; delay++) {
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
  }
  return 1;
}

// select is told of more descriptors than the process can have: the kernel looks at the real ones only.
static int large_select(void) {
  struct {
    fd_set set;
    unsigned char guard[4096];
  } memory;
  memset(&memory, 0xab, sizeof memory);
  FD_ZERO(&memory.set);
  struct timeval second = {.tv_sec = 1};
  if (select(20000, &memory.set, NULL, NULL, &second) != 0) {
    return 0;
  }
  for (size_t index = 0; index < sizeof memory.guard; index++) {
    if (memory.guard[index] != 0xab) {
      return 0;
    }
  }
  return 1;
}

static const struct timespec constant_second = {.tv_sec = 1};

// ppoll writes back what is left of its timeout, but not into memory that is read-only.
static int constant_timeout(void) {
  for (int round = 0; round < 3; round++) {
    int64_t begin = now();
    if (syscall(SYS_ppoll, NULL, 0, &constant_second, NULL, 8) != 0 || now() - begin < 1000000000) {
      return 0;
    }
  }
  return constant_second.tv_sec == 1;
}

// The program allows itself the calls that it makes, and no others.
static int own_filter(void) {
  static const int allowed[] = {SYS_nanosleep,   SYS_clock_nanosleep, SYS_restart_syscall,
                                SYS_write,       SYS_newfstatat,      SYS_brk,
                                SYS_mmap,        SYS_getrandom,       SYS_exit_group,
                                SYS_clock_gettime};
  enum { COUNT = sizeof allowed / sizeof *allowed };
  struct sock_filter filter[1 + 2 * COUNT + 1];
  size_t length = 0;
  filter[length++] =
      (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (size_t index = 0; index < COUNT; index++) {
    filter[length++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)allowed[index], 0, 1);
    filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }
  filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  struct sock_fprog program = {.len = (unsigned short)length, .filter = filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    return 0;
  }
  struct timespec hour = {.tv_sec = 3600};
  int64_t begin = now();
  return nanosleep(&hour, NULL) == 0 && now() - begin >= 3600000000000;
}

static void *exec_true(void *argument) {
  (void)argument;
  execl("/bin/echo", "echo", "fine", NULL);
  return NULL;
}

static void *sleep_long(void *argument) {
  (void)argument;
  sleep(100000);
  return NULL;
}

// A thread that is not the first runs another program while others sleep.
static int exec_from_thread(void) {
  pthread_t threads[5];
  for (int index = 0; index < 4; index++) {
    pthread_create(&threads[index], NULL, sleep_long, NULL);
  }
  usleep(1000);
  pthread_create(&threads[4], NULL, exec_true, NULL);
  pthread_join(threads[4], NULL);
  return 0;
}

static void *print_later(void *argument) {
  (void)argument;
  sleep(10);
  puts("fine");
  exit(0);
}

// The first thread ends before the others.
static int first_thread_ends(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, print_later, NULL);
  pthread_exit(NULL);
}

// No descriptor beyond the three streams is given to a program.
static int descriptors(void) {
  for (int descriptor = 3; descriptor < 1024; descriptor++) {
    if (close(descriptor) == 0 || errno != EBADF) {
      return 0;
    }
  }
  return 1;
}

int main(int count, char **arguments) {
  const char *kind = count > 1 ? arguments[1] : "";
  int is_fine = -1;
  if (strcmp(kind, "terminated-in-exec") == 0) {
    is_fine = children_ended_in_exec(SIGTERM);
  } else if (strcmp(kind, "killed-in-exec") == 0) {
    is_fine = children_ended_in_exec(SIGKILL);
  } else if (strcmp(kind, "signal-at-sleep") == 0) {
    is_fine = signal_at_sleep();
  } else if (strcmp(kind, "killed-in-fork") == 0) {
    is_fine = killed_in_fork();
  } else if (strcmp(kind, "large-select") == 0) {
    is_fine = large_select();
  } else if (strcmp(kind, "constant-timeout") == 0) {
    is_fine = constant_timeout();
  } else if (strcmp(kind, "own-filter") == 0) {
    is_fine = own_filter();
  } else if (strcmp(kind, "exec-from-thread") == 0) {
    is_fine = exec_from_thread();
  } else if (strcmp(kind, "first-thread-ends") == 0) {
    is_fine = first_thread_ends();
  } else if (strcmp(kind, "descriptors") == 0) {
    is_fine = descriptors();
  }
  if (is_fine < 0) {
    fputs("usage: hardship KIND\n", stderr);
    return 2;
  }
  puts(is_fine ? "fine" : "wrong");
  return is_fine ? 0 : 1;
}
