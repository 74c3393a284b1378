// disturbed_waits makes one timed wait, by the raw system call, while a child does something to it.
//
//   disturbed_waits KIND MODE NANOSECONDS
//
//   none       nothing: the wait ends when its time is up
//   handler    SIGUSR1 comes after two fifths of the time and has a handler
//   restart    the same with SA_RESTART
//   ignored    the same, and SIGUSR1 is ignored; the child's end (SIGCHLD) is, too
//   stop       SIGSTOP comes after two fifths, SIGCONT after three
//
// One line:
//
//   KIND MODE result=R error=NAME elapsed_ns=N handled=COUNT

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/aio_abi.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif
#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif
#ifndef SYS_futex_wait
#define SYS_futex_wait 455
#endif

static const int64_t second_ns = 1000000000;
static volatile sig_atomic_t handled = 0;

static int64_t nanoseconds(struct timespec value) {
  return (int64_t)value.tv_sec * second_ns + value.tv_nsec;
}

static struct timespec timespec_of(int64_t count) {
  return (struct timespec){.tv_sec = count / second_ns, .tv_nsec = count % second_ns};
}

static struct timespec deadline(clockid_t clock, int64_t length_ns) {
  struct timespec now;
  clock_gettime(clock, &now);
  return timespec_of(nanoseconds(now) + length_ns);
}

static int milliseconds(int64_t count) { return (int)((count + 999999) / 1000000); }

static void require(int is_fine, const char *what) {
  if (is_fine) return;
  perror(what);
  exit(3);
}

// MARK: sleeping

static long wait_nanosleep(int64_t length_ns) {
  struct timespec request = timespec_of(length_ns);
  return syscall(SYS_nanosleep, &request, NULL);
}

static long wait_clock_nanosleep_realtime(int64_t length_ns) {
  struct timespec request = deadline(CLOCK_REALTIME, length_ns);
  return syscall(SYS_clock_nanosleep, CLOCK_REALTIME, TIMER_ABSTIME, &request, NULL);
}

// MARK: futexes

static uint32_t word = 0;

static long wait_futex(int64_t length_ns) {
  struct timespec timeout = timespec_of(length_ns);
  return syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &timeout, NULL, 0);
}

static long wait_futex_bitset(int64_t length_ns) {
  struct timespec timeout = deadline(CLOCK_REALTIME, length_ns);
  return syscall(
      SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 0, &timeout, NULL,
      FUTEX_BITSET_MATCH_ANY);
}

static uint32_t owned = 0;

static void *own(void *nothing) {
  (void)nothing;
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  syscall(SYS_futex, &owned, FUTEX_LOCK_PI_PRIVATE, 0, NULL, NULL, 0);
  for (;;) pause();
  return NULL;
}

static long wait_futex_lock(int64_t length_ns) {
  pthread_t owner;
  require(pthread_create(&owner, NULL, own, NULL) == 0, "pthread_create");
  while (__atomic_load_n(&owned, __ATOMIC_ACQUIRE) == 0) sched_yield();
  struct timespec timeout = deadline(CLOCK_REALTIME, length_ns);
  return syscall(SYS_futex, &owned, FUTEX_LOCK_PI_PRIVATE, 0, &timeout, NULL, 0);
}

static long wait_futex_requeue(int64_t length_ns) {
  struct timespec timeout = deadline(CLOCK_MONOTONIC, length_ns);
  return syscall(
      SYS_futex, &word, FUTEX_WAIT_REQUEUE_PI | FUTEX_PRIVATE_FLAG, 0, &timeout, &owned, 0);
}

// struct futex_waitv of linux/futex.h, which older headers do not have.
struct waiter {
  uint64_t value;
  uint64_t address;
  uint32_t flags;
  uint32_t reserved;
};

static const uint32_t private_word = 2 | 128;

static long wait_futex_vector(clockid_t clock, int64_t length_ns) {
  struct waiter waiter = {.address = (uintptr_t)&word, .flags = private_word};
  struct timespec timeout = deadline(clock, length_ns);
  return syscall(SYS_futex_waitv, &waiter, 1, 0, &timeout, clock);
}

static long wait_futex_waitv_monotonic(int64_t length_ns) {
  return wait_futex_vector(CLOCK_MONOTONIC, length_ns);
}

