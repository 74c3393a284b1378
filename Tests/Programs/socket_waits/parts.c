// Calls that go on by parts. The kernel counts the time over the whole call, but for sends by Unix sockets.

#include "probe.h"

// Two bytes every 800 ms, eight times; the end of this process is to disturb nobody.
static void send_parts(int descriptor) {
  for (int count = 0; count < 8; count += 1) {
    sleep_ms(800);
    require(send(descriptor, "he", 2, 0) == 2, "send");
  }
  sleep_ms(3600 * 1000);
}

static void end(pid_t child) {
  kill(child, SIGKILL);
  join(child);
}

static void receive_all(const char *name, struct ends ends) {
  set_timeout(ends.near, SO_RCVTIMEO, 3, 0);
  pid_t child = beside(send_parts, ends.far);
  for (int count = 0; count < 2; count += 1) {
    begin();
    tell(name, recv(ends.near, buffer, 100, MSG_WAITALL));
  }
  end(child);
}

void case_all_parts(const char *name) { receive_all(name, tcp_pair()); }

void case_all_parts_local(const char *name) { receive_all(name, pair(SOCK_STREAM)); }

void case_all_message(const char *name) {
  struct ends ends = tcp_pair();
  set_timeout(ends.near, SO_RCVTIMEO, 3, 0);
  pid_t child = beside(send_parts, ends.far);
  struct iovec part = {.iov_base = buffer, .iov_len = 6};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  for (int count = 0; count < 3; count += 1) {
    begin();
    tell(name, recvmsg(ends.near, &message, MSG_WAITALL));
  }
  end(child);
}

static int shared;

static void *read_one(void *argument) {
  (void)argument;
  char byte;
  if (read(shared, &byte, 1) < 0) tell("shared", -1);
  return NULL;
}

static void send_one(int descriptor) {
  sleep_ms(1000);
  require(send(descriptor, "h", 1, 0) == 1, "send");
  sleep_ms(3600 * 1000);
}

// Two threads wait for one byte: both wake, one gets it, the other waits on.
void case_shared(const char *name) {
  (void)name;
  struct ends ends = tcp_pair();
  shared = ends.near;
  set_timeout(shared, SO_RCVTIMEO, 3, 0);
  begin();
  pid_t child = beside(send_one, ends.far);
  pthread_t thread;
  require(pthread_create(&thread, NULL, read_one, NULL) == 0, "pthread_create");
  read_one(NULL);
  pthread_join(thread, NULL);
  end(child);
}

static const size_t much = 24 << 20;

// Two mebibytes every 800 ms, until there are no more.
static void receive_slowly(int descriptor) {
  static char block[2 << 20];
  do {
    sleep_ms(800);
  } while (recv(descriptor, block, sizeof block, MSG_WAITALL) > 0);
}

static void send_much(const char *name, long (*transfer)(int, const char *)) {
  struct ends ends = tcp_pair();
  // Else the kernel may let it grow until it holds all (tcp(7): tcp_rmem).
  int length = 1 << 17;
  require(setsockopt(ends.far, SOL_SOCKET, SO_RCVBUF, &length, sizeof length) == 0, "setsockopt");
  set_timeout(ends.near, SO_SNDTIMEO, 3, 0);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    close(ends.near);
    receive_slowly(ends.far);
    _exit(0);
  }
  char *bytes = calloc(1, much);
  begin();
  long result = transfer(ends.near, bytes);
  tell(name, result > 0 && (size_t)result < much ? 1 : result);
  end(child);
  free(bytes);
}

static long write_all(int descriptor, const char *bytes) { return write(descriptor, bytes, much); }

static long send_all(int descriptor, const char *bytes) {
  return send(descriptor, bytes, much, 0);
}

static long send_message(int descriptor, const char *bytes) {
  struct iovec parts[2] = {
      {.iov_base = (void *)bytes, .iov_len = much - 7},
      {.iov_base = (void *)bytes, .iov_len = 7}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  return sendmsg(descriptor, &message, 0);
}

void case_write_parts(const char *name) { send_much(name, write_all); }

void case_send_parts(const char *name) { send_much(name, send_all); }

void case_message_parts(const char *name) { send_much(name, send_message); }

// Two hundred kilobytes every two seconds: nearly all that the sender's buffer holds, which wakes the sender.
static void receive_local(int descriptor) {
  static char block[200000];
  do {
    sleep_ms(2000);
  } while (recv(descriptor, block, sizeof block, MSG_WAITALL) > 0);
}

// Each part of what a Unix socket sends has the whole time.
void case_local_parts(const char *name) {
  struct ends ends = pair(SOCK_STREAM);
  set_timeout(ends.near, SO_SNDTIMEO, 3, 0);
  pid_t child = fork();
  if (child == 0) {
    close(ends.near);
    receive_local(ends.far);
    _exit(0);
  }
  size_t length = 1600000;
  char *bytes = calloc(1, length);
  begin();
  long result = write(ends.near, bytes, length);
  bool is_longer = now_ns() - started_ns > INT64_C(3000000000);
  begin();
  tell(name, is_longer ? result : -1);
  close(ends.near);
  end(child);
  free(bytes);
}
