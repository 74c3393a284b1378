// timers sets a timer in one way and tells what came of it, and when, by CLOCK_MONOTONIC.
//
//   timers KIND
//
// One line: `KIND` and facts as NAME=VALUE; lengths of time are in nanoseconds.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int64_t second_ns = 1000000000;
static int64_t begin_ns;

static int64_t nanoseconds(struct timespec value) {
  return (int64_t)value.tv_sec * second_ns + value.tv_nsec;
}

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return nanoseconds(now);
}

static int64_t elapsed_ns(void) { return now_ns() - begin_ns; }

static struct timespec timespec_of(int64_t count) {
  return (struct timespec){.tv_sec = count / second_ns, .tv_nsec = count % second_ns};
}

static void sleep_ns(int64_t count) {
  struct timespec length = timespec_of(count);
  while (nanosleep(&length, &length) != 0 && errno == EINTR) {
  }
}

static struct itimerspec setting(int64_t first_ns, int64_t interval_ns) {
  return (struct itimerspec){
      .it_value = timespec_of(first_ns), .it_interval = timespec_of(interval_ns)};
}

static int64_t read_count(int descriptor) {
  uint64_t count = 0;
  ssize_t size = read(descriptor, &count, sizeof count);
  return size == (ssize_t)sizeof count ? (int64_t)count : -errno;
}

// MARK: timer descriptors

static void fd_relative(void) {
  int fd = timerfd_create(CLOCK_MONOTONIC, 0);
  struct itimerspec once = setting(7 * second_ns + 1, 0);
  timerfd_settime(fd, 0, &once, NULL);
  struct itimerspec left;
  sleep_ns(2 * second_ns);
  timerfd_gettime(fd, &left);
  int64_t count = read_count(fd);
  printf(
      "left=%" PRId64 " count=%" PRId64 " elapsed=%" PRId64 "\n", nanoseconds(left.it_value), count,
      elapsed_ns());
}

static void fd_absolute(clockid_t clock) {
  int fd = timerfd_create(clock, 0);
  struct timespec now;
  clock_gettime(clock, &now);
  struct itimerspec once = setting(nanoseconds(now) + 7 * second_ns + 1, 0);
  timerfd_settime(fd, TFD_TIMER_ABSTIME, &once, NULL);
  int64_t count = read_count(fd);
  printf("count=%" PRId64 " elapsed=%" PRId64 "\n", count, elapsed_ns());
}

static void fd_past(void) {
  int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  int64_t before = read_count(fd);
  struct itimerspec past = setting(1, 0);
  timerfd_settime(fd, TFD_TIMER_ABSTIME, &past, NULL);
  int64_t count = read_count(fd);
  printf("before=%" PRId64 " count=%" PRId64 " again=%" PRId64 "\n", before, count, read_count(fd));
}

static void fd_periodic(void) {
  int fd = timerfd_create(CLOCK_MONOTONIC, 0);
  struct itimerspec every = setting(second_ns, second_ns);
  timerfd_settime(fd, 0, &every, NULL);
  int64_t first = read_count(fd);
  sleep_ns(second_ns * 21 / 2);
  int64_t many = read_count(fd);
  int64_t last = read_count(fd);
  printf(
      "first=%" PRId64 " many=%" PRId64 " last=%" PRId64 " elapsed=%" PRId64 "\n", first, many,
      last, elapsed_ns());
}

static void fd_reset(void) {
  int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  struct itimerspec every = setting(second_ns, second_ns);
  timerfd_settime(fd, 0, &every, NULL);
  sleep_ns(3 * second_ns);
  struct itimerspec none = setting(0, 0);
  struct itimerspec old;
  timerfd_settime(fd, 0, &none, &old);
  printf(
      "old=%" PRId64 "+%" PRId64 " count=%" PRId64 "\n", nanoseconds(old.it_value),
      nanoseconds(old.it_interval), read_count(fd));
}

static void fd_epoll(void) {
  int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  int epoll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
  struct itimerspec once = setting(5 * second_ns, 0);
  timerfd_settime(fd, 0, &once, NULL);
  int early = epoll_wait(epoll, &event, 1, 4999);
  int64_t early_at = elapsed_ns();
  int ready = epoll_wait(epoll, &event, 1, 4999);
  printf(
      "early=%d at=%" PRId64 " ready=%d at=%" PRId64 " count=%" PRId64 "\n", early, early_at, ready,
      elapsed_ns(), read_count(fd));
}

