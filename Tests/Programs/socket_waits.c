// socket_waits waits for sockets with timeouts (SO_RCVTIMEO, SO_SNDTIMEO), and with recvmmsg(2).
//
//   socket_waits CASE...      or all
//
// One line for each call that is of interest:
//
//   CASE result=R error=NAME elapsed_ms=N [rest]
//
// `elapsed_ms` is what CLOCK_MONOTONIC says, with all its digits.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int64_t millisecond_ns = 1000000;

static void require(bool is_fine, const char *what) {
  if (is_fine) return;
  perror(what);
  exit(3);
}

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void sleep_ms(int count) {
  struct timespec length = {.tv_sec = count / 1000, .tv_nsec = count % 1000 * millisecond_ns};
  while (nanosleep(&length, &length) != 0 && errno == EINTR) continue;
}

static int64_t started_ns;

static void begin(void) { started_ns = now_ns(); }

static const char *error_name(int error) {
  const char *name = error == 0 ? "none" : strerrorname_np(error);
  return name ? name : "unknown";
}

static void tell(const char *name, long result) {
  int error = result < 0 ? errno : 0;
  int64_t elapsed = now_ns() - started_ns;
  printf(
      "%s result=%ld error=%s elapsed_ms=%" PRId64, name, result, error_name(error),
      elapsed / millisecond_ns);
  if (elapsed % millisecond_ns != 0) printf(".%06" PRId64, elapsed % millisecond_ns);
  printf("\n");
  fflush(stdout);
}

static void set_timeout(int descriptor, int option, int64_t seconds, int64_t microseconds) {
  struct timeval timeout = {.tv_sec = seconds, .tv_usec = microseconds};
  require(
      setsockopt(descriptor, SOL_SOCKET, option, &timeout, sizeof timeout) == 0, "setsockopt");
}

struct ends {
  int near;
  int far;
};

static struct ends pair(int type) {
  int ends[2];
  require(socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) == 0, "socketpair");
  return (struct ends){.near = ends[0], .far = ends[1]};
}

