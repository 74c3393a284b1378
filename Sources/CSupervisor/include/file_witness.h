#ifndef SCENARIO_FILE_WITNESS_H
#define SCENARIO_FILE_WITNESS_H

#include <stdint.h>
#include <sys/types.h>

// A process that is not traced tells of each call by which it makes files durable (fsync, fdatasync, sync, syncfs, and
// msync with MS_SYNC), opens a file so that it can change it, or changes a name. It waits in the call until it is let
// go, and makes it then (seccomp_unotify(2)). It gets no io_uring.

// Such a call.
struct scenario_file_call {
  uint64_t identifier;    // for scenario_let_file_call_go
  pid_t thread;           // who makes it
  long number;            // the call; -1 for one of another architecture
  uint64_t arguments[6];
};

// Makes the caller, and all that it starts from now on, tell. Returns the descriptor from which that is read, or -1
// with errno. Where the caller may not ask for it otherwise, no_new_privs is set (prctl(2)).
// Runs in a child between fork and exec: async-signal-safe.
int scenario_tell_of_files(void);

// Waits for the next call: 1 if there is one, 0 if nobody is left who could make one, -1 to ask again.
int scenario_next_file_call(int listener, struct scenario_file_call *call);

// Lets a call be made.
void scenario_let_file_call_go(int listener, uint64_t identifier);

// Sends a descriptor through a Unix socket; one below 0 is none.
void scenario_send_descriptor(int socket, int descriptor);

// Receives one; -1 if none was sent.
int scenario_receive_descriptor(int socket);

#endif
