#ifndef SCENARIO_PLACEMENT_H
#define SCENARIO_PLACEMENT_H

#include <sys/types.h>

// Where a thread may run by itself, and where it was put meanwhile. Runs in the runner.
struct scenario_placement {
  unsigned long mask[16];  // the processors that it may run on by itself
  int processor;           // the one that it was put on
};

// Puts a thread on the processor of the caller, and notes where it might run before. Returns 1, or 0
// if it may not run there, has no other choice anyway, or is gone.
int scenario_place(pid_t thread, struct scenario_placement *placement);

// Puts a thread that has been placed on the processor of the caller, should that be another by now.
void scenario_place_again(pid_t thread, struct scenario_placement *placement);

// Goes to a processor, and notes where this thread might run before if `own->processor` is negative. Returns
// 1, or 0 if it may not run there.
int scenario_follow(int processor, struct scenario_placement *own);

// Lets a thread, 0 for this one, run again wherever it may.
void scenario_release_place(pid_t thread, const struct scenario_placement *placement);

// Lets a child run where its parent may: it may have been born while the parent was placed.
void scenario_copy_place(pid_t parent, pid_t child);

// The processor that the calling thread has.
int scenario_processor(void);

#endif
