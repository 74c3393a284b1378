#ifndef SCENARIO_DESCRIPTOR_MESSAGES_H
#define SCENARIO_DESCRIPTOR_MESSAGES_H

#include <stddef.h>
#include <sys/types.h>

// Messages over sockets of AF_UNIX with descriptors in them (unix(7): SCM_RIGHTS), which Swift cannot put together
// as their lengths are macros. Run in the runner and in processes that talk to it.

enum {
  // How many descriptors a message holds at most.
  SCENARIO_MESSAGE_DESCRIPTORS = 3,
};

// Sends bytes with `count` descriptors. Returns 0 or an errno.
int scenario_send_message(int socket, const void *bytes, size_t length, const int *descriptors,
                          size_t count);

// Receives at most `length` bytes, and the descriptors that come with them, which are closed in programs that are
// started; those that did not come are -1. Returns the number of bytes, 0 at the end, or a negative errno.
ssize_t scenario_receive_message(int socket, void *bytes, size_t length,
                                 int descriptors[SCENARIO_MESSAGE_DESCRIPTORS]);

#endif
