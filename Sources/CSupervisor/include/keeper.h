#ifndef SCENARIO_KEEPER_H
#define SCENARIO_KEEPER_H

#include <stdint.h>
#include <sys/types.h>

// A command that is not supervised has a keeper: a process between it and the runner, to which every process
// falls whose parents have ended (PR_SET_CHILD_SUBREAPER of prctl(2)), whatever group or session
// it has made for itself. The keeper ends them all when the runner says so, or is gone.

struct scenario_helper_request {
  const char *path;          // the program; no search
  char *const *arguments;    // ends with NULL
  char *const *environment;  // ends with NULL
  const char *directory;     // the working directory
  int standard_input;        // descriptors of the runner, 3 or more
  int standard_output;
  int standard_error;
  int tells_of;              // what it is to tell of, as bits of enum scenario_subject (call_witness.h)
};

struct scenario_helper {
  pid_t keeper;  // a child of the runner
  int control;   // to be closed when everything is to end
  int news;      // where the keeper tells of the command's end
  int told_calls;  // where its calls are told of; -1 if they are not
};

// Starts a command with its keeper. Returns 0 or the errno of what failed, the program's execve(2) included.
int scenario_start_helper(const struct scenario_helper_request *request,
                          struct scenario_helper *helper);

// Reads from `news`: 1 and the status of wait(2) if the command has ended, 0 if it has not, -1 if that is unknown.
int scenario_helper_end(int news, int *status);

#endif