static long wait_futex_waitv_realtime(int64_t length_ns) {
  return wait_futex_vector(CLOCK_REALTIME, length_ns);
}

static long wait_second_futex(clockid_t clock, int64_t length_ns) {
  struct timespec timeout = deadline(clock, length_ns);
  return syscall(SYS_futex_wait, &word, 0UL, 0xffffffffUL, private_word, &timeout, clock);
}

static long wait_futex_wait_monotonic(int64_t length_ns) {
  return wait_second_futex(CLOCK_MONOTONIC, length_ns);
}

static long wait_futex_wait_realtime(int64_t length_ns) {
  return wait_second_futex(CLOCK_REALTIME, length_ns);
}

// A deadline long past, of a word that has another value: the value counts.
static long wait_futex_waitv_changed(int64_t length_ns) {
  (void)length_ns;
  struct waiter waiter = {
      .value = 1, .address = (uintptr_t)&word, .flags = private_word};
  struct timespec timeout = timespec_of(1);
  return syscall(SYS_futex_waitv, &waiter, 1, 0, &timeout, CLOCK_MONOTONIC);
}

static long wait_futex_waitv_past(int64_t length_ns) {
  return wait_futex_vector(CLOCK_MONOTONIC, -length_ns);
}

// MARK: queues

static mqd_t queue(void) {
  char name[64];
  snprintf(name, sizeof name, "/disturbed-waits-%d", (int)getpid());
  struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = 8};
  mqd_t descriptor = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);
  require(descriptor != (mqd_t)-1, "mq_open");
  mq_unlink(name);
  return descriptor;
}

static long wait_mq_receive(int64_t length_ns) {
  char message[8];
  struct timespec timeout = deadline(CLOCK_REALTIME, length_ns);
  return syscall(SYS_mq_timedreceive, queue(), message, sizeof message, NULL, &timeout);
}

static long wait_mq_send(int64_t length_ns) {
  mqd_t full = queue();
  require(mq_send(full, "one", 3, 0) == 0, "mq_send");
  struct timespec timeout = deadline(CLOCK_REALTIME, length_ns);
  return syscall(SYS_mq_timedsend, full, "two", 3, 0, &timeout);
}

static long wait_mq_receive_past(int64_t length_ns) { return wait_mq_receive(-length_ns); }

static long wait_mq_receive_wrong(int64_t length_ns) {
  (void)length_ns;
  char message[8];
  struct timespec timeout = {.tv_sec = 1, .tv_nsec = second_ns};
  return syscall(SYS_mq_timedreceive, queue(), message, sizeof message, NULL, &timeout);
}

static long wait_on_semaphore(struct timespec timeout) {
  int semaphore = semget(IPC_PRIVATE, 1, 0600);
  require(semaphore >= 0, "semget");
  struct sembuf down = {.sem_op = -1};
  long result = syscall(SYS_semtimedop, semaphore, &down, 1, &timeout);
  int error = errno;
  semctl(semaphore, 0, IPC_RMID);
  errno = error;
  return result;
}

static long wait_semtimedop(int64_t length_ns) {
  return wait_on_semaphore(timespec_of(length_ns));
}

static long wait_semtimedop_negative(int64_t length_ns) {
  return wait_on_semaphore(timespec_of(-length_ns));
}

static long wait_sigtimedwait(int64_t length_ns) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  struct timespec timeout = timespec_of(length_ns);
  return syscall(SYS_rt_sigtimedwait, &set, NULL, &timeout, 8);
}

static long wait_sigtimedwait_zero(int64_t length_ns) {
  (void)length_ns;
  return wait_sigtimedwait(0);
}

// MARK: asynchronous input and output

static aio_context_t context(void) {
  aio_context_t context = 0;
  require(syscall(SYS_io_setup, 8, &context) == 0, "io_setup");
  return context;
}

static long wait_io_getevents(int64_t length_ns) {
  struct io_event events[2];
  struct timespec timeout = timespec_of(length_ns);
  return syscall(SYS_io_getevents, context(), 1, 2, events, &timeout);
}

