// Timers: of descriptors, of POSIX, and of the process.

#define _GNU_SOURCE
#include "probe.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

// glibc 2.36 names the thread of a SIGEV_THREAD_ID event only by the union's member.
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static const int microseconds = 1000;

// MARK: timerfd

static int armed_timerfd(clockid_t clock, int64_t milliseconds, bool is_absolute) {
  int timer = timerfd_create(clock, TFD_CLOEXEC);
  struct itimerspec setting = {
      .it_value = is_absolute ? after(clock, milliseconds) : length(milliseconds)};
  timerfd_settime(timer, is_absolute ? TFD_TIMER_ABSTIME : 0, &setting, NULL);
  return timer;
}

static bool read_once(int timer) {
  uint64_t expirations = 0;
  return read(timer, &expirations, sizeof expirations) == sizeof expirations && expirations == 1;
}

static bool wait_timerfd_read(int64_t milliseconds) {
  return read_once(armed_timerfd(CLOCK_MONOTONIC, milliseconds, false));
}

static bool wait_timerfd_poll(int64_t milliseconds) {
  int timer = armed_timerfd(CLOCK_REALTIME, milliseconds, true);
  struct pollfd entry = {.fd = timer, .events = POLLIN};
  return poll(&entry, 1, -1) == 1 && read_once(timer);
}

static bool wait_timerfd_epoll(int64_t milliseconds) {
  int timer = armed_timerfd(CLOCK_BOOTTIME, milliseconds, false);
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &event);
  return epoll_wait(epoll, &event, 1, -1) == 1 && read_once(timer);
}

// Three periods of a third each, read at once.
static bool wait_timerfd_periods(int64_t milliseconds) {
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  struct itimerspec setting = {
      .it_value = length(milliseconds / 3), .it_interval = length(milliseconds / 3)};
  timerfd_settime(timer, 0, &setting, NULL);
  return read_once(timer) && read_once(timer) && read_once(timer);
}

// MARK: POSIX timers

static bool arm(timer_t timer, int64_t milliseconds) {
  struct itimerspec setting = {.it_value = length(milliseconds)};
  return timer_settime(timer, 0, &setting, NULL) == 0;
}

// Waits without a timeout for a signal that a timer sends.
static bool await_signal(struct sigevent event, int64_t milliseconds) {
  timer_t timer;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, event.sigev_signo);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || !arm(timer, milliseconds)) return false;
  siginfo_t information;
  int number = sigwaitinfo(&signals, &information);
  timer_delete(timer);
  return number == event.sigev_signo && information.si_code == SI_TIMER &&
         information.si_value.sival_int == event.sigev_value.sival_int;
}

static bool wait_timer_signal(int64_t milliseconds) {
  return await_signal(
      (struct sigevent){
          .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 3, .sigev_value.sival_int = 42},
      milliseconds);
}

static bool wait_timer_thread_id(int64_t milliseconds) {
  struct sigevent event = {
      .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN + 4, .sigev_value.sival_int = 43};
  event.sigev_notify_thread_id = (int)syscall(SYS_gettid);
  return await_signal(event, milliseconds);
}

static sem_t has_fired;

static void fire(union sigval value) {
  if (value.sival_int == 44) sem_post(&has_fired);
}

static bool wait_timer_thread(int64_t milliseconds) {
  timer_t timer;
  struct sigevent event = {
      .sigev_notify = SIGEV_THREAD, .sigev_notify_function = fire, .sigev_value.sival_int = 44};
  sem_init(&has_fired, 0, 0);
  if (timer_create(CLOCK_REALTIME, &event, &timer) != 0 || !arm(timer, milliseconds)) return false;
  bool has_ended = sem_wait(&has_fired) == 0;
  timer_delete(timer);
  return has_ended;
}

static bool wait_timer_handler(int64_t milliseconds) {
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  catch_signal(SIGUSR1);
  int before = caught_signals;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || !arm(timer, milliseconds)) return false;
  int result = pause();
  timer_delete(timer);
  return result == -1 && caught_signals == before + 1;
}

// MARK: the process's own

static bool pause_until(int number, bool has_been_set, int before) {
  return has_been_set && pause() == -1 && errno == EINTR && caught_signals == before + 1 &&
         number == SIGALRM;
}

static bool wait_alarm(int64_t milliseconds) {
  catch_signal(SIGALRM);
  int before = caught_signals;
  return pause_until(SIGALRM, alarm((unsigned)(milliseconds / 1000)) == 0, before);
}

static bool wait_ualarm(int64_t milliseconds) {
  catch_signal(SIGALRM);
  int before = caught_signals;
  return pause_until(SIGALRM, ualarm((useconds_t)(milliseconds * microseconds), 0) == 0, before);
}

static bool wait_setitimer(int64_t milliseconds) {
  catch_signal(SIGALRM);
  int before = caught_signals;
  struct itimerval setting = {
      .it_value = {
          .tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * microseconds}};
  return pause_until(SIGALRM, setitimer(ITIMER_REAL, &setting, NULL) == 0, before);
}

const struct wait_row timer_rows[] = {
    {"timerfd-read", wait_timerfd_read},
    {"timerfd-poll", wait_timerfd_poll},
    {"timerfd-epoll", wait_timerfd_epoll},
    {"timerfd-periods", wait_timerfd_periods},
    {"timer_create-SIGEV_SIGNAL", wait_timer_signal},
    {"timer_create-SIGEV_THREAD_ID", wait_timer_thread_id},
    {"timer_create-SIGEV_THREAD", wait_timer_thread},
    {"timer_create-handler", wait_timer_handler},
    {"alarm", wait_alarm},
    {"ualarm", wait_ualarm},
    {"setitimer", wait_setitimer},
    {NULL, NULL},
};
