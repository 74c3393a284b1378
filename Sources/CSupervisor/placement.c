#include "placement.h"

#include <sched.h>
#include <string.h>

static int put(pid_t thread, int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  return sched_setaffinity(thread, sizeof set, &set) == 0;
}

int scenario_place(pid_t thread, struct scenario_placement *placement) {
  cpu_set_t set;
  _Static_assert(sizeof set == sizeof placement->mask, "a set of processors fits");
  int processor = sched_getcpu();
  if (processor < 0 || processor >= CPU_SETSIZE || sched_getaffinity(thread, sizeof set, &set) != 0 ||
      CPU_COUNT(&set) < 2 || !CPU_ISSET(processor, &set) || !put(thread, processor)) {
    return 0;
  }
  memcpy(placement->mask, &set, sizeof set);
  placement->processor = processor;
  return 1;
}

void scenario_place_again(pid_t thread, struct scenario_placement *placement) {
  int processor = sched_getcpu();
  if (processor == placement->processor || processor < 0 || processor >= CPU_SETSIZE) {
    return;
  }
  cpu_set_t set;
  memcpy(&set, placement->mask, sizeof set);
  if (CPU_ISSET(processor, &set) && put(thread, processor)) {
    placement->processor = processor;
  }
}

int scenario_follow(int processor, struct scenario_placement *own) {
  cpu_set_t set;
  if (processor < 0 || processor >= CPU_SETSIZE) {
    return 0;
  }
  if (own->processor < 0) {
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
      return 0;
    }
    memcpy(own->mask, &set, sizeof set);
  }
  memcpy(&set, own->mask, sizeof set);
  if (!CPU_ISSET(processor, &set) || !put(0, processor)) {
    return 0;
  }
  own->processor = processor;
  return 1;
}

void scenario_release_place(pid_t thread, const struct scenario_placement *placement) {
  cpu_set_t set;
  memcpy(&set, placement->mask, sizeof set);
  sched_setaffinity(thread, sizeof set, &set);
}

void scenario_copy_place(pid_t parent, pid_t child) {
  cpu_set_t wanted;
  cpu_set_t set;
  if (sched_getaffinity(parent, sizeof wanted, &wanted) == 0 &&
      sched_getaffinity(child, sizeof set, &set) == 0 && !CPU_EQUAL(&wanted, &set)) {
    sched_setaffinity(child, sizeof wanted, &wanted);
  }
}

int scenario_processor(void) { return sched_getcpu(); }
