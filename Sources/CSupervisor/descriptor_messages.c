#include "descriptor_messages.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union control {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(SCENARIO_MESSAGE_DESCRIPTORS * sizeof(int))];
};

int scenario_send_message(int socket, const void *bytes, size_t length, const int *descriptors,
                          size_t count) {
  if (count > SCENARIO_MESSAGE_DESCRIPTORS) {
    return EINVAL;
  }
  union control control;
  memset(&control, 0, sizeof control);
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (count > 0) {
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE(count * sizeof(int));
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(count * sizeof(int));
    memcpy(CMSG_DATA(header), descriptors, count * sizeof(int));
  }
  ssize_t sent;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? errno : 0;
}

ssize_t scenario_receive_message(int socket, void *bytes, size_t length,
                                 int descriptors[SCENARIO_MESSAGE_DESCRIPTORS]) {
  for (int index = 0; index < SCENARIO_MESSAGE_DESCRIPTORS; index++) {
    descriptors[index] = -1;
  }
  union control control;
  struct iovec part = {.iov_base = bytes, .iov_len = length};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = &control,
                           .msg_controllen = sizeof control};
  ssize_t count;
  do {
    count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  if (count < 0) {
    return -errno;
  }
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) {
      continue;
    }
    size_t size = header->cmsg_len - CMSG_LEN(0);
    if (size > SCENARIO_MESSAGE_DESCRIPTORS * sizeof(int)) {
      size = SCENARIO_MESSAGE_DESCRIPTORS * sizeof(int);
    }
    memcpy(descriptors, CMSG_DATA(header), size);
  }
  return count;
}
