#include "connections.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// States by their numbers in the kernel's include/net/tcp_states.h, which is not among its headers for
// programs.
enum {
  ESTABLISHED = 1,
  SYN_SENT = 2,
  SYN_RECEIVED = 3,
  FIN_WAIT_1 = 4,
  CLOSE_WAIT = 8,
  LAST_ACK = 9,
  NEW_SYN_RECEIVED = 12,
};

#define STATES                                                                             \
  (1u << ESTABLISHED | 1u << SYN_SENT | 1u << SYN_RECEIVED | 1u << FIN_WAIT_1 | 1u << CLOSE_WAIT | \
   1u << LAST_ACK | 1u << NEW_SYN_RECEIVED)

struct listing {
  const uint16_t *ports;
  uint32_t port_count;
  struct scenario_connection *connections;
  uint32_t capacity;
  uint32_t count;
};

int scenario_open_connection_query(void) {
  return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
}

static int is_listed(const struct listing *listing, uint16_t port) {
  for (uint32_t index = 0; index < listing->port_count; index++) {
    if (listing->ports[index] == port) {
      return 1;
    }
  }
  return 0;
}

static void read_connection(struct listing *listing, struct nlmsghdr *header) {
  struct inet_diag_msg *message = NLMSG_DATA(header);
  uint16_t local = ntohs(message->id.idiag_sport);
  uint16_t remote = ntohs(message->id.idiag_dport);
  if (listing->count == listing->capacity ||
      (!is_listed(listing, local) && !is_listed(listing, remote))) {
    return;
  }
  uint8_t state = message->idiag_state;
  struct scenario_connection connection = {
      .local_port = local,
      .remote_port = remote,
      .is_opening = state == SYN_SENT || state == SYN_RECEIVED || state == NEW_SYN_RECEIVED,
  };
  struct rtattr *attribute = (struct rtattr *)(message + 1);
  int length = (int)header->nlmsg_len - (int)NLMSG_LENGTH(sizeof *message);
  for (; RTA_OK(attribute, length); attribute = RTA_NEXT(attribute, length)) {
    if (attribute->rta_type != INET_DIAG_INFO) {
      continue;
    }
    // Older kernels send a shorter structure: what they do not know stays zero on both sides.
    struct tcp_info info = {0};
    size_t size = RTA_PAYLOAD(attribute);
    memcpy(&info, RTA_DATA(attribute), size < sizeof info ? size : sizeof info);
    connection.unsent = info.tcpi_notsent_bytes;
    connection.sent = info.tcpi_bytes_sent - info.tcpi_bytes_retrans;
    connection.received = info.tcpi_bytes_received;
  }
  listing->connections[listing->count++] = connection;
}

static int list_family(int query, uint8_t family, struct listing *listing) {
  struct {
    struct nlmsghdr header;
    struct inet_diag_req_v2 request;
  } question = {
      .header = {.nlmsg_len = sizeof question,
                 .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                 .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
      .request = {.sdiag_family = family,
                  .sdiag_protocol = IPPROTO_TCP,
                  .idiag_ext = 1u << (INET_DIAG_INFO - 1),
                  .idiag_states = STATES},
  };
  if (send(query, &question, sizeof question, 0) < 0) {
    return -errno;
  }
  _Alignas(struct nlmsghdr) char buffer[32768];
  for (;;) {
    ssize_t received = recv(query, buffer, sizeof buffer, 0);
    if (received < 0 && errno == EINTR) {
      continue;
    }
    if (received <= 0) {
      return received == 0 ? 0 : -errno;
    }
    uint32_t length = (uint32_t)received;
    for (struct nlmsghdr *header = (struct nlmsghdr *)buffer; NLMSG_OK(header, length);
         header = NLMSG_NEXT(header, length)) {
      if (header->nlmsg_type == NLMSG_DONE) {
        return 0;
      }
      if (header->nlmsg_type == NLMSG_ERROR) {
        return ((struct nlmsgerr *)NLMSG_DATA(header))->error;
      }
      read_connection(listing, header);
    }
  }
}

int scenario_list_connections(int query, const uint16_t *ports, uint32_t port_count,
                              struct scenario_connection *connections, uint32_t capacity) {
  struct listing listing = {.ports = ports,
                            .port_count = port_count,
                            .connections = connections,
                            .capacity = capacity};
  int error = list_family(query, AF_INET, &listing);
  if (error == 0) {
    error = list_family(query, AF_INET6, &listing);
  }
  return error < 0 ? error : (int)listing.count;
}
