// Sends bytes over a connection, and prints how many megabytes of them arrive in a second.
//
//   byte_stream serve PORT              takes connections, and answers the end of each with a byte
//   byte_stream send HOST PORT BYTES    prints the rate from the first byte to the answer
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PIECE = 256 * 1024 };

static char piece[PIECE];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int serve(const char *port) {
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(port))};
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 1024) != 0) {
    perror("listen");
    return 1;
  }
  for (;;) {
    int connection = accept(listener, NULL, NULL);
    if (connection < 0) continue;
    while (read(connection, piece, PIECE) > 0) continue;
    // A client that has left needs no answer.
    (void)!write(connection, "", 1);
    close(connection);
  }
}

static int send_bytes(const char *host, const char *port, long long count) {
  struct addrinfo *found, hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
  int problem = getaddrinfo(host, port, &hints, &found);
  if (problem != 0) {
    fprintf(stderr, "%s: %s\n", host, gai_strerror(problem));
    return 1;
  }
  int connection = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(connection, found->ai_addr, found->ai_addrlen) != 0) {
    perror("connect");
    return 1;
  }
  double begin = now();
  for (long long left = count; left > 0;) {
    ssize_t written = write(connection, piece, left < PIECE ? (size_t)left : PIECE);
    if (written <= 0) {
      perror("write");
      return 1;
    }
    left -= written;
  }
  shutdown(connection, SHUT_WR);
  char answer;
  if (read(connection, &answer, 1) != 1) {
    perror("read");
    return 1;
  }
  printf("%.1f\n", (double)count / 1e6 / (now() - begin));
  return 0;
}

int main(int count, char **arguments) {
  signal(SIGPIPE, SIG_IGN);
  if (count == 3 && strcmp(arguments[1], "serve") == 0) return serve(arguments[2]);
  if (count == 5 && strcmp(arguments[1], "send") == 0) {
    return send_bytes(arguments[2], arguments[3], atoll(arguments[4]));
  }
  fputs("usage: byte_stream serve PORT | send HOST PORT BYTES\n", stderr);
  return 2;
}
