#ifndef SCENARIO_DUMPABLE_H
#define SCENARIO_DUMPABLE_H

#include <sys/types.h>

// The runner's own dumpable flag (prctl(2): PR_SET_DUMPABLE). A runner without it is closed to the processes
// of its user: ptrace(2), process_vm_readv(2), pidfd_getfd(2) and the private files of /proc/PID fail. Only
// CAP_SYS_PTRACE gets past it.

// Takes the flag away for good. Returns 0 or an errno.
int scenario_close_process(void);

// Descendants whose parents have ended fall to this process from now on, as they fall to init(8) otherwise
// (prctl(2): PR_SET_CHILD_SUBREAPER); the end of one that a thread of this process traces is taken with its trace.
void scenario_adopt_orphans(void);

// Between these two the flag is there, for what the runner must let happen: the seizure of a child that still
// shares its memory, an open of its own files of /proc, which belong to root otherwise. They nest, on any
// thread, and do nothing in a process that has never been closed. They leave errno alone.
void scenario_begin_opening(void);
void scenario_end_opening(void);

// open(2) for reading, close-on-exec, of a file of /proc that may be this process's own. Returns a descriptor,
// or -1 with errno.
int scenario_open_own_file(const char *path);

// Between these two the calling thread has the user and the group of a process that it traces, so that its
// files of /proc are open to root without CAP_SYS_PTRACE, as in containers: ptrace(2), "Ptrace access mode checking",
// asks for equal users. Its effective user stays root, which may go back (setresuid(2), setfsuid(2)). The first returns 1,
// or 0 where that is not permitted (CAP_SETUID, CAP_SETGID), and then nothing is to be returned. No other thread
// borrows or opens the process meanwhile; do not nest. The second leaves errno alone.
int scenario_borrow_identity(uid_t user, gid_t group);
void scenario_return_identity(void);

#endif
