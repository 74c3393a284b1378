// Calls that receive or accept.

#include "probe.h"

#include <netdb.h>

void case_recv(const char *name) {
  int descriptor = pair(SOCK_STREAM).near;
  set_timeout(descriptor, SO_RCVTIMEO, 3, 141593);
  begin();
  tell(name, recv(descriptor, buffer, 10, 0));
}

void case_recv_again(const char *name) {
  int descriptor = pair(SOCK_STREAM).near;
  set_timeout(descriptor, SO_RCVTIMEO, 2, 0);
  for (int count = 0; count < 3; count += 1) {
    begin();
    tell(name, recv(descriptor, buffer, 10, 0));
  }
}

void case_read(const char *name) {
  int descriptor = tcp_pair().near;
  set_timeout(descriptor, SO_RCVTIMEO, 3, 0);
  begin();
  tell(name, read(descriptor, buffer, 10));
}

void case_readv(const char *name) {
  int descriptor = tcp_pair().near;
  set_timeout(descriptor, SO_RCVTIMEO, 0, 1);
  struct iovec part = {.iov_base = buffer, .iov_len = 10};
  begin();
  tell(name, readv(descriptor, &part, 1));
}

void case_recvfrom(const char *name) {
  struct sockaddr_in address;
  int descriptor = datagram_socket(&address);
  set_timeout(descriptor, SO_RCVTIMEO, 3, 0);
  begin();
  tell(name, recvfrom(descriptor, buffer, 10, 0, NULL, NULL));
}

// Who wants to know from where something comes, once names have been looked up.
void case_recvfrom_address(const char *name) {
  struct addrinfo *found;
  require(getaddrinfo("a.example.com", "80", NULL, &found) == 0, "getaddrinfo");
  struct sockaddr_in address;
  int descriptor = datagram_socket(&address);
  set_timeout(descriptor, SO_RCVTIMEO, 3, 0);
  socklen_t length = sizeof address;
  begin();
  tell(name, recvfrom(descriptor, buffer, 10, 0, (struct sockaddr *)&address, &length));
}

void case_recvmsg(const char *name) {
  int descriptor = pair(SOCK_SEQPACKET).near;
  set_timeout(descriptor, SO_RCVTIMEO, 3, 0);
  struct iovec part = {.iov_base = buffer, .iov_len = 10};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  begin();
  tell(name, recvmsg(descriptor, &message, 0));
}

void case_accept(const char *name) {
  struct sockaddr_in address;
  int server = listener(1, &address);
  set_timeout(server, SO_RCVTIMEO, 3, 0);
  begin();
  tell(name, accept(server, NULL, NULL));
}

void case_accept4(const char *name) {
  struct sockaddr_in address;
  int server = listener(1, &address);
  set_timeout(server, SO_RCVTIMEO, 3, 0);
  begin();
  tell(name, accept4(server, NULL, NULL, SOCK_CLOEXEC));
}

void case_splice_in(const char *name) {
  int descriptor = tcp_pair().near;
  int ends[2];
  require(pipe(ends) == 0, "pipe");
  set_timeout(descriptor, SO_RCVTIMEO, 3, 0);
  begin();
  tell(name, splice(descriptor, NULL, ends[1], NULL, 10, 0));
}

// An accepted socket inherits the timeout of the one that listens.
void case_inherit(const char *name) {
  struct sockaddr_in address;
  int server = listener(1, &address);
  set_timeout(server, SO_RCVTIMEO, 3, 0);
  int client = connect_to(address, true);
  int accepted = accept(server, NULL, NULL);
  begin();
  tell(name, recv(accepted, buffer, 10, 0));
  close(client);
}

void case_dup(const char *name) {
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

void case_fork(const char *name) {
  (void)name;
  int descriptor = pair(SOCK_STREAM).near;
  set_timeout(descriptor, SO_RCVTIMEO, 3, 0);
  begin();
  join(beside(receive_in_child, descriptor));
}

void case_exec(const char *name) {
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

void case_passed(const char *name) {
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

void case_jump(const char *name) {
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
  for (int count = 0; count < 250; count += 1) {
    sleep_ms(10);
    kill(parent, SIGCHLD);
    kill(parent, SIGURG);
    join(beside(end_now, 0));
  }
}

void case_children(const char *name) {
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

void case_data(const char *name) {
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
void case_all(const char *name) {
  struct ends ends = tcp_pair();
  set_timeout(ends.near, SO_RCVTIMEO, 3, 0);
  require(send(ends.far, "hello", 5, 0) == 5, "send");
  begin();
  tell(name, recv(ends.near, buffer, 10, MSG_WAITALL));
}

void case_pending_error(const char *name) {
  struct ends ends = tcp_pair();
  set_timeout(ends.near, SO_RCVTIMEO, 3, 0);
  close(ends.far);
  begin();
  tell(name, recv(ends.near, buffer, 10, 0));
}

void case_no_wait(const char *name) {
  int descriptor = pair(SOCK_STREAM).near;
  set_timeout(descriptor, SO_RCVTIMEO, 3, 0);
  begin();
  tell(name, recv(descriptor, buffer, 10, MSG_DONTWAIT));
}

// A timeout below zero has always passed; one of zero is none.
void case_negative(const char *name) {
  int descriptor = pair(SOCK_STREAM).near;
  set_timeout(descriptor, SO_RCVTIMEO, -1, 0);
  begin();
  tell(name, recv(descriptor, buffer, 10, 0));
}

static void send_after_hour(int descriptor) {
  sleep_ms(3600 * 1000);
  require(send(descriptor, "hello", 5, 0) == 5, "send");
}

void case_zero(const char *name) {
  struct ends ends = pair(SOCK_STREAM);
  set_timeout(ends.near, SO_RCVTIMEO, 3, 0);
  set_timeout(ends.near, SO_RCVTIMEO, 0, 0);
  begin();
  pid_t child = beside(send_after_hour, ends.far);
  tell(name, recv(ends.near, buffer, 10, 0));
  join(child);
}
