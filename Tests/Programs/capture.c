// Reaches for addresses of other machines in the ways that programs have, and tells what it got.
//
//   capture KIND [ADDRESS PORT]
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef MSG_FASTOPEN
#define MSG_FASTOPEN 0x20000000
#endif

static struct sockaddr_storage make_address(const char *text, int port, int wide, socklen_t *length) {
  struct sockaddr_storage storage;
  memset(&storage, 0, sizeof storage);
  struct sockaddr_in *narrow = (struct sockaddr_in *)&storage;
  struct sockaddr_in6 *broad = (struct sockaddr_in6 *)&storage;
  if (wide) {
    broad->sin6_family = AF_INET6;
    broad->sin6_port = htons((uint16_t)port);
    if (inet_pton(AF_INET6, text, &broad->sin6_addr) != 1) exit(2);
    *length = sizeof *broad;
  } else {
    narrow->sin_family = AF_INET;
    narrow->sin_port = htons((uint16_t)port);
    if (inet_pton(AF_INET, text, &narrow->sin_addr) != 1) exit(2);
    *length = sizeof *narrow;
  }
  return storage;
}

static void print_address(const char *label, const struct sockaddr_storage *storage, socklen_t length) {
  char text[INET6_ADDRSTRLEN] = "?";
  int port = 0;
  if (storage->ss_family == AF_INET) {
    const struct sockaddr_in *narrow = (const struct sockaddr_in *)storage;
    inet_ntop(AF_INET, &narrow->sin_addr, text, sizeof text);
    port = ntohs(narrow->sin_port);
  } else if (storage->ss_family == AF_INET6) {
    const struct sockaddr_in6 *broad = (const struct sockaddr_in6 *)storage;
    inet_ntop(AF_INET6, &broad->sin6_addr, text, sizeof text);
    port = ntohs(broad->sin6_port);
  }
  printf("%s=%s/%d/%u\n", label, text, port, (unsigned)length);
}

static void print_result(const char *label, long result) {
  printf("%s=%s\n", label, result < 0 ? strerrorname_np(errno) : "ok");
}

static void print_peer(int socket) {
  struct sockaddr_storage peer;
  socklen_t length = sizeof peer;
  memset(&peer, 0, sizeof peer);
  int result = getpeername(socket, (struct sockaddr *)&peer, &length);
  if (result < 0) return print_result("peer", result);
  print_address("peer", &peer, length);
}

static const char request[] = "GET /who HTTP/1.0\r\nHost: who.example.com\r\n\r\n";

static void print_reply(int socket) {
  char text[4096];
  size_t length = 0;
  ssize_t count;
  while (length < sizeof text - 1 && (count = read(socket, text + length, sizeof text - 1 - length)) > 0)
    length += (size_t)count;
  text[length] = 0;
  char *body = strstr(text, "\r\n\r\n");
  printf("reply=%s\n", body ? body + 4 : "none");
}

static void finish_connecting(int socket) {
  struct pollfd entry = {.fd = socket, .events = POLLOUT};
  poll(&entry, 1, -1);
  int error = 0;
  socklen_t length = sizeof error;
  getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length);
  printf("connected=%s\n", error ? strerrorname_np(error) : "ok");
  fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) & ~O_NONBLOCK);
}

