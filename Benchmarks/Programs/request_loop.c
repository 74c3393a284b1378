// Makes GET requests on one kept connection, a batch of them at a time, and prints how many a second were
// answered.
//
//   request_loop ADDRESS HOST COUNT
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 32, ROOM = 65536 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int write_all(int connection, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t written = write(connection, bytes, length);
    if (written <= 0) return -1;
    bytes += written;
    length -= (size_t)written;
  }
  return 0;
}

// Every answer carries one status line, and no body holds such words.
static int read_answers(int connection, long count) {
  static const char mark[] = "HTTP/1.1 200";
  char bytes[ROOM];
  size_t matched = 0;
  while (count > 0) {
    ssize_t length = read(connection, bytes, sizeof bytes);
    if (length <= 0) return -1;
    for (ssize_t index = 0; index < length; index++) {
      if (bytes[index] != mark[matched]) matched = 0;
      if (bytes[index] == mark[matched] && ++matched == sizeof mark - 1) {
        matched = 0;
        count--;
      }
    }
  }
  return count == 0 ? 0 : -1;
}

int main(int count, char **arguments) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(80)};
  if (count != 4 || inet_pton(AF_INET, arguments[1], &address.sin_addr) != 1) return 2;
  long total = atol(arguments[3]);
  char request[256];
  int length = snprintf(
      request, sizeof request, "GET / HTTP/1.1\r\nHost: %s\r\nAccept: */*\r\n\r\n", arguments[2]);
  if (length < 0 || (size_t)length >= sizeof request) return 2;
  char batch[BATCH * sizeof request];
  for (int index = 0; index < BATCH; index++) {
    memcpy(batch + (size_t)index * (size_t)length, request, (size_t)length);
  }
  int connection = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(connection, (struct sockaddr *)&address, sizeof address) != 0) {
    perror("connect");
    return 1;
  }
  double begin = now();
  for (long done = 0; done < total; done += BATCH) {
    long now_made = total - done < BATCH ? total - done : BATCH;
    if (write_all(connection, batch, (size_t)now_made * (size_t)length) != 0 ||
        read_answers(connection, now_made) != 0) {
      fputs("the connection broke\n", stderr);
      return 1;
    }
  }
  printf("%.0f\n", (double)total / (now() - begin));
  return 0;
}
