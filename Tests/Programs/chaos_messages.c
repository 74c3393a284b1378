// Several messages by one call (sendmmsg(2), recvmmsg(2)): what the caller is told, and what arrives.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static char parts[3][2][8] = {{"ab", "cd"}, {"ef", "gh"}, {"ij", "kl"}};
static struct iovec vectors[3][2];
static struct mmsghdr messages[3];

static void lay_out(void) {
  for (int index = 0; index < 3; index++) {
    for (int part = 0; part < 2; part++) {
      vectors[index][part] = (struct iovec){parts[index][part], 2};
    }
    messages[index].msg_hdr = (struct msghdr){.msg_iov = vectors[index], .msg_iovlen = 2};
  }
}

static void tell(int result) {
  printf("result=%d error=%d lengths=", result, result < 0 ? errno : 0);
  for (int index = 0; index < result; index++) {
    printf("%u,", messages[index].msg_len);
  }
  int is_same = 1;
  for (int index = 0; index < 3; index++) {
    is_same &= messages[index].msg_hdr.msg_iovlen == 2;
    is_same &= vectors[index][0].iov_len == 2 && vectors[index][1].iov_len == 2;
  }
  printf(" same=%d", is_same);
}

static void print(const char *bytes, size_t count) {
  for (size_t index = 0; index < count; index++) {
    putchar(bytes[index] == 0 ? '.' : bytes[index]);
  }
  putchar(',');
}

static int sending(int pair[2]) {
  tell(sendmmsg(pair[0], messages, 3, 0));
  printf(" own=");
  for (int index = 0; index < 3; index++) {
    print(parts[index][0], 2);
    print(parts[index][1], 2);
  }
  printf(" arrived=");
  char buffer[16];
  ssize_t count;
  while ((count = recv(pair[1], buffer, sizeof buffer, MSG_DONTWAIT)) >= 0) {
    print(buffer, count);
  }
  printf("\n");
  return 0;
}

static int receiving(int pair[2]) {
  for (int index = 0; index < 3; index++) {
    char text[5];
    snprintf(text, sizeof text, "%.2s%.2s", parts[index][0], parts[index][1]);
    if (send(pair[0], text, 4, 0) != 4) {
      return 1;
    }
    memset(parts[index], '-', sizeof parts[index]);
  }
  int result = recvmmsg(pair[1], messages, 3, 0, NULL);
  tell(result);
  printf(" text=");
  for (int index = 0; index < result; index++) {
    char text[4];
    memcpy(text, parts[index][0], 2);
    memcpy(text + 2, parts[index][1], 2);
    print(text, messages[index].msg_len);
  }
  printf("\n");
  return 0;
}

int main(int count, char **arguments) {
  int pair[2];
  if (count != 2 || socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) != 0) {
    return 2;
  }
  lay_out();
  return strcmp(arguments[1], "send") == 0 ? sending(pair) : receiving(pair);
}