static int talk(const char *kind, const char *address, int port) {
  int wide = strchr(address, ':') != NULL;
  socklen_t length;
  struct sockaddr_storage target = make_address(address, port, wide, &length);
  struct sockaddr_storage before = target;
  int flags = strcmp(kind, "nonblocking") == 0 ? SOCK_NONBLOCK : 0;
  int socket_number = socket(wide ? AF_INET6 : AF_INET, SOCK_STREAM | flags, 0);
  if (strcmp(kind, "v6only") == 0) {
    int yes = 1;
    setsockopt(socket_number, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
  }
  struct iovec part = {.iov_base = (void *)request, .iov_len = sizeof request - 1};
  struct msghdr message = {.msg_name = &target, .msg_namelen = length, .msg_iov = &part, .msg_iovlen = 1};
  int has_sent = 1;
  if (strcmp(kind, "fastopen-sendto") == 0) {
    print_result("send", sendto(socket_number, request, sizeof request - 1, MSG_FASTOPEN, (struct sockaddr *)&target, length));
  } else if (strcmp(kind, "fastopen-sendmsg") == 0) {
    print_result("send", sendmsg(socket_number, &message, MSG_FASTOPEN));
  } else {
    int result = connect(socket_number, (struct sockaddr *)&target, length);
    print_result("connect", result);
    if (result < 0 && errno == EINPROGRESS) finish_connecting(socket_number);
    has_sent = 0;
  }
  if (message.msg_name != &target || memcmp(&before, &target, sizeof before) != 0) puts("changed");
  print_peer(socket_number);
  if (!has_sent) print_result("send", send(socket_number, request, sizeof request - 1, 0));
  print_reply(socket_number);
  return 0;
}

// Asks for the address of a.example.com (RFC 1035).
static const unsigned char question[] = {
    0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 'a', 7, 'e', 'x', 'a', 'm', 'p', 'l', 'e', 3, 'c', 'o', 'm', 0, 0, 1, 0, 1,
};

static void print_answer(const unsigned char *answer, ssize_t length) {
  if (length < 16 || answer[0] != 0x12 || answer[1] != 0x34) {
    puts("answer=none");
    return;
  }
  printf("answer=%d.%d.%d.%d\n", answer[length - 4], answer[length - 3], answer[length - 2], answer[length - 1]);
}

static int ask(const char *kind, const char *address) {
  int wide = strchr(address, ':') != NULL;
  socklen_t length;
  struct sockaddr_storage server = make_address(address, 53, wide, &length);
  int socket_number = socket(wide ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  struct iovec part = {.iov_base = (void *)question, .iov_len = sizeof question};
  struct mmsghdr messages[2];
  memset(messages, 0, sizeof messages);
  for (int index = 0; index < 2; index++) {
    messages[index].msg_hdr.msg_name = &server;
    messages[index].msg_hdr.msg_namelen = length;
    messages[index].msg_hdr.msg_iov = &part;
    messages[index].msg_hdr.msg_iovlen = 1;
  }
  if (strcmp(kind, "sendto") == 0) {
    print_result("send", sendto(socket_number, question, sizeof question, 0, (struct sockaddr *)&server, length));
  } else if (strcmp(kind, "sendmsg") == 0) {
    print_result("send", sendmsg(socket_number, &messages[0].msg_hdr, 0));
  } else if (strcmp(kind, "connected") == 0) {
    print_result("connect", connect(socket_number, (struct sockaddr *)&server, length));
    print_peer(socket_number);
    print_result("send", send(socket_number, question, sizeof question, 0));
  } else {
    printf("send=%d\n", sendmmsg(socket_number, messages, 2, 0));
    printf("lengths=%u,%u\n", messages[0].msg_len, messages[1].msg_len);
  }
  for (int index = 0; index < 2; index++)
    if (messages[index].msg_hdr.msg_name != &server || messages[index].msg_hdr.msg_namelen != length) puts("changed");

  unsigned char answer[512];
  struct sockaddr_storage source;
  struct iovec room = {.iov_base = answer, .iov_len = sizeof answer};
  struct mmsghdr received;
  memset(&source, 0, sizeof source);
  memset(&received, 0, sizeof received);
  received.msg_hdr.msg_name = &source;
  received.msg_hdr.msg_namelen = sizeof source;
  received.msg_hdr.msg_iov = &room;
  received.msg_hdr.msg_iovlen = 1;
  ssize_t count;
  if (strcmp(kind, "sendmsg") == 0) {
    count = recvmsg(socket_number, &received.msg_hdr, 0);
  } else if (strcmp(kind, "sendmmsg") == 0) {
    recvmmsg(socket_number, &received, 1, 0, NULL);
    count = received.msg_len;
  } else {
    socklen_t source_length = sizeof source;
    count = recvfrom(socket_number, answer, sizeof answer, 0, (struct sockaddr *)&source, &source_length);
    received.msg_hdr.msg_namelen = source_length;
  }
  print_answer(answer, count);
  print_address("source", &source, received.msg_hdr.msg_namelen);
  return 0;
}

static int send_datagrams(const char *address, int port) {
  int wide = strchr(address, ':') != NULL;
  socklen_t length;
  struct sockaddr_storage target = make_address(address, port, wide, &length);
  int plain = socket(wide ? AF_INET6 : AF_INET, SOCK_DGRAM, 0);
  print_result("sendto", sendto(plain, "x", 1, 0, (struct sockaddr *)&target, length));
  struct iovec part = {.iov_base = "x", .iov_len = 1};
  struct mmsghdr message = {.msg_hdr = {.msg_name = &target, .msg_namelen = length, .msg_iov = &part, .msg_iovlen = 1}};
  print_result("sendmsg", sendmsg(plain, &message.msg_hdr, 0));
  print_result("sendmmsg", sendmmsg(plain, &message, 1, 0));
  print_result("connect", connect(plain, (struct sockaddr *)&target, length));
  print_peer(plain);
  print_result("first", send(plain, "x", 1, 0));
  struct pollfd entry = {.fd = plain, .events = POLLIN};
  poll(&entry, 1, -1);
  char byte;
  print_result("receive", recv(plain, &byte, 1, 0));
  return 0;
}

static void try_socket(const char *label, int domain, int type, int protocol) {
  int number = socket(domain, type, protocol);
  print_result(label, number);
  if (number >= 0) close(number);
}

static int make_sockets(void) {
  try_socket("unix", AF_UNIX, SOCK_SEQPACKET, 0);
  try_socket("netlink", AF_NETLINK, SOCK_RAW, 0);
  try_socket("tcp", AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP);
  try_socket("udp6", AF_INET6, SOCK_DGRAM | SOCK_NONBLOCK, IPPROTO_UDP);
  try_socket("packet", AF_PACKET, SOCK_RAW, 0);
  try_socket("raw", AF_INET, SOCK_RAW, IPPROTO_ICMP);
  try_socket("raw6", AF_INET6, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMPV6);
  try_socket("sctp", AF_INET, SOCK_STREAM, 132);
  try_socket("sequence", AF_INET6, SOCK_SEQPACKET, 0);
  try_socket("vsock", AF_VSOCK, SOCK_STREAM, 0);
  try_socket("bluetooth", AF_BLUETOOTH, SOCK_RAW, 0);
  int plain = socket(AF_INET, SOCK_DGRAM, 0);
  struct ip_mreq group = {.imr_multiaddr = {htonl(0xe00000fb)}};
  print_result("join", setsockopt(plain, IPPROTO_IP, IP_ADD_MEMBERSHIP, &group, sizeof group));
  int yes = 1;
  print_result("option", setsockopt(plain, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes));
  return 0;
}

int main(int count, char **arguments) {
  const char *kind = count > 1 ? arguments[1] : "";
  const char *address = count > 2 ? arguments[2] : "192.0.2.1";
  int port = count > 3 ? atoi(arguments[3]) : 80;
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (strcmp(kind, "sockets") == 0) return make_sockets();
  if (strcmp(kind, "datagrams") == 0) return send_datagrams(address, port);
  if (strncmp(kind, "dns-", 4) == 0) return ask(kind + 4, address);
  return talk(kind, address, port);
}
