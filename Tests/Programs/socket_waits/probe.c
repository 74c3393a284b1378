#include "probe.h"

static const int64_t millisecond_ns = 1000000;

void require(bool is_fine, const char *what) {
  if (is_fine) return;
  perror(what);
  exit(3);
}

int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void sleep_ms(int count) {
  struct timespec length = {.tv_sec = count / 1000, .tv_nsec = count % 1000 * millisecond_ns};
  while (nanosleep(&length, &length) != 0 && errno == EINTR) continue;
}

int64_t started_ns;
char buffer[1 << 16];

void begin(void) { started_ns = now_ns(); }

const char *error_name(int error) {
  const char *name = error == 0 ? "none" : strerrorname_np(error);
  return name ? name : "unknown";
}

void tell(const char *name, long result) {
  int error = result < 0 ? errno : 0;
  int64_t elapsed = now_ns() - started_ns;
  printf(
      "%s result=%ld error=%s elapsed_ms=%" PRId64, name, result, error_name(error),
      elapsed / millisecond_ns);
  if (elapsed % millisecond_ns != 0) printf(".%06" PRId64, elapsed % millisecond_ns);
  printf("\n");
  fflush(stdout);
}

void set_timeout(int descriptor, int option, int64_t seconds, int64_t microseconds) {
  struct timeval timeout = {.tv_sec = seconds, .tv_usec = microseconds};
  require(
      setsockopt(descriptor, SOL_SOCKET, option, &timeout, sizeof timeout) == 0, "setsockopt");
}

struct ends pair(int type) {
  int ends[2];
  require(socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) == 0, "socketpair");
  return (struct ends){.near = ends[0], .far = ends[1]};
}

struct sockaddr_in loopback(void) {
  return (struct sockaddr_in){
      .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

int listener(int backlog, struct sockaddr_in *address) {
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

int connect_to(struct sockaddr_in address, bool waits) {
  int descriptor = socket(AF_INET, SOCK_STREAM | (waits ? 0 : SOCK_NONBLOCK), 0);
  require(descriptor >= 0, "socket");
  int result = connect(descriptor, (struct sockaddr *)&address, sizeof address);
  require(result == 0 || (!waits && errno == EINPROGRESS), "connect");
  return descriptor;
}

struct ends tcp_pair(void) {
  struct sockaddr_in address;
  int server = listener(1, &address);
  struct ends ends = {.near = connect_to(address, true)};
  ends.far = accept(server, NULL, NULL);
  require(ends.far >= 0, "accept");
  close(server);
  return ends;
}

int datagram_socket(struct sockaddr_in *address) {
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
void fill(int descriptor) {
  static char block[4096];
  int flags = fcntl(descriptor, F_GETFL);
  fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
  while (write(descriptor, block, sizeof block) > 0 || write(descriptor, block, 1) > 0) continue;
  require(errno == EAGAIN, "fill");
  fcntl(descriptor, F_SETFL, flags);
}

// Runs `body` in a child.
pid_t beside(void (*body)(int), int argument) {
  fflush(stdout);
  pid_t child = fork();
  require(child >= 0, "fork");
  if (child > 0) return child;
  body(argument);
  fflush(stdout);
  _exit(0);
}

void join(pid_t child) {
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
}
