// How the options read, and twenty threads.

#include "probe.h"

static void tell_timeout(const char *name, int descriptor, int option, socklen_t length) {
  struct timeval timeout = {.tv_sec = 77, .tv_usec = 77};
  socklen_t size = length;
  int result = getsockopt(descriptor, SOL_SOCKET, option, &timeout, &size);
  printf(
      "%s option=%d result=%d length=%u seconds=%lld microseconds=%lld\n", name, option, result,
      size, (long long)timeout.tv_sec, (long long)timeout.tv_usec);
}

void case_options(const char *name) {
  int descriptor = pair(SOCK_STREAM).near;
  tell_timeout(name, descriptor, SO_RCVTIMEO, 16);
  set_timeout(descriptor, SO_RCVTIMEO, 3, 140000);
  set_timeout(descriptor, 67, 2000000000, 0);
  tell_timeout(name, descriptor, SO_RCVTIMEO, 16);
  tell_timeout(name, descriptor, 66, 100);
  tell_timeout(name, descriptor, SO_SNDTIMEO, 8);
  struct timeval wrong = {.tv_sec = 1, .tv_usec = 1000000};
  begin();
  tell(name, setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wrong, sizeof wrong));
  tell(name, setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wrong, 8));
  tell(name, setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, NULL, 16));
  tell(name, setsockopt(0, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){.tv_sec = 1}, 16));
  tell_timeout(name, descriptor, SO_RCVTIMEO, 16);
  set_timeout(descriptor, SO_RCVTIMEO, 0, 0);
  tell_timeout(name, descriptor, SO_RCVTIMEO, 16);
}

static struct ends roads[20];
static int64_t finished_ns[20];

static void *receive_in_thread(void *argument) {
  int index = *(int *)argument;
  char byte;
  long result = recv(roads[index].near, &byte, 1, 0);
  finished_ns[index] = result < 0 && errno == EAGAIN ? now_ns() - started_ns : -1;
  return NULL;
}

// Twenty threads, each with a timeout of its own, shuffled.
void case_threads(const char *name) {
  pthread_t threads[20];
  static int numbers[20];
  for (int index = 0; index < 20; index += 1) {
    roads[index] = pair(SOCK_STREAM);
    set_timeout(roads[index].near, SO_RCVTIMEO, index * 7 % 20 + 1, index);
  }
  begin();
  for (int index = 0; index < 20; index += 1) {
    numbers[index] = index;
    require(
        pthread_create(&threads[index], NULL, receive_in_thread, &numbers[index]) == 0,
        "pthread_create");
  }
  int wrong = 0;
  for (int index = 0; index < 20; index += 1) {
    pthread_join(threads[index], NULL);
    wrong += finished_ns[index] != (index * 7 % 20 + 1) * INT64_C(1000000000) + index * 1000;
  }
  tell(name, wrong);
}