static void fd_forked(void) {
  int fd = dup(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC));
  struct itimerspec once = setting(3 * second_ns, 0);
  timerfd_settime(fd, 0, &once, NULL);
  pid_t child = fork();
  if (child == 0) {
    int64_t count = read_count(fd);
    printf("count=%" PRId64 " elapsed=%" PRId64 "\n", count, elapsed_ns());
    fflush(stdout);
    _exit(0);
  }
  close(fd);
  waitpid(child, NULL, 0);
}

// A timer that nobody has any more does not move time.
static void fd_closed(void) {
  int fd = timerfd_create(CLOCK_MONOTONIC, 0);
  struct itimerspec every = setting(second_ns, second_ns);
  timerfd_settime(fd, 0, &every, NULL);
  close(fd);
  sleep_ns(10 * second_ns);
  printf("elapsed=%" PRId64 "\n", elapsed_ns());
}

// The kernel gives a closed descriptor's number to the next one, and its event's number, too.
static void fd_again(void) {
  struct itimerspec soon = setting(5 * second_ns, 0);
  struct itimerspec late = setting(60 * second_ns, 0);
  int fd = timerfd_create(CLOCK_MONOTONIC, 0);
  timerfd_settime(fd, 0, &soon, NULL);
  close(fd);
  fd = timerfd_create(CLOCK_MONOTONIC, 0);
  timerfd_settime(fd, 0, &late, NULL);
  int64_t count = read_count(fd);
  printf("count=%" PRId64 " elapsed=%" PRId64 "\n", count, elapsed_ns());
}

static void fd_event(void) {
  struct itimerspec soon = setting(5 * second_ns, 0);
  int fd = timerfd_create(CLOCK_MONOTONIC, 0);
  timerfd_settime(fd, 0, &soon, NULL);
  close(fd);
  int event = eventfd(0, 0);
  struct pollfd polled = {.fd = event, .events = POLLIN};
  int ready = poll(&polled, 1, 20000);
  printf("same=%d ready=%d elapsed=%" PRId64 "\n", fd == event, ready, elapsed_ns());
}

static int told[2];

static void *read_thrice(void *place) {
  int fd = *(int *)place;
  for (int round = 0; round < 3; round++) {
    int64_t count = read_count(fd);
    printf("count=%" PRId64 " at=%" PRId64 " ", count, elapsed_ns());
    if (round == 0) {
      (void)!write(told[1], "x", 1);
    }
  }
  return NULL;
}

// One thread reads a timer that repeats; the other is let go by it, and sleeps past the next expiration.
static void fd_shared(void) {
  if (pipe(told) != 0) {
    return;
  }
  int fd = timerfd_create(CLOCK_MONOTONIC, 0);
  struct itimerspec every = setting(second_ns, second_ns);
  timerfd_settime(fd, 0, &every, NULL);
  pthread_t reader;
  pthread_create(&reader, NULL, read_thrice, &fd);
  char byte;
  (void)!read(told[0], &byte, 1);
  for (volatile int turn = 0; turn < 20000000; turn++) {
  }
  sleep_ns(5 * second_ns);
  pthread_join(reader, NULL);
  printf("elapsed=%" PRId64 "\n", elapsed_ns());
}

static void fd_flags(void) {
  int plain = timerfd_create(CLOCK_MONOTONIC, 0);
  int fd = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  bool closes = fcntl(fd, F_GETFD) == FD_CLOEXEC && fcntl(plain, F_GETFD) == 0;
  bool waits = (fcntl(plain, F_GETFL) & O_NONBLOCK) == 0 && (fcntl(fd, F_GETFL) & O_NONBLOCK) != 0;
  int wrong_clock = timerfd_create(CLOCK_PROCESS_CPUTIME_ID, 0) < 0 ? errno : 0;
  int wrong_flags = timerfd_create(CLOCK_MONOTONIC, 1) < 0 ? errno : 0;
  struct itimerspec wrong = setting(second_ns, 0);
  wrong.it_value.tv_nsec = second_ns;
  int wrong_value = timerfd_settime(fd, 0, &wrong, NULL) < 0 ? errno : 0;
  int wrong_place = syscall(SYS_timerfd_settime, fd, 0, (void *)8, NULL) < 0 ? errno : 0;
  int wrong_file = timerfd_settime(0, 0, &wrong, NULL) < 0 ? errno : 0;
  printf(
      "flags=%d clock=%d create=%d value=%d place=%d file=%d\n", closes && waits, wrong_clock,
      wrong_flags, wrong_value, wrong_place, wrong_file);
}

