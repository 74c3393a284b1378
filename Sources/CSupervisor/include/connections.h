#ifndef SCENARIO_CONNECTIONS_H
#define SCENARIO_CONNECTIONS_H

#include <stdbool.h>
#include <stdint.h>

// The TCP sockets of this process's network namespace, as the kernel tells of them (sock_diag(7)).

struct scenario_connection {
  uint8_t local_address[16];   // IPv4 addresses as IPv6 has them: ::ffff:a.b.c.d
  uint8_t remote_address[16];
  uint16_t local_port;         // in the machine's order
  uint16_t remote_port;
  uint8_t state;               // TCP_ESTABLISHED and so on
  bool has_progress;           // whether the three last members are known
  uint32_t receive_queue;      // bytes that nobody has read; an unread FIN counts one
  uint32_t send_queue;         // bytes that the other side has not acknowledged; a FIN counts one
  uint64_t inode;              // 0: no process has it any more, or nobody has accepted it yet
  uint64_t unsent;             // bytes of the send queue that have not been sent at all
  uint64_t sent;               // bytes that have been sent since the connection began, each counted once
  uint64_t received;           // bytes that have arrived
};

// A socket to ask by; -1 where that is not allowed. To be closed.
int scenario_open_connection_list(void);

// Writes the connections that are neither listening nor in TIME_WAIT into `list`, `limit` at most, and returns how
// many there are, which may be more; -1 where the kernel does not answer.
int scenario_list_connections(int descriptor, bool asks_progress, struct scenario_connection *list,
                              int limit);

// Waits until each processor is through with what it does in softirqs now (membarrier(2): a grace period of RCU, in
// which every handler of packets runs); some ten milliseconds.
void scenario_await_softirqs(void);

#endif
