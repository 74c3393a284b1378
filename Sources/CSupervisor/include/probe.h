#ifndef SCENARIO_PROBE_H
#define SCENARIO_PROBE_H

#include <sys/types.h>

// What the machine lets the runner do to a process, found out by doing it to a child.
//
// Each member is 0 where it works, an errno where it does not, and SCENARIO_PROBE_NOT_REACHED where
// something that it needs has failed.

#define SCENARIO_PROBE_NOT_REACHED -1

struct scenario_probe {
  int open_event;          // eventfd(2)
  int make_process;        // fork(2) and the shared page
  int trace;               // PTRACE_SEIZE
  int privileges;          // PR_SET_NO_NEW_PRIVS
  int filter;              // seccomp(2), SECCOMP_SET_MODE_FILTER
  int executable_mapping;  // mmap(2) of anonymous pages that can be executed
  int call_stop;           // SECCOMP_RET_TRACE stops the child at a call
  int call_result;         // the call was not made, and returned what the tracer said
  int read_memory;         // read of /proc/PID/mem
  int write_memory;        // write to /proc/PID/mem, into a page that the child may only read
  int write_as_process;    // process_vm_writev(2)
  int open_process;        // pidfd_open(2)
  int copy_descriptor;     // pidfd_getfd(2)
  int send_descriptor;     // the child sends a descriptor for the tracer (transfer.h)
  int answer_refused;      // a call that a filter from outside may refuse is answered (refusal.h)
  int fix_addresses;       // personality(2) with ADDR_NO_RANDOMIZE
  int thread_call;         // read of /proc/PID/task/TID/syscall
  int thread_state;        // read of /proc/PID/task/TID/stat
  int thread_schedule;     // read of /proc/PID/task/TID/schedstat
};

// Makes a child, does all of it, and waits for the child's end. The calling thread is the tracer.
struct scenario_probe scenario_probe_machine(void);

// Makes a system call, to be given arguments that change nothing. Returns its errno, or 0.
int scenario_call_error(long number, long first, long second, long third, long fourth);

#endif
