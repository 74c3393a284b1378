// COUNT timers that expire at instants of their own, one second apart; each is waited for.
//
//   many_timers COUNT
//
// At most a thousand descriptors are open at a time: each is set again when it has expired.
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

int main(int count, char **arguments) {
  long timers = count > 1 ? atol(arguments[1]) : 100000;
  long width = timers < 1000 ? timers : 1000;
  int epoll = epoll_create1(0);
  for (long index = 0; index < width; index++) {
    int descriptor = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec first = {.it_value.tv_sec = index + 1};
    timerfd_settime(descriptor, 0, &first, NULL);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) != 0) {
      perror("epoll_ctl");
      return 1;
    }
  }
  for (long expired = 0; expired < timers; expired++) {
    struct epoll_event event;
    uint64_t expirations;
    if (epoll_wait(epoll, &event, 1, -1) != 1 ||
        read(event.data.fd, &expirations, sizeof expirations) != sizeof expirations) {
      perror("read");
      return 1;
    }
    if (expired + width < timers) {
      struct itimerspec next = {.it_value.tv_sec = width};
      timerfd_settime(event.data.fd, 0, &next, NULL);
    }
  }
  return 0;
}
