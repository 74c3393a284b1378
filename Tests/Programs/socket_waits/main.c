// socket_waits waits for sockets with timeouts (SO_RCVTIMEO, SO_SNDTIMEO), and with recvmmsg(2).
//
//   socket_waits CASE...      or all
//
// One line for each call that is of interest:
//
//   CASE result=R error=NAME elapsed_ms=N [rest]
//
// `elapsed_ms` is what CLOCK_MONOTONIC says, with all its digits.

#include "probe.h"

struct test_case {
  const char *name;
  case_body *body;
};

static const struct test_case cases[] = {
    {"recv", case_recv},
    {"recv-again", case_recv_again},
    {"read", case_read},
    {"readv", case_readv},
    {"recvfrom", case_recvfrom},
    {"recvfrom-address", case_recvfrom_address},
    {"recvmsg", case_recvmsg},
    {"accept", case_accept},
    {"accept4", case_accept4},
    {"splice-in", case_splice_in},
    {"inherit", case_inherit},
    {"dup", case_dup},
    {"fork", case_fork},
    {"exec", case_exec},
    {"passed", case_passed},
    {"jump", case_jump},
    {"children", case_children},
    {"computing", case_computing},
    {"ended-leader", case_ended_leader},
    {"terminal", case_terminal},
    {"data", case_data},
    {"all", case_all},
    {"end", case_pending_error},
    {"no-wait", case_no_wait},
    {"negative", case_negative},
    {"zero", case_zero},
    {"send", case_send},
    {"write", case_write},
    {"writev", case_writev},
    {"sendmsg", case_sendmsg},
    {"send-part", case_send_part},
    {"sendfile", case_sendfile},
    {"splice-out", case_splice_out},
    {"splice-pipe", case_splice_pipe},
    {"connect", case_connect},
    {"connect-local", case_connect_local},
    {"recvmmsg-late", case_recvmmsg_late},
    {"recvmmsg-some", case_recvmmsg_some},
    {"recvmmsg-all", case_recvmmsg_all},
    {"recvmmsg-one", case_recvmmsg_one},
    {"recvmmsg-socket", case_recvmmsg_socket},
    {"recvmmsg-socket-some", case_recvmmsg_socket_some},
    {"recvmmsg-both", case_recvmmsg_both},
    {"recvmmsg-socket-later", case_recvmmsg_socket_later},
    {"recvmmsg-wrong", case_recvmmsg_wrong},
    {"all-parts", case_all_parts},
    {"all-parts-local", case_all_parts_local},
    {"all-message", case_all_message},
    {"shared", case_shared},
    {"write-parts", case_write_parts},
    {"send-parts", case_send_parts},
    {"message-parts", case_message_parts},
    {"local-parts", case_local_parts},
    {"options", case_options},
    {"threads", case_threads},
};

int main(int count, char **arguments) {
  if (count == 4 && strcmp(arguments[1], "continue") == 0) {
    begin();
    tell(arguments[2], recv(atoi(arguments[3]), buffer, 10, 0));
    return 0;
  }
  for (size_t index = 0; count == 2 && index < sizeof cases / sizeof *cases; index += 1) {
    if (strcmp(arguments[1], cases[index].name) != 0) continue;
    cases[index].body(cases[index].name);
    return 0;
  }
  fprintf(stderr, "usage: socket_waits CASE\n");
  for (size_t index = 0; index < sizeof cases / sizeof *cases; index += 1) {
    fprintf(stderr, "  %s\n", cases[index].name);
  }
  return 2;
}
