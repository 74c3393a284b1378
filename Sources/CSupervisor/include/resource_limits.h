#ifndef SCENARIO_RESOURCE_LIMITS_H
#define SCENARIO_RESOURCE_LIMITS_H

// What the limits of this process (getrlimit(2)) mean for its memory and its threads. Both run in the runner.

// Gives each thread that is made later the same stack, whatever RLIMIT_STACK says, and, where the address space is
// limited, lets all of them share one arena of malloc(3): an arena of a thread's own reserves 64 MiB.
// To be called before any other thread exists.
void scenario_prepare_memory(void);

// How many threads can be there at once beside those that are, `wanted` at most, found out by making them.
int scenario_count_threads(int wanted);

#endif
