// Waiting for descriptors.

#define _GNU_SOURCE
#include "probe.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <unistd.h>

static bool wait_poll(int64_t milliseconds) {
  struct pollfd entry = {.fd = quiet_descriptor(), .events = POLLIN};
  return poll(&entry, 1, (int)milliseconds) == 0;
}

static bool wait_ppoll(int64_t milliseconds) {
  struct pollfd entry = {.fd = quiet_descriptor(), .events = POLLIN};
  struct timespec timeout = length(milliseconds);
  sigset_t none;
  sigemptyset(&none);
  return ppoll(&entry, 1, &timeout, &none) == 0;
}

static bool wait_select(int64_t milliseconds) {
  fd_set readable;
  FD_ZERO(&readable);
  FD_SET(quiet_descriptor(), &readable);
  struct timeval timeout = {
      .tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
  return select(quiet_descriptor() + 1, &readable, NULL, NULL, &timeout) == 0;
}

static bool wait_pselect(int64_t milliseconds) {
  fd_set readable;
  FD_ZERO(&readable);
  FD_SET(quiet_descriptor(), &readable);
  struct timespec timeout = length(milliseconds);
  return pselect(quiet_descriptor() + 1, &readable, NULL, NULL, &timeout, NULL) == 0;
}

static int quiet_epoll(void) {
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(epoll, EPOLL_CTL_ADD, quiet_descriptor(), &event);
  return epoll;
}

static bool wait_epoll_wait(int64_t milliseconds) {
  struct epoll_event event;
  return epoll_wait(quiet_epoll(), &event, 1, (int)milliseconds) == 0;
}

static bool wait_epoll_pwait(int64_t milliseconds) {
  struct epoll_event event;
  sigset_t none;
  sigemptyset(&none);
  return epoll_pwait(quiet_epoll(), &event, 1, (int)milliseconds, &none) == 0;
}

#ifdef __GLIBC__

static bool wait_epoll_pwait2(int64_t milliseconds) {
  struct epoll_event event;
  struct timespec timeout = length(milliseconds);
  return epoll_pwait2(quiet_epoll(), &event, 1, &timeout, NULL) == 0;
}

#endif

const struct wait_row descriptor_rows[] = {
    {"poll", wait_poll},
    {"ppoll", wait_ppoll},
    {"select", wait_select},
    {"pselect", wait_pselect},
    {"epoll_wait", wait_epoll_wait},
    {"epoll_pwait", wait_epoll_pwait},
#ifdef __GLIBC__
    {"epoll_pwait2", wait_epoll_pwait2},
#endif
    {NULL, NULL},
};