// MARK: timer_create

static volatile sig_atomic_t signals;
static volatile sig_atomic_t last_code, last_overrun, last_value, last_thread;

static void note(int number, siginfo_t *information, void *context) {
  (void)number;
  (void)context;
  signals = signals + 1;
  last_code = information->si_code;
  last_overrun = information->si_overrun;
  last_value = information->si_value.sival_int;
  last_thread = gettid();
}

static void handle(int number) {
  struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO};
  sigaction(number, &action, NULL);
}

static void await_signals(int count) {
  sigset_t blocked, before;
  sigfillset(&blocked);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  while (signals < count) {
    sigsuspend(&before);
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
}

static timer_t make_timer(clockid_t clock, int number, int value) {
  handle(number);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = number};
  event.sigev_value.sival_int = value;
  timer_t timer;
  if (timer_create(clock, &event, &timer) != 0) {
    perror("timer_create");
    exit(1);
  }
  return timer;
}

static void posix_signal(clockid_t clock) {
  timer_t timer = make_timer(clock, SIGUSR1, 42);
  struct itimerspec every = setting(2 * second_ns, 3 * second_ns);
  timer_settime(timer, 0, &every, NULL);
  await_signals(1);
  int64_t first = elapsed_ns();
  await_signals(3);
  struct itimerspec left;
  timer_gettime(timer, &left);
  printf(
      "first=%" PRId64 " third=%" PRId64 " code=%d value=%d overrun=%d left=%" PRId64 "\n", first,
      elapsed_ns(), last_code, last_value, last_overrun, nanoseconds(left.it_value));
}

static void posix_absolute(void) {
  timer_t timer = make_timer(CLOCK_REALTIME, SIGUSR1, 1);
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  struct itimerspec once = setting(nanoseconds(now) + 90 * second_ns, 0);
  timer_settime(timer, TIMER_ABSTIME, &once, NULL);
  await_signals(1);
  printf("elapsed=%" PRId64 "\n", elapsed_ns());
}

// A timer of each second, whose signal is blocked.
static timer_t make_blocked_timer(int value, sigset_t *blocked) {
  timer_t timer = make_timer(CLOCK_MONOTONIC, SIGRTMIN, value);
  sigemptyset(blocked);
  sigaddset(blocked, SIGRTMIN);
  sigprocmask(SIG_BLOCK, blocked, NULL);
  struct itimerspec every = setting(second_ns, second_ns);
  timer_settime(timer, 0, &every, NULL);
  return timer;
}

static void posix_overrun(void) {
  sigset_t blocked;
  timer_t timer = make_blocked_timer(7, &blocked);
  sleep_ns(second_ns * 11 / 2);
  sigprocmask(SIG_UNBLOCK, &blocked, NULL);
  int delivered = signals;
  int overrun = timer_getoverrun(timer);
  await_signals(2);
  printf(
      "delivered=%d overrun=%d then=%d at=%" PRId64 "\n", delivered, overrun,
      timer_getoverrun(timer), elapsed_ns());
}

// A signal is taken by a call, after more of them would have come.
static void posix_taken_late(void) {
  sigset_t blocked;
  timer_t timer = make_blocked_timer(9, &blocked);
  sleep_ns(second_ns * 9 / 2);
  siginfo_t information = {0};
  sigwaitinfo(&blocked, &information);
  printf("overrun=%d", information.si_overrun);
  printf(" %d", timer_getoverrun(timer));
  sigwaitinfo(&blocked, &information);
  printf(" then=%d", information.si_overrun);
  sleep_ns(second_ns * 5 / 2);
  sigwaitinfo(&blocked, NULL);
  printf(" unseen=%d at=%" PRId64 "\n", timer_getoverrun(timer), elapsed_ns());
}

static void posix_none(void) {
  struct sigevent event = {.sigev_notify = SIGEV_NONE};
  timer_t timer;
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  struct itimerspec every = setting(5 * second_ns, 4 * second_ns);
  timer_settime(timer, 0, &every, NULL);
  struct itimerspec left;
  sleep_ns(2 * second_ns);
  timer_gettime(timer, &left);
  int64_t before = nanoseconds(left.it_value);
  sleep_ns(8 * second_ns);
  timer_gettime(timer, &left);
  printf(
      "before=%" PRId64 " after=%" PRId64 " elapsed=%" PRId64 "\n", before,
      nanoseconds(left.it_value), elapsed_ns());
}