// One of two events is there from the beginning.
static long wait_io_getevents_partial(int64_t length_ns) {
  struct io_event events[2];
  struct timespec timeout = timespec_of(length_ns);
  aio_context_t one = context();
  static char text[8];
  int file = memfd_create("one", 0);
  require(file >= 0 && write(file, "content", 8) == 8, "memfd_create");
  struct iocb block = {
      .aio_lio_opcode = IOCB_CMD_PREAD, .aio_fildes = (uint32_t)file,
      .aio_buf = (uintptr_t)text, .aio_nbytes = sizeof text};
  struct iocb *blocks[] = {&block};
  require(syscall(SYS_io_submit, one, 1, blocks) == 1, "io_submit");
  return syscall(SYS_io_getevents, one, 2, 2, events, &timeout);
}

// The kernel adds up a timespec whose nanoseconds are more than a second.
static long wait_io_getevents_sum(int64_t length_ns) {
  struct io_event events[2];
  struct timespec timeout = {.tv_sec = 0, .tv_nsec = length_ns};
  return syscall(SYS_io_getevents, context(), 1, 2, events, &timeout);
}

static long wait_io_pgetevents(int64_t length_ns) {
  struct io_event events[2];
  struct timespec timeout = timespec_of(length_ns);
  return syscall(SYS_io_pgetevents, context(), 1, 2, events, &timeout, NULL);
}

// MARK: descriptors

static int quiet_descriptor(void) {
  static int ends[2] = {-1, -1};
  if (ends[0] < 0) require(pipe(ends) == 0, "pipe");
  return ends[0];
}

static long wait_poll(int64_t length_ns) {
  struct pollfd entry = {.fd = quiet_descriptor(), .events = POLLIN};
  return syscall(SYS_poll, &entry, 1, milliseconds(length_ns));
}

static long wait_ppoll(int64_t length_ns) {
  struct pollfd entry = {.fd = quiet_descriptor(), .events = POLLIN};
  struct timespec timeout = timespec_of(length_ns);
  return syscall(SYS_ppoll, &entry, 1, &timeout, NULL, 8);
}

// The rest of the time cannot be written where the timeout lies: the call cannot start again.
static long wait_ppoll_constant(int64_t length_ns) {
  struct pollfd entry = {.fd = quiet_descriptor(), .events = POLLIN};
  struct timespec *timeout =
      mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  require(timeout != MAP_FAILED, "mmap");
  *timeout = timespec_of(length_ns);
  require(mprotect(timeout, 4096, PROT_READ) == 0, "mprotect");
  return syscall(SYS_ppoll, &entry, 1, timeout, NULL, 8);
}

static long wait_pselect(int64_t length_ns) {
  fd_set readable;
  FD_ZERO(&readable);
  FD_SET(quiet_descriptor(), &readable);
  struct timespec timeout = timespec_of(length_ns);
  return syscall(SYS_pselect6, quiet_descriptor() + 1, &readable, NULL, NULL, &timeout, NULL);
}

static int epoll_of_quiet_descriptor(void) {
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event = {.events = EPOLLIN};
  require(
      epoll >= 0 && epoll_ctl(epoll, EPOLL_CTL_ADD, quiet_descriptor(), &event) == 0, "epoll");
  return epoll;
}

static long wait_epoll_wait(int64_t length_ns) {
  struct epoll_event event;
  return syscall(
      SYS_epoll_wait, epoll_of_quiet_descriptor(), &event, 1, milliseconds(length_ns));
}

static long wait_epoll_pwait2(int64_t length_ns) {
  struct epoll_event event;
  struct timespec timeout = timespec_of(length_ns);
  return syscall(
      SYS_epoll_pwait2, epoll_of_quiet_descriptor(), &event, 1, &timeout, NULL, 8);
}

static long wait_recv(int64_t length_ns) {
  int ends[2];
  require(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
  struct timeval timeout = {
      .tv_sec = length_ns / second_ns, .tv_usec = length_ns % second_ns / 1000};
  require(
      setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout) == 0, "setsockopt");
  char byte;
  return recv(ends[0], &byte, 1, 0);
}

// MARK: the command line

struct kind {
  const char *name;
  long (*wait)(int64_t length_ns);
};

