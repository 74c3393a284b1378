// Connects and closes again and again, and prints the microseconds that one of them takes, in the best of
// ten batches.
//
//   connect_loop ADDRESS
//
// To 127.0.0.1 it listens itself.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BATCHES = 10, CONNECTIONS = 200 };

static void *accept_all(void *argument) {
  int listener = *(int *)argument;
  for (;;) {
    int connection = accept(listener, NULL, NULL);
    if (connection >= 0) close(connection);
  }
  return NULL;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

int main(int count, char **arguments) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(80)};
  if (count != 2 || inet_pton(AF_INET, arguments[1], &address.sin_addr) != 1) return 2;
  static int listener;
  if (strcmp(arguments[1], "127.0.0.1") == 0) {
    listener = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_port = 0;
    socklen_t length = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 1024) != 0) return 1;
    getsockname(listener, (struct sockaddr *)&address, &length);
    pthread_t thread;
    pthread_create(&thread, NULL, accept_all, &listener);
  }
  double best = 1e12;
  for (int batch = 0; batch < BATCHES; batch++) {
    double begin = now();
    for (int index = 0; index < CONNECTIONS; index++) {
      int connection = socket(AF_INET, SOCK_STREAM, 0);
      if (connect(connection, (struct sockaddr *)&address, sizeof address) != 0) {
        perror("connect");
        return 1;
      }
      close(connection);
    }
    double length = (now() - begin) / CONNECTIONS;
    if (length < best) best = length;
  }
  printf("%.1f\n", best);
  return 0;
}