static sem_t fired;

static void fire(union sigval value) {
  last_value = value.sival_int;
  sem_post(&fired);
}

static void posix_thread(void) {
  sem_init(&fired, 0, 0);
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = fire};
  event.sigev_value.sival_int = 11;
  timer_t timer;
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  struct itimerspec every = setting(2 * second_ns, second_ns);
  timer_settime(timer, 0, &every, NULL);
  for (int count = 0; count < 3; count++) {
    while (sem_wait(&fired) != 0) {
    }
  }
  printf("value=%d elapsed=%" PRId64 "\n", last_value, elapsed_ns());
}

static void *sleep_in_thread(void *argument) {
  *(pid_t *)argument = gettid();
  sem_post(&fired);
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, NULL);
  while (signals < 1) {
    pause();
  }
  return NULL;
}

static void posix_thread_id(void) {
  sem_init(&fired, 0, 0);
  pid_t thread = 0;
  pthread_t handle_of_thread;
  handle(SIGUSR2);
  sigset_t blocked;
  sigfillset(&blocked);
  pthread_sigmask(SIG_BLOCK, &blocked, NULL);
  pthread_create(&handle_of_thread, NULL, sleep_in_thread, &thread);
  sem_wait(&fired);
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR2};
  event._sigev_un._tid = thread;
  timer_t timer;
  timer_create(CLOCK_BOOTTIME, &event, &timer);
  struct itimerspec once = setting(second_ns, 0);
  timer_settime(timer, 0, &once, NULL);
  pthread_join(handle_of_thread, NULL);
  printf("there=%d elapsed=%" PRId64 "\n", last_thread == thread, elapsed_ns());
}

static void posix_deleted(void) {
  timer_t timer = make_timer(CLOCK_MONOTONIC, SIGUSR1, 1);
  struct itimerspec once = setting(second_ns, 0);
  timer_settime(timer, 0, &once, NULL);
  timer_delete(timer);
  sleep_ns(5 * second_ns);
  struct itimerspec left;
  int error = syscall(SYS_timer_gettime, 0, &left) < 0 ? errno : 0;
  printf("signals=%d error=%d elapsed=%" PRId64 "\n", signals, error, elapsed_ns());
}

static void posix_taken(void) {
  timer_t timer = make_timer(CLOCK_MONOTONIC, SIGRTMIN, 9);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  sigprocmask(SIG_BLOCK, &set, NULL);
  struct itimerspec every = setting(second_ns, 2 * second_ns);
  timer_settime(timer, 0, &every, NULL);
  siginfo_t information = {0};
  for (int count = 0; count < 3; count++) {
    sigwaitinfo(&set, &information);
  }
  printf(
      "code=%d value=%d elapsed=%" PRId64 "\n", information.si_code, information.si_value.sival_int,
      elapsed_ns());
}

// MARK: alarm

static void alarm_once(void) {
  handle(SIGALRM);
  alarm(20);
  sleep_ns(second_ns * 5 / 2);
  unsigned left = alarm(10);
  await_signals(1);
  printf("left=%u code=%d elapsed=%" PRId64 "\n", left, last_code, elapsed_ns());
}

static void alarm_interval(void) {
  handle(SIGALRM);
  struct itimerval every = {.it_value = {1, 500000}, .it_interval = {2, 0}};
  setitimer(ITIMER_REAL, &every, NULL);
  await_signals(3);
  struct itimerval left, old;
  sleep_ns(second_ns / 2);
  getitimer(ITIMER_REAL, &left);
  struct itimerval none = {0};
  setitimer(ITIMER_REAL, &none, &old);
  sleep_ns(10 * second_ns);
  printf(
      "signals=%d left=%ld.%06ld interval=%ld old=%ld.%06ld elapsed=%" PRId64 "\n", signals,
      left.it_value.tv_sec, left.it_value.tv_usec, left.it_interval.tv_sec, old.it_value.tv_sec,
      old.it_value.tv_usec, elapsed_ns());
}

