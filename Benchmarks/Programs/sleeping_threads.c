// sleeping_threads KIND COUNT: COUNT threads sleep, the first for a second, each next one for one more.
//
// KIND: sleep, semaphore, condition; or poll, select, epoll, for a pipe that stays silent.

#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static const char *kind;
static int ends[2];
static sem_t semaphore;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *rest(void *argument) {
  long seconds = (long)argument;
  struct timespec due;
  clock_gettime(CLOCK_REALTIME, &due);
  due.tv_sec += seconds;
  if (strcmp(kind, "semaphore") == 0) {
    sem_timedwait(&semaphore, &due);
  } else if (strcmp(kind, "condition") == 0) {
    pthread_mutex_lock(&mutex);
    while (pthread_cond_timedwait(&condition, &mutex, &due) == 0) {
    }
    pthread_mutex_unlock(&mutex);
  } else if (strcmp(kind, "poll") == 0) {
    struct pollfd item = {.fd = ends[0], .events = POLLIN};
    poll(&item, 1, (int)seconds * 1000);
  } else if (strcmp(kind, "select") == 0) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    struct timeval length = {.tv_sec = seconds};
    select(ends[0] + 1, &set, NULL, NULL, &length);
  } else if (strcmp(kind, "epoll") == 0) {
    int events = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(events, EPOLL_CTL_ADD, ends[0], &event);
    epoll_wait(events, &event, 1, (int)seconds * 1000);
    close(events);
  } else {
    sleep((unsigned)seconds);
  }
  return NULL;
}

int main(int words, char **word) {
  if (words < 3) return 2;
  kind = word[1];
  long count = atol(word[2]);
  if (pipe(ends) != 0) return 1;
  sem_init(&semaphore, 0, 0);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 65536);
  pthread_t *threads = calloc((size_t)count, sizeof *threads);
  for (long index = 0; index < count; index++) {
    if (pthread_create(&threads[index], &attributes, rest, (void *)(index + 1)) != 0) return 1;
  }
  for (long index = 0; index < count; index++) pthread_join(threads[index], NULL);
  return 0;
}
