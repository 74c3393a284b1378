#ifndef SCENARIO_CALL_WITNESS_H
#define SCENARIO_CALL_WITNESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

// A process that is not traced tells of calls. It waits in each until it is let go, and makes it then, or gets a result
// that was given in its place (seccomp_unotify(2)). It gets no io_uring.

// What it tells of.
enum scenario_subject {
  // Each call by which it makes files durable (fsync, fdatasync, sync, syncfs, and msync with MS_SYNC), opens a file so
  // that it can change it, or changes a name.
  SCENARIO_TELLS_OF_FILES = 1,
  // connect(2), and sendto(2) with an address.
  SCENARIO_TELLS_OF_CONNECTIONS = 2,
};

// Such a call.
struct scenario_told_call {
  uint64_t identifier;    // for scenario_let_told_call_go
  pid_t thread;           // who makes it
  long number;            // the call; -1 for one of another architecture
  uint64_t arguments[6];
};

// Makes the caller, and all that it starts from now on, tell. Returns the descriptor from which that is read, or -1
// with errno. Where the caller may not ask for it otherwise, no_new_privs is set (prctl(2)).
// Runs in a child between fork and exec: async-signal-safe.
int scenario_tell_of_calls(int subjects);

// Reads the next call, once poll(2) says that there is one: 1 if there is, 0 if none can be read any more, -1 to ask again.
int scenario_receive_told_call(int listener, struct scenario_told_call *call);

// Whether a call still waits. If not, its thread's number may be another one's by now.
bool scenario_told_call_waits(int listener, uint64_t identifier);

// Lets a call be made.
void scenario_let_told_call_go(int listener, uint64_t identifier);

// Lets a call return a result without being made: a value, or an error number below zero.
void scenario_answer_told_call(int listener, uint64_t identifier, int64_t result);

// Sends a descriptor through a Unix socket; one below 0 is none.
void scenario_send_descriptor(int socket, int descriptor);

// Receives one; -1 if none was sent.
int scenario_receive_descriptor(int socket);

#endif