// alarm(2): kept over execve(2), not inherited over fork(2).
static void alarm_exec(void) {
  alarm(30);
  pid_t child = fork();
  if (child == 0) {
    _exit((int)alarm(0));
  }
  int status;
  waitpid(child, &status, 0);
  printf("child=%d ", WEXITSTATUS(status));
  fflush(stdout);
  sleep_ns(10 * second_ns);
  execl("/proc/self/exe", "timers", "left", NULL);
}

static void alarm_left(void) { printf("left=%u\n", alarm(0)); }

static void alarm_signalfd(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  sigprocmask(SIG_BLOCK, &set, NULL);
  int fd = signalfd(-1, &set, 0);
  struct itimerval every = {.it_value = {1, 0}, .it_interval = {1, 0}};
  setitimer(ITIMER_REAL, &every, NULL);
  struct signalfd_siginfo information;
  for (int count = 0; count < 3; count++) {
    if (read(fd, &information, sizeof information) < 0) {
      perror("read");
    }
  }
  printf("signal=%u elapsed=%" PRId64 "\n", information.ssi_signo, elapsed_ns());
}

// A timer that a step of the wall clock cancels: waits for it in one way, then for its time.
static void fd_cancelled(const char *way) {
  bool blocks = strcmp(way, "epoll") != 0 && strcmp(way, "deaf") != 0;
  int fd = timerfd_create(CLOCK_REALTIME, blocks ? 0 : TFD_NONBLOCK);
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  struct itimerspec once = setting(nanoseconds(now) + 100 * second_ns, 0);
  int flags = TFD_TIMER_ABSTIME | (strcmp(way, "deaf") == 0 ? 0 : TFD_TIMER_CANCEL_ON_SET);
  timerfd_settime(fd, flags, &once, NULL);
  printf("armed\n");
  fflush(stdout);
  if (strcmp(way, "epoll") == 0) {
    int epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    int ready = epoll_wait(epoll, &event, 1, -1);
    printf("ready=%d ", ready);
  } else if (strcmp(way, "deaf") == 0) {
    struct pollfd polled = {.fd = fd, .events = POLLIN};
    poll(&polled, 1, -1);
  }
  uint64_t count = 0;
  struct iovec place = {.iov_base = &count, .iov_len = sizeof count};
  int64_t first;
  if (strcmp(way, "readv") == 0) {
    first = readv(fd, &place, 1) < 0 ? -errno : (int64_t)count;
  } else if (strcmp(way, "preadv2") == 0) {
    first = preadv2(fd, &place, 1, -1, 0) < 0 ? -errno : (int64_t)count;
  } else {
    first = read_count(fd);
  }
  int64_t first_at = elapsed_ns();
  fcntl(fd, F_SETFL, 0);
  int64_t second = strcmp(way, "deaf") == 0 ? 0 : read_count(fd);
  printf(
      "first=%" PRId64 " at=%" PRId64 " second=%" PRId64 " at=%" PRId64 "\n", first, first_at,
      second, elapsed_ns());
}

static void fd_cancelled_read(void) { fd_cancelled("read"); }
static void fd_cancelled_readv(void) { fd_cancelled("readv"); }
static void fd_cancelled_preadv2(void) { fd_cancelled("preadv2"); }
static void fd_cancelled_epoll(void) { fd_cancelled("epoll"); }
static void fd_cancelled_deaf(void) { fd_cancelled("deaf"); }

// MARK: many

// The first thread has ended; another one has the descriptors.
static void *use_timer(void *argument) {
  pthread_join(*(pthread_t *)argument, NULL);
  int fd = timerfd_create(CLOCK_MONOTONIC, 0);
  struct itimerspec once = setting(3 * second_ns, 0);
  int result = timerfd_settime(fd, 0, &once, NULL);
  int64_t count = read_count(fd);
  printf("result=%d count=%" PRId64 " elapsed=%" PRId64 "\n", result, count, elapsed_ns());
  fflush(stdout);
  exit(0);
}

static void fd_orphaned(void) {
  static pthread_t first;
  first = pthread_self();
  pthread_t thread;
  pthread_create(&thread, NULL, use_timer, &first);
  pthread_exit(NULL);
}

// A program that fills the counter itself, which it could not do to a timer, harms nobody else.
static void fd_filled(void) {
  int fd = timerfd_create(CLOCK_MONOTONIC, 0);
  struct itimerspec every = setting(second_ns, second_ns);
  timerfd_settime(fd, 0, &every, NULL);
  uint64_t many = UINT64_MAX - 2;
  ssize_t written = write(fd, &many, sizeof many);
  sleep_ns(10 * second_ns);
  printf("written=%d elapsed=%" PRId64 "\n", written > 0, elapsed_ns());
}