static const struct kind kinds[] = {
    {"nanosleep", wait_nanosleep},
    {"clock_nanosleep-realtime", wait_clock_nanosleep_realtime},
    {"futex", wait_futex},
    {"futex_bitset-realtime", wait_futex_bitset},
    {"futex_lock", wait_futex_lock},
    {"futex_requeue", wait_futex_requeue},
    {"futex_waitv-monotonic", wait_futex_waitv_monotonic},
    {"futex_waitv-realtime", wait_futex_waitv_realtime},
    {"futex_waitv-changed", wait_futex_waitv_changed},
    {"futex_waitv-past", wait_futex_waitv_past},
    {"futex_wait-monotonic", wait_futex_wait_monotonic},
    {"futex_wait-realtime", wait_futex_wait_realtime},
    {"mq_timedreceive", wait_mq_receive},
    {"mq_timedreceive-past", wait_mq_receive_past},
    {"mq_timedreceive-wrong", wait_mq_receive_wrong},
    {"mq_timedsend", wait_mq_send},
    {"semtimedop", wait_semtimedop},
    {"semtimedop-negative", wait_semtimedop_negative},
    {"rt_sigtimedwait", wait_sigtimedwait},
    {"rt_sigtimedwait-zero", wait_sigtimedwait_zero},
    {"io_getevents", wait_io_getevents},
    {"io_getevents-partial", wait_io_getevents_partial},
    {"io_getevents-sum", wait_io_getevents_sum},
    {"io_pgetevents", wait_io_pgetevents},
    {"poll", wait_poll},
    {"ppoll", wait_ppoll},
    {"ppoll-constant", wait_ppoll_constant},
    {"pselect6", wait_pselect},
    {"epoll_wait", wait_epoll_wait},
    {"epoll_pwait2", wait_epoll_pwait2},
    {"recv", wait_recv},
};

static void handle(int signal) {
  (void)signal;
  handled += 1;
}

static int prepare(const char *mode) {
  struct sigaction action = {.sa_handler = handle};
  sigemptyset(&action.sa_mask);
  if (strcmp(mode, "none") == 0 || strcmp(mode, "stop") == 0) return 0;
  if (strcmp(mode, "restart") == 0) {
    action.sa_flags = SA_RESTART;
  } else if (strcmp(mode, "ignored") == 0) {
    action.sa_handler = SIG_IGN;
  } else if (strcmp(mode, "handler") != 0) {
    return -1;
  }
  return sigaction(SIGUSR1, &action, NULL);
}

static pid_t disturb(pid_t parent, const char *mode, int64_t length_ns) {
  if (strcmp(mode, "none") == 0) return 0;
  pid_t child = fork();
  require(child >= 0, "fork");
  if (child > 0) return child;
  struct timespec first = timespec_of(length_ns / 5 * 2);
  struct timespec second = timespec_of(length_ns / 5);
  nanosleep(&first, NULL);
  if (strcmp(mode, "stop") == 0) {
    kill(parent, SIGSTOP);
    nanosleep(&second, NULL);
    kill(parent, SIGCONT);
  } else {
    kill(parent, SIGUSR1);
  }
  _exit(0);
}

static const char *error_name(int error) {
  const char *name = error == 0 ? "none" : strerrorname_np(error);
  return name ? name : "unknown";
}

int main(int count, char **arguments) {
  for (size_t index = 0; count == 4 && index < sizeof kinds / sizeof *kinds; index += 1) {
    if (strcmp(arguments[1], kinds[index].name) != 0 || prepare(arguments[2]) != 0) continue;
    int64_t length_ns = strtoll(arguments[3], NULL, 10);
    struct timespec before;
    struct timespec after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    pid_t child = disturb(getpid(), arguments[2], length_ns);
    long result = kinds[index].wait(length_ns);
    int error = result < 0 ? errno : 0;
    clock_gettime(CLOCK_MONOTONIC, &after);
    printf(
        "%s %s result=%ld error=%s elapsed_ns=%" PRId64 " handled=%d\n", arguments[1],
        arguments[2], result, error_name(error), nanoseconds(after) - nanoseconds(before),
        (int)handled);
    fflush(stdout);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    return 0;
  }
  fprintf(
      stderr, "usage: disturbed_waits KIND none|handler|restart|ignored|stop NANOSECONDS\n");
  for (size_t index = 0; index < sizeof kinds / sizeof *kinds; index += 1) {
    fprintf(stderr, "  %s\n", kinds[index].name);
  }
  return 2;
}
