// computing_server lets a client wait for a server that computes, or sleeps, before it answers.
//
//   computing_server compute|sleep MILLISECONDS TIMEOUT_MILLISECONDS
//
// The server is another process; they talk over loopback. `compute` burns processor time, whatever the
// clocks say. One line:
//
//   answered after N ms | timed out after N ms

#define _GNU_SOURCE
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t milliseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void compute(int64_t length) {
  volatile uint64_t sum = 0;
  int64_t end = milliseconds(CLOCK_PROCESS_CPUTIME_ID) + length;
  // A look at the clock is a system call; between two there is much to add up.
  while (milliseconds(CLOCK_PROCESS_CPUTIME_ID) < end) {
    for (int index = 0; index < 1000000; index += 1) sum += (uint64_t)index;
  }
}

static void rest(int64_t length) {
  struct timespec time = {.tv_sec = length / 1000, .tv_nsec = length % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static void serve(int listener, bool computes, int64_t length) {
  char request[16];
  int connection = accept(listener, NULL, NULL);
  if (connection < 0 || read(connection, request, sizeof request) <= 0) _exit(3);
  computes ? compute(length) : rest(length);
  // The client may be gone.
  send(connection, "answer", 6, MSG_NOSIGNAL);
  _exit(0);
}

int main(int count, char **arguments) {
  bool computes = count == 4 && strcmp(arguments[1], "compute") == 0;
  if (count != 4 || (!computes && strcmp(arguments[1], "sleep") != 0)) {
    fprintf(stderr, "usage: computing_server compute|sleep MILLISECONDS TIMEOUT_MILLISECONDS\n");
    return 2;
  }
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 1) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &size) != 0) {
    perror("listen");
    return 3;
  }
  pid_t server = fork();
  if (server == 0) serve(listener, computes, strtoll(arguments[2], NULL, 10));

  int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int64_t start = milliseconds(CLOCK_MONOTONIC);
  if (server < 0 || connect(client, (struct sockaddr *)&address, size) != 0 ||
      send(client, "request", 7, 0) != 7) {
    perror("request");
    return 3;
  }
  struct pollfd answer = {.fd = client, .events = POLLIN};
  int ready = poll(&answer, 1, atoi(arguments[3]));
  int64_t elapsed = milliseconds(CLOCK_MONOTONIC) - start;
  printf("%s after %lld ms\n", ready == 1 ? "answered" : "timed out", (long long)elapsed);
  close(client);
  waitpid(server, NULL, 0);
  return 0;
}
