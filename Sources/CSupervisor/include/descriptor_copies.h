#ifndef SCENARIO_DESCRIPTOR_COPIES_H
#define SCENARIO_DESCRIPTOR_COPIES_H

#include <stdbool.h>
#include <stdint.h>

// A child has a copy of every descriptor of this process until it closes it or runs a program. As long as it has, a
// close(2) in this process closes nothing: no FIN, no RST and no end of a pipe goes out (close(2): the open file is
// released with its last descriptor). Several cases share the table of descriptors, so that the launch of the
// one holds back what the other has closed.
//
// Whoever makes a child says so before, and when the child has no copies left, with the two functions below. All
// functions may be called from any thread.

// A child is about to be made.
void scenario_begin_copies(void);

// Either it has closed what it need not have, or it was not made.
void scenario_end_copies(void);

// Whether no child has copies now; `number` is how many have been announced so far: if it is the same later, and
// there are none then, there were none between.
bool scenario_has_no_copies(uint64_t *number);

// Child only; async-signal-safe, and leaves errno alone. Closes all descriptors from 3 on but those that are kept,
// which this puts in order.
void scenario_close_copies(int *kept, int count);

#endif
