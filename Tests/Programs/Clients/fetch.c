// fetch gets http: URLs of one host by the C library's own resolver and prints what comes, a line for each.
//
//   fetch HOST PATH...
#define _GNU_SOURCE
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int count, char **arguments) {
  if (count < 3) return 2;
  for (int index = 2; index < count; index++) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list = NULL;
    int error = getaddrinfo(arguments[1], "80", &hints, &list);
    if (error != 0) {
      fprintf(stderr, "%s: %s\n", arguments[1], gai_strerror(error));
      return 1;
    }
    int connection = -1;
    for (struct addrinfo *entry = list; entry != NULL && connection < 0; entry = entry->ai_next) {
      connection = socket(entry->ai_family, entry->ai_socktype, entry->ai_protocol);
      if (connect(connection, entry->ai_addr, entry->ai_addrlen) != 0) {
        close(connection);
        connection = -1;
      }
    }
    freeaddrinfo(list);
    if (connection < 0) {
      perror(arguments[1]);
      return 1;
    }
    char text[4096];
    int length = snprintf(text, sizeof text, "GET %s HTTP/1.0\r\nHost: %s\r\n\r\n", arguments[index], arguments[1]);
    if (write(connection, text, (size_t)length) != length) return 1;
    size_t received = 0;
    ssize_t part;
    while (received < sizeof text - 1 && (part = read(connection, text + received, sizeof text - 1 - received)) > 0)
      received += (size_t)part;
    text[received] = 0;
    char *body = strstr(text, "\r\n\r\n");
    puts(body ? body + 4 : "no reply");
    close(connection);
  }
  return 0;
}
