#ifndef SCENARIO_ASKED_PROGRAM_H
#define SCENARIO_ASKED_PROGRAM_H

#include <sys/types.h>

// A program that is asked for decisions by its standard input, and answers by its standard output.

struct scenario_asked_program {
  char *const *arguments;    // ends with NULL; the first is looked for in PATH, unless there is a slash in it
  char *const *environment;  // ends with NULL
  int standard_input;        // descriptors of the runner, 3 or more
  int standard_output;
  int standard_error;
};

// Starts a program in a process group of its own, with the umask(2), the limits and the signals of a target, as a child
// of the calling thread. Returns 0 or the errno of what failed, the program's execve(2) included.
int scenario_start_asked_program(const struct scenario_asked_program *program, pid_t *process);

#endif
