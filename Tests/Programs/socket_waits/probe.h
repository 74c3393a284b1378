// What the cases of socket_waits share.

#ifndef PROBE_H
#define PROBE_H

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct ends {
  int near;
  int far;
};

extern char buffer[1 << 16];
extern int64_t started_ns;

void require(bool is_fine, const char *what);
int64_t now_ns(void);
void sleep_ms(int count);
void begin(void);
const char *error_name(int error);
void tell(const char *name, long result);
void set_timeout(int descriptor, int option, int64_t seconds, int64_t microseconds);
struct ends pair(int type);
struct sockaddr_in loopback(void);
int listener(int backlog, struct sockaddr_in *address);
int connect_to(struct sockaddr_in address, bool waits);
struct ends tcp_pair(void);
int datagram_socket(struct sockaddr_in *address);
void fill(int descriptor);
pid_t beside(void (*body)(int), int argument);
void join(pid_t child);

// The cases: each tells what becomes of its calls.
typedef void case_body(const char *name);

case_body case_recv,
    case_recv_again,
    case_read,
    case_readv,
    case_recvfrom,
    case_recvfrom_address,
    case_recvmsg,
    case_accept,
    case_accept4,
    case_splice_in,
    case_inherit,
    case_dup,
    case_fork,
    case_exec,
    case_passed,
    case_jump,
    case_children,
    case_data,
    case_all,
    case_pending_error,
    case_no_wait,
    case_negative,
    case_zero,
    case_send,
    case_write,
    case_writev,
    case_sendmsg,
    case_send_part,
    case_sendfile,
    case_splice_out,
    case_splice_pipe,
    case_connect,
    case_connect_local,
    case_recvmmsg_late,
    case_recvmmsg_some,
    case_recvmmsg_all,
    case_recvmmsg_one,
    case_recvmmsg_socket,
    case_recvmmsg_socket_some,
    case_recvmmsg_both,
    case_recvmmsg_socket_later,
    case_recvmmsg_wrong,
    case_options,
    case_threads,
    case_all_parts,
    case_all_parts_local,
    case_all_message,
    case_shared,
    case_write_parts,
    case_send_parts,
    case_message_parts,
    case_local_parts,
    case_computing,
    case_ended_leader,
    case_terminal;

#endif
