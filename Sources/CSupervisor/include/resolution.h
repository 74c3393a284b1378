#ifndef SCENARIO_RESOLUTION_H
#define SCENARIO_RESOLUTION_H

// Path resolution that needs openat2(2), which has no wrapper in libc. Runs in the runner.

// Opens a path with `root` in the place of the root folder, also for links on the way; close-on-exec.
// Returns a descriptor, or -1 with errno.
int scenario_open_in_root(int root, const char *path, int flags);

// Opens a path from a folder as openat(2) does, but for one that goes through a link of proc(5) to what a process has open,
// such as /proc/1/fd/3: ELOOP, as for every path where openat2(2) is denied; close-on-exec.
// Returns a descriptor, or -1 with errno.
int scenario_open_without_magic_links(int folder, const char *path, int flags);

// Whether a path leads to nothing but what is below the folder `root` in its mount, wherever links on the way lead, or
// would if what it names were there. `follows` is 0 where a symbolic link at its end is meant itself.
// Returns 1, or 0 where it leads elsewhere or that cannot be told.
int scenario_stays_beneath(int root, const char *path, int follows);

#endif
