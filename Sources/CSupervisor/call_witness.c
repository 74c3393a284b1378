#include "call_witness.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define SCENARIO_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define SCENARIO_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// SECCOMP_USER_NOTIF_FLAG_CONTINUE of Linux 5.5.
enum { LET_GO = 1 };

// SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV of Linux 5.19: once a call has been read, no signal but a deadly one ends its wait.
// Without it, a call that a signal interrupts begins anew while it is made in the process's place.
enum { WAIT_KILLABLE = 1 << 5 };

// Two instructions that tell of a call, whatever its arguments.
#define TELL_OF(number)                                       \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1),        \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF)

// Those that tell of a call if one of its arguments has any of some bits.
#define TELL_IF(number, argument, bits)                                                      \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 4),                                       \
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[argument])),     \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), 0, 1),                                    \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),                                     \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

// Those that tell of a call if one of its arguments, a pointer, is not null.
#define TELL_IF_GIVEN(number, argument)                                                       \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 6),                                        \
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[argument])),      \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2),                                           \
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[argument]) + 4),  \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),                                           \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),                                      \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

// The bits of open(2) with which a file can be written, made or emptied; 020000000 is that of O_TMPFILE alone.
enum { CHANGES = O_ACCMODE | O_CREAT | O_TRUNC | 020000000 };

// From here on numbers are those of x32, which has calls of its own.
enum { FIRST_FOREIGN = 0x40000000 };

static const struct sock_filter beginning[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SCENARIO_ARCHITECTURE, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_FOREIGN, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
};

static const struct sock_filter files[] = {
    TELL_OF(SYS_fsync),
    TELL_OF(SYS_fdatasync),
    TELL_OF(SYS_syncfs),
    TELL_OF(SYS_sync),
    TELL_IF(SYS_msync, 2, MS_SYNC),
    TELL_IF(SYS_openat, 2, CHANGES),
    TELL_OF(SYS_openat2),
    TELL_IF(SYS_open_by_handle_at, 2, CHANGES),
    TELL_OF(SYS_truncate),
    TELL_OF(SYS_mkdirat),
    TELL_OF(SYS_mknodat),
    TELL_OF(SYS_symlinkat),
    TELL_OF(SYS_linkat),
    TELL_OF(SYS_unlinkat),
    TELL_OF(SYS_renameat),
    TELL_OF(SYS_renameat2),
    TELL_OF(SYS_bind),
#if defined(__x86_64__)
    TELL_IF(SYS_open, 1, CHANGES),
    TELL_OF(SYS_creat),
    TELL_OF(SYS_mkdir),
    TELL_OF(SYS_mknod),
    TELL_OF(SYS_symlink),
    TELL_OF(SYS_link),
    TELL_OF(SYS_unlink),
    TELL_OF(SYS_rmdir),
    TELL_OF(SYS_rename),
#endif
};

static const struct sock_filter connections[] = {
    TELL_OF(SYS_connect),
    TELL_IF_GIVEN(SYS_sendto, 4),
};

static const struct sock_filter end[] = {
    // What goes that way is not told of, and who finds no ring falls back.
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

enum { COUNT = sizeof beginning + sizeof files + sizeof connections + sizeof end };

static int listen_with(const struct sock_fprog *filter) {
  const unsigned flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
  long listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags | WAIT_KILLABLE, filter);
  if (listener < 0 && errno == EINVAL) {
    listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, filter);
  }
  return (int)listener;
}

int scenario_tell_of_calls(int subjects) {
  struct sock_filter program[COUNT / sizeof(struct sock_filter)];
  size_t length = 0;
#define APPEND(part)                                            \
  memcpy(program + length, part, sizeof part);                  \
  length += sizeof part / sizeof *part
  APPEND(beginning);
  if ((subjects & SCENARIO_TELLS_OF_FILES) != 0) {
    APPEND(files);
  }
  if ((subjects & SCENARIO_TELLS_OF_CONNECTIONS) != 0) {
    APPEND(connections);
  }
  APPEND(end);
  const struct sock_fprog filter = {(unsigned short)length, program};
  int listener = listen_with(&filter);
  if (listener < 0 && errno == EACCES && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
    listener = listen_with(&filter);
  }
  return listener;
}

int scenario_receive_told_call(int listener, struct scenario_told_call *call) {
  struct seccomp_notif notification;
  memset(&notification, 0, sizeof notification);
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notification) != 0) {
    // Who has ended in the meantime tells no more.
    return errno == EINTR || errno == ENOENT ? -1 : 0;
  }
  call->identifier = notification.id;
  call->thread = (pid_t)notification.pid;
  call->number = notification.data.arch == SCENARIO_ARCHITECTURE ? notification.data.nr : -1;
  for (int index = 0; index < 6; index++) {
    call->arguments[index] = notification.data.args[index];
  }
  return 1;
}

bool scenario_told_call_waits(int listener, uint64_t identifier) {
  return ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &identifier) == 0;
}

static void answer(int listener, const struct seccomp_notif_resp *answer) {
  while (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, answer) != 0 && errno == EINTR) {
  }
}

void scenario_let_told_call_go(int listener, uint64_t identifier) {
  struct seccomp_notif_resp none = {.id = identifier, .flags = LET_GO};
  answer(listener, &none);
}

void scenario_answer_told_call(int listener, uint64_t identifier, int64_t result) {
  struct seccomp_notif_resp given = {.id = identifier,
                                     .val = result < 0 ? 0 : result,
                                     .error = result < 0 ? (int32_t)result : 0};
  answer(listener, &given);
}

void scenario_send_descriptor(int socket, int descriptor) {
  char byte = 0;
  struct iovec content = {&byte, 1};
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {.msg_iov = &content, .msg_iovlen = 1};
  if (descriptor >= 0) {
    message.msg_control = &control;
    message.msg_controllen = sizeof control.bytes;
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
  }
  while (sendmsg(socket, &message, MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
}

int scenario_receive_descriptor(int socket) {
  char byte;
  struct iovec content = {&byte, 1};
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  struct msghdr message = {.msg_iov = &content,
                           .msg_iovlen = 1,
                           .msg_control = &control,
                           .msg_controllen = sizeof control.bytes};
  ssize_t count;
  do {
    count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  const struct cmsghdr *header = count == 1 ? CMSG_FIRSTHDR(&message) : NULL;
  if (header == NULL || header->cmsg_type != SCM_RIGHTS) {
    return -1;
  }
  int descriptor;
  memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}