static struct sockaddr_in loopback(void) {
  return (struct sockaddr_in){
      .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int listener(int backlog, struct sockaddr_in *address) {
  int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  *address = loopback();
  socklen_t length = sizeof *address;
  require(
      descriptor >= 0 && bind(descriptor, (struct sockaddr *)address, length) == 0
          && listen(descriptor, backlog) == 0
          && getsockname(descriptor, (struct sockaddr *)address, &length) == 0,
      "listen");
  return descriptor;
}

static int connect_to(struct sockaddr_in address, bool waits) {
  int descriptor = socket(AF_INET, SOCK_STREAM | (waits ? 0 : SOCK_NONBLOCK), 0);
  require(descriptor >= 0, "socket");
  int result = connect(descriptor, (struct sockaddr *)&address, sizeof address);
  require(result == 0 || (!waits && errno == EINPROGRESS), "connect");
  return descriptor;
}

static struct ends tcp_pair(void) {
  struct sockaddr_in address;
  int server = listener(1, &address);
  struct ends ends = {.near = connect_to(address, true)};
  ends.far = accept(server, NULL, NULL);
  require(ends.far >= 0, "accept");
  close(server);
  return ends;
}

static int datagram_socket(struct sockaddr_in *address) {
  int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
  *address = loopback();
  socklen_t length = sizeof *address;
  require(
      descriptor >= 0 && bind(descriptor, (struct sockaddr *)address, length) == 0
          && getsockname(descriptor, (struct sockaddr *)address, &length) == 0,
      "bind");
  return descriptor;
}

// Writes until there is no room.
static void fill(int descriptor) {
  static char block[4096];
  int flags = fcntl(descriptor, F_GETFL);
  fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
  while (write(descriptor, block, sizeof block) > 0 || write(descriptor, block, 1) > 0) continue;
  require(errno == EAGAIN, "fill");
  fcntl(descriptor, F_SETFL, flags);
}

// Runs `body` in a child.
static pid_t beside(void (*body)(int), int argument) {
  fflush(stdout);
  pid_t child = fork();
  require(child >= 0, "fork");
  if (child > 0) return child;
  body(argument);
  fflush(stdout);
  _exit(0);
}

static void join(pid_t child) {
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
}

// MARK: receiving

static char buffer[1 << 16];

static void case_recv(const char *name) {
  int descriptor = pair(SOCK_STREAM).near;
  set_timeout(descriptor, SO_RCVTIMEO, 3, 141593);
  begin();
  tell(name, recv(descriptor, buffer, 10, 0));
}

static void case_recv_again(const char *name) {
  int descriptor = pair(SOCK_STREAM).near;
  set_timeout(descriptor, SO_RCVTIMEO, 2, 0);
  for (int count = 0; count < 3; count += 1) {
    begin();
    tell(name, recv(descriptor, buffer, 10, 0));
  }
}

static void case_read(const char *name) {
  int descriptor = tcp_pair().near;
  set_timeout(descriptor, SO_RCVTIMEO, 3, 0);
  begin();
  tell(name, read(descriptor, buffer, 10));
}

static void case_readv(const char *name) {
  int descriptor = tcp_pair().near;
  set_timeout(descriptor, SO_RCVTIMEO, 0, 1);
  struct iovec part = {.iov_base = buffer, .iov_len = 10};
  begin();
  tell(name, readv(descriptor, &part, 1));
}

static void case_recvfrom(const char *name) {
  struct sockaddr_in address;
  int descriptor = datagram_socket(&address);
  set_timeout(descriptor, SO_RCVTIMEO, 3, 0);
  begin();
  tell(name, recvfrom(descriptor, buffer, 10, 0, NULL, NULL));
}

static void case_recvmsg(const char *name) {
  int descriptor = pair(SOCK_SEQPACKET).near;
  set_timeout(descriptor, SO_RCVTIMEO, 3, 0);
  struct iovec part = {.iov_base = buffer, .iov_len = 10};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  begin();
  tell(name, recvmsg(descriptor, &message, 0));
}

static void case_accept(const char *name) {
  struct sockaddr_in address;
  int server = listener(1, &address);
  set_timeout(server, SO_RCVTIMEO, 3, 0);
  begin();
  tell(name, accept(server, NULL, NULL));
}

static void case_accept4(const char *name) {
  struct sockaddr_in address;
  int server = listener(1, &address);
  set_timeout(server, SO_RCVTIMEO, 3, 0);
  begin();
  tell(name, accept4(server, NULL, NULL, SOCK_CLOEXEC));
}

static void case_splice_in(const char *name) {
  int descriptor = tcp_pair().near;
  int ends[2];
  require(pipe(ends) == 0, "pipe");
  set_timeout(descriptor, SO_RCVTIMEO, 3, 0);
  begin();
  tell(name, splice(descriptor, NULL, ends[1], NULL, 10, 0));
}

// An accepted socket inherits the timeout of the one that listens.
static void case_inherit(const char *name) {
  struct sockaddr_in address;
  int server = listener(1, &address);
  set_timeout(server, SO_RCVTIMEO, 3, 0);
  int client = connect_to(address, true);
  int accepted = accept(server, NULL, NULL);
  begin();
  tell(name, recv(accepted, buffer, 10, 0));
  close(client);
}

static void case_dup(const char *name) {
  int descriptor = pair(SOCK_STREAM).near;
  set_timeout(descriptor, SO_RCVTIMEO, 3, 0);
  int copy = dup(descriptor);
  close(descriptor);
  begin();
  tell(name, read(copy, buffer, 10));
}

static void receive_in_child(int descriptor) {
  tell("fork", recv(descriptor, buffer, 10, 0));
}

static void case_fork(const char *name) {
  (void)name;
  int descriptor = pair(SOCK_STREAM).near;
  set_timeout(descriptor, SO_RCVTIMEO, 3, 0);
  begin();
  join(beside(receive_in_child, descriptor));
}

static void case_exec(const char *name) {
  struct ends ends = pair(SOCK_STREAM);
  set_timeout(ends.near, SO_RCVTIMEO, 3, 0);
  fcntl(ends.near, F_SETFD, 0);
  fcntl(ends.far, F_SETFD, 0);
  char text[16];
  snprintf(text, sizeof text, "%d", ends.near);
  fflush(stdout);
  execl("/proc/self/exe", "socket_waits", "continue", name, text, NULL);
  require(false, "execl");
}

static void send_descriptor(int over, int descriptor) {
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control = {
      .header = {
          .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
  memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
  struct iovec part = {.iov_base = "x", .iov_len = 1};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
      .msg_controllen = sizeof control};
  require(sendmsg(over, &message, 0) == 1, "sendmsg");
}

static int receive_descriptor(int over) {
  char control[CMSG_SPACE(sizeof(int))];
  struct iovec part = {.iov_base = buffer, .iov_len = 1};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control,
      .msg_controllen = sizeof control};
  require(recvmsg(over, &message, 0) == 1, "recvmsg");
  int descriptor;
  memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptor);
  return descriptor;
}

static void receive_passed(int over) {
  int descriptor = receive_descriptor(over);
  begin();
  tell("passed", recv(descriptor, buffer, 10, 0));
}

static void case_passed(const char *name) {
  (void)name;
  struct ends road = pair(SOCK_STREAM);
  pid_t child = beside(receive_passed, road.far);
  struct ends ends = pair(SOCK_STREAM);
  set_timeout(ends.near, SO_RCVTIMEO, 3, 0);
  send_descriptor(road.near, ends.near);
  join(child);
}

static void sleep_an_hour(int unused) {
  (void)unused;
  sleep_ms(3600 * 1000);
}

static void case_jump(const char *name) {
  int descriptor = pair(SOCK_STREAM).near;
  set_timeout(descriptor, SO_RCVTIMEO, 3, 0);
  begin();
  pid_t child = beside(sleep_an_hour, 0);
  tell(name, recv(descriptor, buffer, 10, 0));
  kill(child, SIGKILL);
  join(child);
}

static void end_now(int unused) { (void)unused; }

// Children that end, each with a SIGCHLD that is ignored, disturb nobody.
static void start_children(int unused) {
  (void)unused;
  pid_t parent = getppid();
  for (int count = 0; count < 5; count += 1) {
    sleep_ms(500);
    kill(parent, SIGCHLD);
    kill(parent, SIGURG);
    join(beside(end_now, 0));
  }
}

static void case_children(const char *name) {
  int descriptor = tcp_pair().near;
  set_timeout(descriptor, SO_RCVTIMEO, 3, 0);
  begin();
  pid_t child = beside(start_children, 0);
  tell(name, recv(descriptor, buffer, 10, 0));
  join(child);
}

static void send_after_second(int descriptor) {
  sleep_ms(1000);
  require(send(descriptor, "hello", 5, 0) == 5, "send");
}

static void case_data(const char *name) {
  struct ends ends = pair(SOCK_STREAM);
  set_timeout(ends.near, SO_RCVTIMEO, 3, 0);
  begin();
  pid_t child = beside(send_after_second, ends.far);
  tell(name, recv(ends.near, buffer, 10, 0));
  join(child);
  begin();
  tell(name, recv(ends.near, buffer, 10, 0));
}

// Half of the bytes are there, the others never come.
static void case_all(const char *name) {
  struct ends ends = tcp_pair();
  set_timeout(ends.near, SO_RCVTIMEO, 3, 0);
  require(send(ends.far, "hello", 5, 0) == 5, "send");
  begin();
  tell(name, recv(ends.near, buffer, 10, MSG_WAITALL));
}

static void case_pending_error(const char *name) {
  struct ends ends = tcp_pair();
  set_timeout(ends.near, SO_RCVTIMEO, 3, 0);
  close(ends.far);
  begin();
  tell(name, recv(ends.near, buffer, 10, 0));
}

static void case_no_wait(const char *name) {
  int descriptor = pair(SOCK_STREAM).near;
  set_timeout(descriptor, SO_RCVTIMEO, 3, 0);
  begin();
  tell(name, recv(descriptor, buffer, 10, MSG_DONTWAIT));
}

// A timeout below zero has always passed; one of zero is none.
static void case_negative(const char *name) {
  int descriptor = pair(SOCK_STREAM).near;
  set_timeout(descriptor, SO_RCVTIMEO, -1, 0);
  begin();
  tell(name, recv(descriptor, buffer, 10, 0));
}

static void send_after_hour(int descriptor) {
  sleep_ms(3600 * 1000);
  require(send(descriptor, "hello", 5, 0) == 5, "send");
}

static void case_zero(const char *name) {
  struct ends ends = pair(SOCK_STREAM);
  set_timeout(ends.near, SO_RCVTIMEO, 3, 0);
  set_timeout(ends.near, SO_RCVTIMEO, 0, 0);
  begin();
  pid_t child = beside(send_after_hour, ends.far);
  tell(name, recv(ends.near, buffer, 10, 0));
  join(child);
}

// MARK: sending

static void case_send(const char *name) {
  int descriptor = pair(SOCK_STREAM).near;
  fill(descriptor);
  set_timeout(descriptor, SO_SNDTIMEO, 3, 0);
  begin();
  tell(name, send(descriptor, buffer, 10, 0));
}

static void case_write(const char *name) {
  int descriptor = pair(SOCK_STREAM).near;
  fill(descriptor);
  set_timeout(descriptor, SO_SNDTIMEO, 3, 0);
  begin();
  tell(name, write(descriptor, buffer, sizeof buffer));
}

static void case_writev(const char *name) {
  int descriptor = pair(SOCK_DGRAM).near;
  fill(descriptor);
  set_timeout(descriptor, SO_SNDTIMEO, 3, 0);
  struct iovec part = {.iov_base = buffer, .iov_len = 10};
  begin();
  tell(name, writev(descriptor, &part, 1));
}

static void case_sendmsg(const char *name) {
  int descriptor = pair(SOCK_SEQPACKET).near;
  fill(descriptor);
  set_timeout(descriptor, SO_SNDTIMEO, 3, 0);
  struct iovec part = {.iov_base = buffer, .iov_len = 10};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  begin();
  tell(name, sendmsg(descriptor, &message, 0));
}

// More than fits: part of it goes, then the time is up.
static void case_send_part(const char *name) {
  int descriptor = pair(SOCK_STREAM).near;
  set_timeout(descriptor, SO_SNDTIMEO, 3, 0);
  size_t length = 16 << 20;
  char *bytes = calloc(1, length);
  begin();
  long result = send(descriptor, bytes, length, 0);
  tell(name, result > 0 && (size_t)result < length ? 1 : result);
  free(bytes);
}

static void case_sendfile(const char *name) {
  int descriptor = pair(SOCK_STREAM).near;
  fill(descriptor);
  set_timeout(descriptor, SO_SNDTIMEO, 3, 0);
  int file = memfd_create("file", 0);
  require(file >= 0 && write(file, buffer, sizeof buffer) > 0 && lseek(file, 0, SEEK_SET) == 0,
          "memfd_create");
  begin();
  tell(name, sendfile(descriptor, file, NULL, sizeof buffer));
}

static void case_splice_out(const char *name) {
  int descriptor = pair(SOCK_STREAM).near;
  int ends[2];
  require(pipe(ends) == 0 && write(ends[1], buffer, 4096) == 4096, "pipe");
  fill(descriptor);
  set_timeout(descriptor, SO_SNDTIMEO, 3, 0);
  begin();
  tell(name, splice(ends[0], NULL, descriptor, NULL, 4096, 0));
}

static void write_after_hour(int descriptor) {
  sleep_ms(3600 * 1000);
  require(write(descriptor, "hello", 5) == 5, "write");
}

// A splice that waits for its pipe does not mind the socket's timeout.
static void case_splice_pipe(const char *name) {
  int descriptor = tcp_pair().near;
  int ends[2];
  require(pipe(ends) == 0, "pipe");
  set_timeout(descriptor, SO_SNDTIMEO, 3, 0);
  begin();
  pid_t child = beside(write_after_hour, ends[1]);
  tell(name, splice(ends[0], NULL, descriptor, NULL, 5, 0));
  join(child);
}

// MARK: connecting

static void case_connect(const char *name) {
  struct sockaddr_in address;
  listener(0, &address);
  // The queue of a listener that nobody accepts from: further requests are dropped without a word.
  for (int count = 0; count < 4; count += 1) connect_to(address, false);
  int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  set_timeout(descriptor, SO_SNDTIMEO, 3, 0);
  for (int count = 0; count < 2; count += 1) {
    begin();
    tell(name, connect(descriptor, (struct sockaddr *)&address, sizeof address));
  }
}

static void case_connect_local(const char *name) {
  int server = socket(AF_UNIX, SOCK_STREAM, 0);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  socklen_t length = sizeof(sa_family_t);
  // unix(7), autobind: an abstract name that nobody else has.
  require(
      bind(server, (struct sockaddr *)&address, length) == 0 && listen(server, 0) == 0, "bind");
  length = sizeof address;
  require(getsockname(server, (struct sockaddr *)&address, &length) == 0, "getsockname");
  int first = socket(AF_UNIX, SOCK_STREAM, 0);
  require(connect(first, (struct sockaddr *)&address, length) == 0, "connect");
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  set_timeout(descriptor, SO_SNDTIMEO, 3, 0);
  begin();
  tell(name, connect(descriptor, (struct sockaddr *)&address, length));
}

// MARK: recvmmsg

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
static void case_recvmmsg_late(const char *name) {
  struct timespec timeout = {.tv_sec = 5};
  receive_many(name, 9, 4, 0, &timeout, 0);
}

// Two datagrams within the time, after 1 s and 3 s, the third at 9 s, a fourth nobody waits for.
static void case_recvmmsg_some(const char *name) {
  struct timespec timeout = {.tv_sec = 5};
  receive_many(name, 1621, 8, 0, &timeout, 0);
}

// All that were wanted, after 1 s and 3 s: two seconds are left.
static void case_recvmmsg_all(const char *name) {
  struct timespec timeout = {.tv_sec = 5};
  receive_many(name, 21, 2, 0, &timeout, 0);
}

static void case_recvmmsg_one(const char *name) {
  struct timespec timeout = {.tv_sec = 5, .tv_nsec = 1};
  receive_many(name, 21, 4, MSG_WAITFORONE, &timeout, 0);
}

static void case_recvmmsg_socket(const char *name) {
  receive_many(name, 9, 4, 0, NULL, 3);
}

static void case_recvmmsg_socket_some(const char *name) {
  receive_many(name, 91, 4, 0, NULL, 3);
}

static void case_recvmmsg_both(const char *name) {
  struct timespec timeout = {.tv_sec = 5};
  receive_many(name, 9, 4, 0, &timeout, 3);
}

static void case_recvmmsg_socket_later(const char *name) {
  struct timespec timeout = {.tv_sec = 5};
  receive_many(name, 9, 4, 0, &timeout, 7);
}

static void case_recvmmsg_wrong(const char *name) {
  struct timespec timeout = {.tv_sec = 5, .tv_nsec = 1000000000};
  receive_many(name, 1, 4, 0, &timeout, 0);
}

// MARK: options

static void tell_timeout(const char *name, int descriptor, int option, socklen_t length) {
  struct timeval timeout = {.tv_sec = 77, .tv_usec = 77};
  socklen_t size = length;
  int result = getsockopt(descriptor, SOL_SOCKET, option, &timeout, &size);
  printf(
      "%s option=%d result=%d length=%u seconds=%lld microseconds=%lld\n", name, option, result,
      size, (long long)timeout.tv_sec, (long long)timeout.tv_usec);
}

static void case_options(const char *name) {
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

// MARK: threads

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
static void case_threads(const char *name) {
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

// MARK: the command line

struct test_case {
  const char *name;
  void (*body)(const char *name);
};

static const struct test_case cases[] = {
    {"recv", case_recv},
    {"recv-again", case_recv_again},
    {"read", case_read},
    {"readv", case_readv},
    {"recvfrom", case_recvfrom},
    {"recvmsg", case_recvmsg},
    {"accept", case_accept},
    {"accept4", case_accept4},
    {"splice-in", case_splice_in},
    {"inherit", case_inherit},
    {"dup", case_dup},
    {"fork", case_fork},
    {"exec", case_exec},
    {"passed", case_passed},
    {"jump", case_jump},
    {"children", case_children},
    {"data", case_data},
    {"all", case_all},
    {"end", case_pending_error},
    {"no-wait", case_no_wait},
    {"negative", case_negative},
    {"zero", case_zero},
    {"send", case_send},
    {"write", case_write},
    {"writev", case_writev},
    {"sendmsg", case_sendmsg},
    {"send-part", case_send_part},
    {"sendfile", case_sendfile},
    {"splice-out", case_splice_out},
    {"splice-pipe", case_splice_pipe},
    {"connect", case_connect},
    {"connect-local", case_connect_local},
    {"recvmmsg-late", case_recvmmsg_late},
    {"recvmmsg-some", case_recvmmsg_some},
    {"recvmmsg-all", case_recvmmsg_all},
    {"recvmmsg-one", case_recvmmsg_one},
    {"recvmmsg-socket", case_recvmmsg_socket},
    {"recvmmsg-socket-some", case_recvmmsg_socket_some},
    {"recvmmsg-both", case_recvmmsg_both},
    {"recvmmsg-socket-later", case_recvmmsg_socket_later},
    {"recvmmsg-wrong", case_recvmmsg_wrong},
    {"options", case_options},
    {"threads", case_threads},
};

int main(int count, char **arguments) {
  if (count == 4 && strcmp(arguments[1], "continue") == 0) {
    begin();
    tell(arguments[2], recv(atoi(arguments[3]), buffer, 10, 0));
    return 0;
  }
  for (size_t index = 0; count == 2 && index < sizeof cases / sizeof *cases; index += 1) {
    if (strcmp(arguments[1], cases[index].name) != 0) continue;
    cases[index].body(cases[index].name);
    return 0;
  }
  fprintf(stderr, "usage: socket_waits CASE\n");
  for (size_t index = 0; index < sizeof cases / sizeof *cases; index += 1) {
    fprintf(stderr, "  %s\n", cases[index].name);
  }
  return 2;
}
