#ifndef SCENARIO_LAUNCH_H
#define SCENARIO_LAUNCH_H

#include <linux/filter.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

// How a program under test is started: clone, wait until the tracer holds the child, install the system
// call filter, exec.

// umask(2) in a case's folders: the usual one, whoever runs the runner.
enum { SCENARIO_FILE_MODE_MASK = 022 };

// RLIMIT_CORE there: too little for a file, and the one value with which the kernel starts no program for dumps
// either (core(5): a pattern that begins with "|"), for which 0 is no limit.
enum { SCENARIO_CORE_LIMIT = 1 };

// What the child was doing when it failed.
enum scenario_launch_stage {
  SCENARIO_LAUNCH_DONE = 0,
  SCENARIO_LAUNCH_PIPE = 1,         // runner: mmap(2), pipe2(2)
  SCENARIO_LAUNCH_FORK = 2,         // runner: clone(2)
  SCENARIO_LAUNCH_TRACE = 3,        // runner: PTRACE_SEIZE
  SCENARIO_LAUNCH_DIRECTORY = 4,    // child: chdir(2)
  SCENARIO_LAUNCH_STREAMS = 5,      // child: dup2(2)
  SCENARIO_LAUNCH_PRIVILEGES = 6,   // child: PR_SET_NO_NEW_PRIVS
  SCENARIO_LAUNCH_FILTER = 7,       // child: seccomp(2)
  SCENARIO_LAUNCH_EXEC = 8,         // child: execve(2)
  SCENARIO_LAUNCH_TERMINAL = 9,     // child: TIOCSCTTY
};

// Lets this process have as many descriptors as it may, 65,536 at most; what it launches gets the limit of before.
// Called once, before any other thread exists.
void scenario_raise_file_limit(void);

// Child only; async-signal-safe, and leaves errno alone. Sets the umask(2) and the soft limits of a target: what the
// runner's user has would decide which files it leaves, with which modes, and whether its shell says "core dumped".
void scenario_set_usual_limits(bool keeps_mask);

// Child only; async-signal-safe, and leaves errno alone. Goes back to the dispositions and the mask of signals that a
// program expects at its start.
void scenario_reset_signals(void);

struct scenario_launch_request {
  const char *path;                  // the program; no search
  char *const *arguments;            // ends with NULL
  char *const *environment;          // ends with NULL
  const char *directory;             // the working directory
  int standard_input;                // descriptors of the runner
  int standard_output;
  int standard_error;
  const struct sock_filter *filter;  // NULL: no filter
  uint16_t filter_length;
  uint64_t memory_limit;             // RLIMIT_DATA; 0: as it is
  uint64_t file_limit;               // RLIMIT_NOFILE; 0: as it is
  bool keeps_mask;                   // works in a folder of the user's, whose umask(2) holds
  bool is_seeded;                    // the same in each run: no randomisation of the address space, where
                                     // that may be asked for, and a fault where the time stamp counter is read
  int processor;                     // the only one that it may run on; -1: any
  bool has_terminal;                 // standard input is a terminal, to become the controlling terminal of a
                                     // session that the program leads; a process group of its own otherwise
};

// What the child reads until it runs its program.
struct scenario_launch_memory;

struct scenario_launch_result {
  pid_t process;                     // -1 on failure
  struct scenario_launch_memory *memory;  // to be released when the program runs or the child has ended
  int error_pipe;                    // read end: empty and closed once exec has succeeded
  enum scenario_launch_stage stage;  // where the runner's own part failed
  int error_number;
};

// Runs in the runner, on the thread that is to be the tracer. The child is seized with `options`
// (PTRACE_O_…) before it runs any of its part.
struct scenario_launch_result scenario_launch(const struct scenario_launch_request *request,
                                              uint64_t options);

// Gives back what `scenario_launch` allocated for a child that has run its program or ended.
void scenario_launch_release(struct scenario_launch_memory *memory);

// pipe2(2), both ends close-on-exec. Returns 0 or an errno.
int scenario_open_pipe(int *read_end, int *write_end);

// Reads the child's own report from `error_pipe`, which must be at its end or hold a report.
// Returns SCENARIO_LAUNCH_DONE if exec succeeded.
enum scenario_launch_stage scenario_launch_report(int error_pipe, int *error_number);

#endif
