#include "connections.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/membarrier.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BUFFER_SIZE = 16384, STATE_TIME_WAIT = 6, STATE_LISTEN = 10, ALL_STATES = 0xfff };

int scenario_open_connection_list(void) {
  return socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
}

static bool ask(int descriptor, bool asks_progress) {
  // The older form of the question is answered for both families at once.
  struct {
    struct nlmsghdr header;
    struct inet_diag_req question;
  } message;
  memset(&message, 0, sizeof message);
  message.header.nlmsg_len = sizeof message;
  message.header.nlmsg_type = TCPDIAG_GETSOCK;
  message.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
  message.question.idiag_family = AF_INET;
  message.question.idiag_states = ALL_STATES & ~(1 << STATE_TIME_WAIT) & ~(1 << STATE_LISTEN);
  message.question.idiag_ext = asks_progress ? 1 << (INET_DIAG_INFO - 1) : 0;
  return send(descriptor, &message, sizeof message, 0) == (ssize_t)sizeof message;
}

static void copy_address(uint8_t address[16], int family, const __be32 *source) {
  if (family == AF_INET6) {
    memcpy(address, source, 16);
    return;
  }
  memset(address, 0, 16);
  address[10] = 0xff;
  address[11] = 0xff;
  memcpy(address + 12, source, 4);
}

static void read_progress(struct scenario_connection *connection, const struct rtattr *attribute) {
  struct tcp_info information;
  if (RTA_PAYLOAD(attribute) <
      offsetof(struct tcp_info, tcpi_bytes_retrans) + sizeof information.tcpi_bytes_retrans) {
    return;
  }
  memset(&information, 0, sizeof information);
  const size_t size = RTA_PAYLOAD(attribute);
  memcpy(&information, RTA_DATA(attribute), size < sizeof information ? size : sizeof information);
  connection->has_progress = true;
  connection->unsent = information.tcpi_notsent_bytes;
  connection->sent = information.tcpi_bytes_sent - information.tcpi_bytes_retrans;
  connection->received = information.tcpi_bytes_received;
}

static void read_connection(struct scenario_connection *connection, const struct nlmsghdr *header) {
  const struct inet_diag_msg *message = NLMSG_DATA(header);
  memset(connection, 0, sizeof *connection);
  copy_address(connection->local_address, message->idiag_family, message->id.idiag_src);
  copy_address(connection->remote_address, message->idiag_family, message->id.idiag_dst);
  connection->local_port = ntohs(message->id.idiag_sport);
  connection->remote_port = ntohs(message->id.idiag_dport);
  connection->state = message->idiag_state;
  connection->receive_queue = message->idiag_rqueue;
  connection->send_queue = message->idiag_wqueue;
  connection->inode = message->idiag_inode;
  int left = (int)(header->nlmsg_len - NLMSG_LENGTH(sizeof *message));
  for (const struct rtattr *attribute = (const void *)(message + 1); RTA_OK(attribute, left);
       attribute = RTA_NEXT(attribute, left)) {
    if (attribute->rta_type == INET_DIAG_INFO) {
      read_progress(connection, attribute);
    }
  }
}

int scenario_list_connections(int descriptor, bool asks_progress, struct scenario_connection *list,
                              int limit) {
  if (!ask(descriptor, asks_progress)) {
    return -1;
  }
  _Alignas(struct nlmsghdr) char buffer[BUFFER_SIZE];
  int count = 0;
  for (;;) {
    ssize_t received = recv(descriptor, buffer, sizeof buffer, 0);
    if (received < 0 && errno == EINTR) {
      continue;
    }
    if (received <= 0) {
      return -1;
    }
    int left = (int)received;
    for (const struct nlmsghdr *header = (const void *)buffer; NLMSG_OK(header, (unsigned)left);
         header = NLMSG_NEXT(header, left)) {
      if (header->nlmsg_type == NLMSG_DONE) {
        return count;
      }
      if (header->nlmsg_type == NLMSG_ERROR) {
        return -1;
      }
      if (count < limit) {
        read_connection(&list[count], header);
      }
      count++;
    }
  }
}

void scenario_await_softirqs(void) {
  syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
}
