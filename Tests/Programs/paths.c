// Leads its packets by ways of its own, and tells what it got.
//
//   paths device LEVEL OPTION | own | length
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void print_result(const char *label, long result) {
  printf("%s=%s\n", label, result < 0 ? strerrorname_np(errno) : "ok");
}

static struct sockaddr_in make_address(const char *text, int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  if (inet_pton(AF_INET, text, &address.sin_addr) != 1) exit(2);
  return address;
}

static void print_reply(int socket) {
  static const char request[] = "GET /who HTTP/1.0\r\nHost: who.example.com\r\n\r\n";
  char text[4096];
  size_t length = 0;
  ssize_t count;
  print_result("send", send(socket, request, sizeof request - 1, MSG_NOSIGNAL));
  while (length < sizeof text - 1 && (count = read(socket, text + length, sizeof text - 1 - length)) > 0)
    length += (size_t)count;
  text[length] = 0;
  char *body = strstr(text, "\r\n\r\n");
  printf("reply=%s\n", body ? body + 4 : "none");
}

// Sets an option that names a device before it connects; the device need not exist.
static void use_device(int level, int option) {
  int socket_number = socket(level == IPPROTO_IPV6 ? AF_INET6 : AF_INET, SOCK_STREAM, 0);
  struct ifreq device = {.ifr_name = "nowhere0"};
  uint32_t index = htonl(4242);
  int is_name = level == SOL_SOCKET && option == SO_BINDTODEVICE;
  print_result("option", setsockopt(socket_number, level, option, is_name ? (void *)&device : (void *)&index,
                                    is_name ? sizeof device : sizeof index));
  if (level == IPPROTO_IPV6) return;
  struct sockaddr_in target = make_address("192.0.2.1", 80);
  print_result("connect", connect(socket_number, (struct sockaddr *)&target, sizeof target));
  print_reply(socket_number);
}

// Reaches a listener of its own at an address of the machine that is not one of loopback.
static void reach_own(void) {
  struct ifaddrs *all, *entry;
  if (getifaddrs(&all) != 0) exit(2);
  for (entry = all; entry; entry = entry->ifa_next)
    if (entry->ifa_addr && entry->ifa_addr->sa_family == AF_INET && !(entry->ifa_flags & IFF_LOOPBACK)) break;
  if (!entry) exit(3);
  struct sockaddr_in target = *(struct sockaddr_in *)entry->ifa_addr;
  struct sockaddr_in any = {.sin_family = AF_INET};
  socklen_t length = sizeof any;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr *)&any, sizeof any) != 0 || listen(listener, 4) != 0) exit(2);
  getsockname(listener, (struct sockaddr *)&any, &length);
  target.sin_port = any.sin_port;
  int client = socket(AF_INET, SOCK_STREAM, 0);
  print_result("connect", connect(client, (struct sockaddr *)&target, sizeof target));
  struct pollfd waiting = {.fd = listener, .events = POLLIN};
  printf("reached=%d\n", poll(&waiting, 1, 0));
  struct sockaddr_in peer;
  length = sizeof peer;
  getpeername(client, (struct sockaddr *)&peer, &length);
  printf("peer=%s\n", memcmp(&peer.sin_addr, &target.sin_addr, 4) == 0 && peer.sin_port == target.sin_port ? "own" : "other");
}

// Names an address with a length that none has.
static void use_lengths(void) {
  struct {
    struct sockaddr_in address;
    char rest[512];
  } place = {.address = make_address("192.0.2.1", 80)};
  struct msghdr message = {.msg_name = &place, .msg_namelen = (socklen_t)-1};
  int stream = socket(AF_INET, SOCK_STREAM, 0);
  int datagram = socket(AF_INET, SOCK_DGRAM, 0);
  print_result("negative", connect(stream, (struct sockaddr *)&place, (socklen_t)-1));
  print_result("long", connect(stream, (struct sockaddr *)&place, 129));
  print_result("sendto", sendto(datagram, "x", 1, 0, (struct sockaddr *)&place, 129));
  print_result("sendmsg", sendmsg(datagram, &message, 0));
  print_result("longest", connect(stream, (struct sockaddr *)&place, 128));
}

int main(int count, char **words) {
  if (count < 2) return 2;
  if (strcmp(words[1], "own") == 0) reach_own();
  else if (strcmp(words[1], "length") == 0) use_lengths();
  else if (count == 4 && strcmp(words[1], "device") == 0) use_device(atoi(words[2]), atoi(words[3]));
  else return 2;
  return 0;
}
