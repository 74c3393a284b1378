#ifndef SCENARIO_TRACING_H
#define SCENARIO_TRACING_H

#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>
#include <time.h>

// ptrace(2) without its variable arguments, which Swift cannot call. Each function runs in the
// runner, on the thread that seized the tracee, and returns 0 or an errno.

// The options that every tracee is held with: follow the whole tree, kill it with the runner.
uint64_t scenario_trace_options(void);

int scenario_trace_get_registers(pid_t thread, struct user_regs_struct *registers);
int scenario_trace_set_registers(pid_t thread, const struct user_regs_struct *registers);
int scenario_trace_continue(pid_t thread, int signal);
int scenario_trace_continue_to_system_call(pid_t thread, int signal);
int scenario_trace_single_step(pid_t thread);
int scenario_trace_interrupt(pid_t thread);
// Lets signals wait that a stopped thread would get, but for the one that a single step ends with; `mask` is for putting
// back what it blocked itself.
int scenario_trace_hold_signals(pid_t thread, uint64_t *mask);
void scenario_trace_release_signals(pid_t thread, uint64_t mask);
int scenario_trace_listen(pid_t thread);
// The number of the call at which a thread stands for the filter; negative if it does not, or if the kernel does
// not tell (PTRACE_GET_SYSCALL_INFO came with Linux 5.3). Takes a fourth of the time that all registers take.
long scenario_trace_system_call(pid_t thread);
int scenario_trace_event_message(pid_t thread, uint64_t *message);

// The result of a wait, about one thread.
enum scenario_stop_kind {
  SCENARIO_STOP_NONE = 0,         // nothing to tell
  SCENARIO_STOP_EXITED = 1,       // value: exit code
  SCENARIO_STOP_KILLED = 2,       // value: signal
  SCENARIO_STOP_SYSTEM_CALL = 3,  // entry or exit of a system call
  SCENARIO_STOP_SECCOMP = 4,      // the filter said TRACE
  SCENARIO_STOP_FORK = 5,
  SCENARIO_STOP_VFORK = 6,
  SCENARIO_STOP_CLONE = 7,
  SCENARIO_STOP_VFORK_DONE = 8,
  SCENARIO_STOP_EXEC = 9,
  SCENARIO_STOP_EVENT = 10,       // PTRACE_EVENT_STOP: born, or interrupted
  SCENARIO_STOP_GROUP = 11,       // stopped with its group; value: signal
  SCENARIO_STOP_SIGNAL = 12,      // a signal is about to be delivered; value: signal
};

struct scenario_stop {
  pid_t thread;
  enum scenario_stop_kind kind;
  int value;
};

// The next stop of any tracee of this thread; never waits. SCENARIO_STOP_NONE with thread 0: nothing
// has happened; with thread -1: this thread has no tracees.
struct scenario_stop scenario_next_stop(void);

// The same of one tracee, which the kernel finds without looking at the others.
struct scenario_stop scenario_next_stop_of(pid_t thread);

// Has `scenario_next_stop` report a stop once more, which was taken by the wrong caller. Returns 1,
// or 0 if there are too many.
int scenario_hear_again(struct scenario_stop stop);

// Whether `scenario_next_stop` would tell of something; takes nothing. Returns 1 or 0.
int scenario_has_stop(void);

// The next stop of one tracee; waits for it.
struct scenario_stop scenario_await_stop(pid_t thread);

// Whether a signal is pending for a stopped thread or its process, blocked or not. Returns 1 or 0.
int scenario_has_pending_signal(pid_t thread);

// tgkill(2); returns 0 or an errno.
int scenario_send_signal(pid_t process, pid_t thread, int signal);

// Whether the signal with which a thread stands stopped is a general protection fault: SIGSEGV by the kernel
// itself, without an address. Returns 1 or 0.
int scenario_fault_of_kernel(pid_t thread);

// process_vm_writev(2): unlike /proc/PID/mem it heeds what the process may write. Returns whether all
// of it was written.
int scenario_write_as_process(pid_t process, const void *bytes, uint64_t count, uint64_t address);

// pidfd_open(2) and pidfd_getfd(2): a copy of the tracee's descriptor, or a negative errno.
int scenario_open_process(pid_t process);
int scenario_copy_descriptor(int process_descriptor, int descriptor);

// pidfd_open(2) with PIDFD_THREAD, since Linux 6.9: for a thread whose process's first thread has ended.
int scenario_open_thread(pid_t thread);

// Whether two threads share what the kernel takes away with the last who has it: the table of descriptors, and what is
// undone of semaphores (kcmp(2): KCMP_FILES, KCMP_SYSVSEM). Returns 1 or 0; 0 where that is not told.
int scenario_share_what_ends(pid_t thread, pid_t other);

// fcntl(2): takes off all locks that belong to an open file (F_OFD_SETLK). Returns 0 or an errno.
int scenario_unlock_open_file(int descriptor);

// Where the kernel has mapped its vDSO into the calling process; 0 if nowhere.
uint64_t scenario_kernel_vdso(void);

// Whether a file brings capabilities(7) along. Returns 1 or 0.
int scenario_has_capabilities(const char *path);

// When a file was made, by its file system's clock (statx(2): stx_btime). Returns 0, or -1 where that is
// not told.
int scenario_birth_time(int descriptor, struct timespec *birth);

// Whether other machines may have the file system of an open file, whose locks do not count here: NFS, SMB in its three
// kinds, 9P, and what programs serve (statfs(2): f_type). Returns 1 or 0; 1 where that is not told.
int scenario_is_shared(int descriptor);

// Whether an open file belongs to a file system of processes (proc(5)), wherever that is mounted (statfs(2): f_type).
int scenario_shows_processes(int descriptor);

#endif
