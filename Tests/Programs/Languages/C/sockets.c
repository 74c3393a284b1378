// Timeouts that belong to a socket, and recvmmsg.

#define _GNU_SOURCE
#include "probe.h"

#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static void set_timeout(int socket, int option, int64_t milliseconds) {
  struct timeval timeout = {
      .tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
  if (setsockopt(socket, SOL_SOCKET, option, &timeout, sizeof timeout) != 0) abort();
}

// One end of a pair whose other end says nothing and reads nothing.
static int quiet_socket(int type) {
  int ends[2];
  if (socketpair(AF_UNIX, type, 0, ends) != 0) abort();
  return ends[0];
}

static bool has_run_out(ssize_t result) {
  return result == -1 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

static bool wait_recv(int64_t milliseconds) {
  char byte;
  int end = quiet_socket(SOCK_STREAM);
  set_timeout(end, SO_RCVTIMEO, milliseconds);
  return has_run_out(recv(end, &byte, 1, 0));
}

static bool wait_read(int64_t milliseconds) {
  char byte;
  int end = quiet_socket(SOCK_STREAM);
  set_timeout(end, SO_RCVTIMEO, milliseconds);
  return has_run_out(read(end, &byte, 1));
}

static bool wait_recvmsg(int64_t milliseconds) {
  char byte;
  struct iovec part = {.iov_base = &byte, .iov_len = 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  int end = quiet_socket(SOCK_DGRAM);
  set_timeout(end, SO_RCVTIMEO, milliseconds);
  return has_run_out(recvmsg(end, &message, 0));
}

static bool wait_send(int64_t milliseconds) {
  static char bytes[65536];
  int end = quiet_socket(SOCK_STREAM);
  while (send(end, bytes, sizeof bytes, MSG_DONTWAIT) > 0) continue;
  set_timeout(end, SO_SNDTIMEO, milliseconds);
  return has_run_out(send(end, bytes, sizeof bytes, 0));
}

static bool wait_accept(int64_t milliseconds) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0) return false;
  if (listen(listener, 1) != 0) return false;
  set_timeout(listener, SO_RCVTIMEO, milliseconds);
  return has_run_out(accept(listener, NULL, NULL));
}

// A listener of this family whose queue is full lets the next caller wait.
static bool wait_connect(int64_t milliseconds) {
  struct sockaddr_un_any {
    sa_family_t family;
    char path[108];
  } address = {.family = AF_UNIX};
  // The kernel chooses an abstract name.
  socklen_t size = sizeof address.family;
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 0) != 0) return false;
  size = sizeof address;
  if (getsockname(listener, (struct sockaddr *)&address, &size) != 0) return false;
  int first = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(first, (struct sockaddr *)&address, size) != 0) return false;
  int second = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  set_timeout(second, SO_SNDTIMEO, milliseconds);
  return has_run_out(connect(second, (struct sockaddr *)&address, size));
}

struct sending {
  int end;
  int64_t pause;
};

static void *send_twice(void *argument) {
  const struct sending *sending = argument;
  struct timespec pauses[2] = {length(sending->pause / 2), length(sending->pause)};
  for (int index = 0; index < 2; index += 1) {
    nanosleep(&pauses[index], NULL);
    send(sending->end, "x", 1, 0);
  }
  return NULL;
}

// recvmmsg looks at its timeout only when a datagram has come (man 2 recvmmsg, BUGS): one comes after
// half of the time and one when half as much again has passed, and this one ends the call.
static bool wait_recvmmsg(int64_t milliseconds) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0) return false;
  struct sending sending = {.end = ends[1], .pause = milliseconds};
  pthread_t thread;
  if (pthread_create(&thread, NULL, send_twice, &sending) != 0) return false;
  char bytes[3];
  struct iovec parts[3];
  struct mmsghdr messages[3];
  memset(messages, 0, sizeof messages);
  for (int index = 0; index < 3; index += 1) {
    parts[index] = (struct iovec){.iov_base = &bytes[index], .iov_len = 1};
    messages[index].msg_hdr.msg_iov = &parts[index];
    messages[index].msg_hdr.msg_iovlen = 1;
  }
  struct timespec timeout = length(milliseconds);
  int count = recvmmsg(ends[0], messages, 3, 0, &timeout);
  pthread_join(thread, NULL);
  return count == 2;
}

const struct wait_row socket_rows[] = {
    {"recv-SO_RCVTIMEO", wait_recv},
    {"read-SO_RCVTIMEO", wait_read},
    {"recvmsg-SO_RCVTIMEO", wait_recvmsg},
    {"accept-SO_RCVTIMEO", wait_accept},
    {"send-SO_SNDTIMEO", wait_send},
    {"connect-SO_SNDTIMEO", wait_connect},
    {"recvmmsg", wait_recvmmsg},
    {NULL, NULL},
};
