#ifndef SCENARIO_RESOLUTION_H
#define SCENARIO_RESOLUTION_H

// Path resolution that needs openat2(2), which has no wrapper in libc. Runs in the runner.

// Opens a path with `root` in the place of the root folder, also for links on the way; close-on-exec.
// Returns a descriptor, or -1 with errno.
int scenario_open_in_root(int root, const char *path, int flags);

#endif
