// polls KIND COUNT: waits a tenth of a second COUNT times, and prints how many milliseconds that has taken.
//
//   sleep      by nanosleep(2)
//   poll       by poll(2), for a pipe that stays silent
//   epoll      by epoll_wait(2), the same
//   condition  by pthread_cond_timedwait(3), on the monotonic clock
//   reading    by poll(2), and reads a file behind each
//   writing    by poll(2), and writes a byte to a pipe behind each
//   woken      by poll(2), in which it finds data each second time
//   beside     by poll(2), beside a thread that sleeps for 700 ms again and again and writes a byte behind each; prints by
//              how many milliseconds that was late in all instead

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

static int silent[2], heard[2];
static const struct timespec tenth = {.tv_nsec = 100000000};

static long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void wait_for_condition(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t condition;
  static int is_made;
  if (!is_made) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&condition, &attributes);
    is_made = 1;
  }
  struct timespec due;
  clock_gettime(CLOCK_MONOTONIC, &due);
  due.tv_nsec += tenth.tv_nsec;
  if (due.tv_nsec >= 1000000000) {
    due.tv_nsec -= 1000000000;
    due.tv_sec++;
  }
  pthread_mutex_lock(&mutex);
  pthread_cond_timedwait(&condition, &mutex, &due);
  pthread_mutex_unlock(&mutex);
}

static atomic_long lateness;
static atomic_int is_over;

static void *work(void *unused) {
  (void)unused;
  struct timespec length = {.tv_nsec = 700000000};
  while (!atomic_load(&is_over)) {
    long start = milliseconds();
    nanosleep(&length, NULL);
    atomic_fetch_add(&lateness, milliseconds() - start - 700);
    char byte;
    if (write(heard[1], "x", 1) != 1 || read(heard[0], &byte, 1) != 1) abort();
  }
  return NULL;
}

int main(int words, char **arguments) {
  const char *kind = words > 1 ? arguments[1] : "";
  int count = words > 2 ? atoi(arguments[2]) : 0;
  int set = epoll_create1(0);
  char byte;
  struct epoll_event event = {.events = EPOLLIN};
  pthread_t worker;
  if (pipe(silent) != 0 || pipe(heard) != 0 || epoll_ctl(set, EPOLL_CTL_ADD, silent[0], &event) != 0) {
    return 1;
  }
  if (strcmp(kind, "beside") == 0) pthread_create(&worker, NULL, work, NULL);
  long start = milliseconds();
  for (int index = 0; index < count; index++) {
    struct pollfd wanted = {.fd = silent[0], .events = POLLIN};
    if (strcmp(kind, "sleep") == 0) {
      nanosleep(&tenth, NULL);
    } else if (strcmp(kind, "epoll") == 0) {
      if (epoll_wait(set, &event, 1, 100) != 0) return 1;
    } else if (strcmp(kind, "condition") == 0) {
      wait_for_condition();
    } else {
      if (strcmp(kind, "woken") == 0 && index % 2 == 0 && write(silent[1], "x", 1) != 1) return 1;
      if (poll(&wanted, 1, 100) == 1 && read(silent[0], &byte, 1) != 1) return 1;
    }
    if (strcmp(kind, "reading") == 0) {
      int file = open("/proc/uptime", O_RDONLY);
      if (file < 0 || read(file, &byte, 1) != 1 || close(file) != 0) return 1;
    }
    if (strcmp(kind, "writing") == 0 && (write(heard[1], "x", 1) != 1 || read(heard[0], &byte, 1) != 1)) {
      return 1;
    }
  }
  long length = milliseconds() - start;
  if (strcmp(kind, "beside") == 0) {
    atomic_store(&is_over, 1);
    pthread_join(worker, NULL);
    length = lateness;
  }
  printf("%ld\n", length);
  return 0;
}
