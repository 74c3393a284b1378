#include "sync_witness.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
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

int scenario_tell_of_syncs(void) {
  struct sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SCENARIO_ARCHITECTURE, 0, 8),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fsync, 7, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fdatasync, 6, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_syncfs, 5, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sync, 4, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_msync, 0, 2),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MS_SYNC, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
  };
  const struct sock_fprog filter = {sizeof program / sizeof *program, program};
  long listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
                          &filter);
  if (listener < 0 && errno == EACCES && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
    listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
                       &filter);
  }
  return (int)listener;
}

int scenario_next_sync(int listener, struct scenario_sync *sync) {
  struct pollfd place = {listener, POLLIN, 0};
  if (poll(&place, 1, -1) < 0) {
    return errno == EINTR ? -1 : 0;
  }
  if ((place.revents & POLLIN) == 0) {
    return place.revents != 0 ? 0 : -1;
  }
  struct seccomp_notif notification;
  memset(&notification, 0, sizeof notification);
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notification) != 0) {
    // Who has ended in the meantime tells no more.
    return errno == EINTR || errno == ENOENT ? -1 : 0;
  }
  sync->identifier = notification.id;
  sync->thread = (pid_t)notification.pid;
  sync->number = notification.data.nr;
  for (int index = 0; index < 6; index++) {
    sync->arguments[index] = notification.data.args[index];
  }
  return 1;
}

void scenario_let_sync_go(int listener, uint64_t identifier) {
  struct seccomp_notif_resp answer;
  memset(&answer, 0, sizeof answer);
  answer.id = identifier;
  answer.flags = LET_GO;
  while (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer) != 0 && errno == EINTR) {
  }
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
