#ifndef SCENARIO_CONNECTIONS_H
#define SCENARIO_CONNECTIONS_H

#include <stdint.h>

// What the kernel knows of TCP connections on this machine, by sock_diag(7). Runs in the runner.

struct scenario_connection {
  uint16_t local_port;
  uint16_t remote_port;
  uint8_t is_opening;          // SYN_SENT or SYN_RECV
  uint32_t unsent;             // bytes accepted from the program and not sent yet
  uint64_t sent;               // bytes sent, repetitions not counted
  uint64_t received;           // bytes received in order, read by the program or not
};

// Opens a socket for questions; -1 with errno on failure.
int scenario_open_connection_query(void);

// Lists the connections that have one of `ports` at either end. Returns how many were written to
// `connections`, at most `capacity`, or a negative errno.
int scenario_list_connections(int query, const uint16_t *ports, uint32_t port_count,
                              struct scenario_connection *connections, uint32_t capacity);

#endif
