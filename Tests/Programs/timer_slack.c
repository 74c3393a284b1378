// timer_slack KIND: makes a wait of no length, of which the kernel makes one of a second at most, as the slack of the
// thread's timers is as long, while another thread sleeps for an hour; tells how far the clock went, in seconds.

#define _GNU_SOURCE
#include <limits.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const struct timespec none;
static uint32_t word;

static void wait_nanosleep(void) { syscall(SYS_nanosleep, &none, NULL); }

static void wait_clock_nanosleep(void) {
  syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &none, NULL);
}

static void wait_clock_nanosleep_past(void) {
  syscall(SYS_clock_nanosleep, CLOCK_REALTIME, TIMER_ABSTIME, &none, NULL);
}

static void wait_futex(void) { syscall(SYS_futex, &word, FUTEX_WAIT, 0, &none, NULL, 0); }

static void wait_futex_past(void) {
  syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, &none, NULL, UINT_MAX);
}

static void wait_semtimedop(void) {
  int semaphore = semget(IPC_PRIVATE, 1, 0600);
  struct sembuf down = {.sem_op = -1};
  syscall(SYS_semtimedop, semaphore, &down, 1, &none);
  semctl(semaphore, 0, IPC_RMID);
}

static void wait_sigtimedwait(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  sigprocmask(SIG_BLOCK, &signals, NULL);
  sigtimedwait(&signals, NULL, &none);
}

static void wait_ppoll(void) { ppoll(NULL, 0, &none, NULL); }

static void wait_pselect(void) { pselect(0, NULL, NULL, NULL, &none, NULL); }

static void wait_epoll(void) {
  int descriptor = epoll_create1(0);
  struct epoll_event event;
  syscall(SYS_epoll_pwait2, descriptor, &event, 1, &none, NULL, 0);
  close(descriptor);
}

static void wait_mq_timedreceive(void) {
  char name[64];
  snprintf(name, sizeof name, "/timer-slack-%d", (int)getpid());
  mqd_t queue = mq_open(name, O_CREAT | O_RDONLY, 0600, NULL);
  mq_unlink(name);
  char text[8192];
  mq_timedreceive(queue, text, sizeof text, NULL, &none);
}

static const struct {
  const char *name;
  void (*wait)(void);
} kinds[] = {
    {"nanosleep", wait_nanosleep},
    {"clock_nanosleep", wait_clock_nanosleep},
    {"clock_nanosleep-past", wait_clock_nanosleep_past},
    {"futex", wait_futex},
    {"futex-past", wait_futex_past},
    {"semtimedop", wait_semtimedop},
    {"sigtimedwait", wait_sigtimedwait},
    {"ppoll", wait_ppoll},
    {"pselect", wait_pselect},
    {"epoll_pwait2", wait_epoll},
    {"mq_timedreceive", wait_mq_timedreceive},
};

static void *sleep_for_an_hour(void *unused) {
  sleep(3600);
  return unused;
}

static long long seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

int main(int argc, char **argv) {
  for (size_t index = 0; argc > 1 && index < sizeof kinds / sizeof *kinds; index++) {
    if (strcmp(kinds[index].name, argv[1]) != 0) {
      continue;
    }
    // So long that a look from outside cannot miss it.
    prctl(PR_SET_TIMERSLACK, 1000000000UL);
    pthread_t sleeper;
    pthread_create(&sleeper, NULL, sleep_for_an_hour, NULL);
    long long begin = seconds();
    kinds[index].wait();
    printf("%lld\n", seconds() - begin);
    return 0;
  }
  return 2;
}
