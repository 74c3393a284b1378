// recvmmsg(2), which has a timeout of its own.

#include "probe.h"

static struct sockaddr_in receiver;

// Sends a datagram after each of the numbers of seconds that are digits of `plan`, from the right.
static void send_datagrams(int plan) {
  int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
  for (; plan > 0; plan /= 10) {
    sleep_ms(plan % 10 * 1000);
    require(
        sendto(descriptor, "hello", 5, 0, (struct sockaddr *)&receiver, sizeof receiver) == 5,
        "sendto");
  }
}

static void receive_many(
    const char *name, int plan, unsigned length, int flags, struct timespec *timeout,
    int64_t socket_timeout) {
  int descriptor = datagram_socket(&receiver);
  if (socket_timeout > 0) set_timeout(descriptor, SO_RCVTIMEO, socket_timeout, 0);
  static struct mmsghdr messages[8];
  static char texts[8][16];
  static struct iovec parts[8];
  for (int index = 0; index < 8; index += 1) {
    parts[index] = (struct iovec){.iov_base = texts[index], .iov_len = sizeof texts[index]};
    messages[index] = (struct mmsghdr){.msg_hdr = {.msg_iov = &parts[index], .msg_iovlen = 1}};
  }
  begin();
  pid_t child = beside(send_datagrams, plan);
  long result = recvmmsg(descriptor, messages, length, flags, timeout);
  tell(name, result);
  int sum = 0;
  for (int index = 0; index < 8; index += 1) sum += (int)messages[index].msg_len;
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size);
  printf("%s bytes=%d socket_error=%d", name, sum, error);
  if (timeout) {
    printf(" remaining_ns=%" PRId64, (int64_t)timeout->tv_sec * 1000000000 + timeout->tv_nsec);
  }
  printf("\n");
  join(child);
}

// The kernel looks at the time only after a datagram (recvmmsg(2), BUGS): five seconds become nine.
void case_recvmmsg_late(const char *name) {
  struct timespec timeout = {.tv_sec = 5};
  receive_many(name, 9, 4, 0, &timeout, 0);
}

// Two datagrams within the time, after 1 s and 3 s, the third at 9 s, a fourth nobody waits for.
void case_recvmmsg_some(const char *name) {
  struct timespec timeout = {.tv_sec = 5};
  receive_many(name, 1621, 8, 0, &timeout, 0);
}

// All that were wanted, after 1 s and 3 s: two seconds are left.
void case_recvmmsg_all(const char *name) {
  struct timespec timeout = {.tv_sec = 5};
  receive_many(name, 21, 2, 0, &timeout, 0);
}

void case_recvmmsg_one(const char *name) {
  struct timespec timeout = {.tv_sec = 5, .tv_nsec = 1};
  receive_many(name, 21, 4, MSG_WAITFORONE, &timeout, 0);
}

void case_recvmmsg_socket(const char *name) {
  receive_many(name, 9, 4, 0, NULL, 3);
}

void case_recvmmsg_socket_some(const char *name) {
  receive_many(name, 91, 4, 0, NULL, 3);
}

void case_recvmmsg_both(const char *name) {
  struct timespec timeout = {.tv_sec = 5};
  receive_many(name, 9, 4, 0, &timeout, 3);
}

void case_recvmmsg_socket_later(const char *name) {
  struct timespec timeout = {.tv_sec = 5};
  receive_many(name, 9, 4, 0, &timeout, 7);
}

void case_recvmmsg_wrong(const char *name) {
  struct timespec timeout = {.tv_sec = 5, .tv_nsec = 1000000000};
  receive_many(name, 1, 4, 0, &timeout, 0);
}
