// Calls that send or connect.

#include "probe.h"

void case_send(const char *name) {
  int descriptor = pair(SOCK_STREAM).near;
  fill(descriptor);
  set_timeout(descriptor, SO_SNDTIMEO, 3, 0);
  begin();
  tell(name, send(descriptor, buffer, 10, 0));
}

void case_write(const char *name) {
  int descriptor = pair(SOCK_STREAM).near;
  fill(descriptor);
  set_timeout(descriptor, SO_SNDTIMEO, 3, 0);
  begin();
  tell(name, write(descriptor, buffer, sizeof buffer));
}

void case_writev(const char *name) {
  int descriptor = pair(SOCK_DGRAM).near;
  fill(descriptor);
  set_timeout(descriptor, SO_SNDTIMEO, 3, 0);
  struct iovec part = {.iov_base = buffer, .iov_len = 10};
  begin();
  tell(name, writev(descriptor, &part, 1));
}

void case_sendmsg(const char *name) {
  int descriptor = pair(SOCK_SEQPACKET).near;
  fill(descriptor);
  set_timeout(descriptor, SO_SNDTIMEO, 3, 0);
  struct iovec part = {.iov_base = buffer, .iov_len = 10};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  begin();
  tell(name, sendmsg(descriptor, &message, 0));
}

// More than fits: part of it goes, then the time is up.
void case_send_part(const char *name) {
  int descriptor = pair(SOCK_STREAM).near;
  set_timeout(descriptor, SO_SNDTIMEO, 3, 0);
  size_t length = 16 << 20;
  char *bytes = calloc(1, length);
  begin();
  long result = send(descriptor, bytes, length, 0);
  tell(name, result > 0 && (size_t)result < length ? 1 : result);
  free(bytes);
}

void case_sendfile(const char *name) {
  int descriptor = pair(SOCK_STREAM).near;
  fill(descriptor);
  set_timeout(descriptor, SO_SNDTIMEO, 3, 0);
  int file = memfd_create("file", 0);
  require(file >= 0 && write(file, buffer, sizeof buffer) > 0 && lseek(file, 0, SEEK_SET) == 0,
          "memfd_create");
  begin();
  tell(name, sendfile(descriptor, file, NULL, sizeof buffer));
}

void case_splice_out(const char *name) {
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
void case_splice_pipe(const char *name) {
  int descriptor = tcp_pair().near;
  int ends[2];
  require(pipe(ends) == 0, "pipe");
  set_timeout(descriptor, SO_SNDTIMEO, 3, 0);
  begin();
  pid_t child = beside(write_after_hour, ends[1]);
  tell(name, splice(ends[0], NULL, descriptor, NULL, 5, 0));
  join(child);
}

void case_connect(const char *name) {
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

void case_connect_local(const char *name) {
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