// What is made and closed is forgotten, and what is kept is not.
static void fd_churn(void) {
  int kept = timerfd_create(CLOCK_MONOTONIC, 0);
  struct itimerspec once = setting(3 * second_ns, 0);
  timerfd_settime(kept, 0, &once, NULL);
  for (int round = 0; round < 2000; round++) {
    int fd = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(fd, 0, &once, NULL);
    close(fd);
  }
  int64_t count = read_count(kept);
  printf("count=%" PRId64 " elapsed=%" PRId64 "\n", count, elapsed_ns());
}

static void many(void) {
  enum { count = 200 };
  int fds[count];
  for (int index = 0; index < count; index++) {
    fds[index] = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec once = setting((index * 7 % count + 1) * second_ns, 0);
    timerfd_settime(fds[index], 0, &once, NULL);
  }
  bool isOrdered = true;
  struct pollfd polled[count];
  for (int index = 0; index < count; index++) {
    polled[index] = (struct pollfd){.fd = fds[index], .events = POLLIN};
  }
  for (int round = 1; round <= count; round++) {
    int ready = poll(polled, count, -1);
    isOrdered &= ready == 1 && elapsed_ns() == round * second_ns;
    for (int index = 0; index < count; index++) {
      if (polled[index].revents != 0) {
        isOrdered &= read_count(fds[index]) == 1;
      }
    }
  }
  printf("ordered=%d elapsed=%" PRId64 "\n", isOrdered, elapsed_ns());
}

int main(int argc, char **argv) {
  const char *kind = argc > 1 ? argv[1] : "";
  begin_ns = now_ns();
  struct {
    const char *name;
    void (*run)(void);
  } kinds[] = {
      {"fd-relative", fd_relative},       {"fd-past", fd_past},
      {"fd-periodic", fd_periodic},       {"fd-reset", fd_reset},
      {"fd-epoll", fd_epoll},             {"fd-forked", fd_forked},
      {"fd-closed", fd_closed},           {"fd-flags", fd_flags},
      {"overrun", posix_overrun},         {"absolute", posix_absolute},
      {"none", posix_none},               {"thread", posix_thread},
      {"thread-id", posix_thread_id},     {"deleted", posix_deleted},
      {"taken", posix_taken},             {"alarm", alarm_once},
      {"taken-late", posix_taken_late},
      {"interval", alarm_interval},       {"alarm-exec", alarm_exec},
      {"left", alarm_left},               {"alarm-signalfd", alarm_signalfd},
      {"cancelled-read", fd_cancelled_read},
      {"cancelled-readv", fd_cancelled_readv},
      {"cancelled-preadv2", fd_cancelled_preadv2},
      {"cancelled-epoll", fd_cancelled_epoll},
      {"cancelled-deaf", fd_cancelled_deaf},
      {"fd-orphaned", fd_orphaned},       {"fd-filled", fd_filled},
      {"many", many},                     {"fd-churn", fd_churn},
      {"fd-again", fd_again},             {"fd-event", fd_event},
      {"fd-shared", fd_shared},
  };
  if (strcmp(kind, "left") != 0) {
    printf("%s ", kind);
    fflush(stdout);
  }
  for (size_t index = 0; index < sizeof kinds / sizeof kinds[0]; index++) {
    if (strcmp(kind, kinds[index].name) == 0) {
      kinds[index].run();
      return 0;
    }
  }
  const struct {
    const char *name;
    clockid_t clock;
  } clocks[] = {
      {"realtime", CLOCK_REALTIME}, {"monotonic", CLOCK_MONOTONIC}, {"boottime", CLOCK_BOOTTIME}};
  for (size_t index = 0; index < sizeof clocks / sizeof clocks[0]; index++) {
    if (strncmp(kind, "fd-", 3) == 0 && strcmp(kind + 3, clocks[index].name) == 0) {
      fd_absolute(clocks[index].clock);
      return 0;
    }
    if (strncmp(kind, "signal-", 7) == 0 && strcmp(kind + 7, clocks[index].name) == 0) {
      posix_signal(clocks[index].clock);
      return 0;
    }
  }
  fprintf(stderr, "usage: timers KIND\n");
  return 2;
}
