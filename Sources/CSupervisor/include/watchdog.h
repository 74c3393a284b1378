#ifndef SCENARIO_WATCHDOG_H
#define SCENARIO_WATCHDOG_H

// A process that ends a run whose runner has been stopped alone (SIGSTOP), and would stay so: no bound on time that
// the runner watches itself holds then. A stop of the runner's whole process group, as a terminal and `fg` make
// it, stops this process as well, and is none of its business.

// How long the runner may be stopped, in seconds.
#define SCENARIO_LONGEST_STOP 5

// Starts the process, which ends with this one. Call it once, before other threads exist. Returns 0 or an errno.
int scenario_start_watchdog(void);

#endif
