// Message queues, System V semaphores, signals as messages, and asynchronous reading.

#define _GNU_SOURCE
#include "probe.h"

#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <unistd.h>

// A queue for one message, which no other process can open.
static mqd_t make_queue(void) {
  char name[64];
  snprintf(name, sizeof name, "/waits-%d", (int)getpid());
  struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = 8};
  mqd_t queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);
  mq_unlink(name);
  return queue;
}

static bool wait_mq_timedreceive(int64_t milliseconds) {
  char message[8];
  mqd_t queue = make_queue();
  struct timespec deadline = after(CLOCK_REALTIME, milliseconds);
  return mq_timedreceive(queue, message, sizeof message, NULL, &deadline) == -1 &&
         errno == ETIMEDOUT;
}

static bool wait_mq_timedsend(int64_t milliseconds) {
  mqd_t queue = make_queue();
  if (mq_send(queue, "x", 1, 0) != 0) return false;
  struct timespec deadline = after(CLOCK_REALTIME, milliseconds);
  return mq_timedsend(queue, "x", 1, 0, &deadline) == -1 && errno == ETIMEDOUT;
}

static bool wait_semtimedop(int64_t milliseconds) {
  int semaphores = semget(IPC_PRIVATE, 1, 0600);
  struct sembuf take = {.sem_num = 0, .sem_op = -1};
  struct timespec timeout = length(milliseconds);
  int result = semtimedop(semaphores, &take, 1, &timeout);
  int error = errno;
  semctl(semaphores, 0, IPC_RMID);
  errno = error;
  return result == -1 && error == EAGAIN;
}

static bool wait_sigtimedwait(int64_t milliseconds) {
  sigset_t signals;
  sigset_t before;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR2);
  sigprocmask(SIG_BLOCK, &signals, &before);
  struct timespec timeout = length(milliseconds);
  int result = sigtimedwait(&signals, NULL, &timeout);
  int error = errno;
  sigprocmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return result == -1 && error == EAGAIN;
}

static bool wait_aio_suspend(int64_t milliseconds) {
  static char byte;
  static struct aiocb request;
  request = (struct aiocb){.aio_fildes = quiet_descriptor(), .aio_buf = &byte, .aio_nbytes = 1};
  if (aio_read(&request) != 0) return false;
  const struct aiocb *list[] = {&request};
  struct timespec timeout = length(milliseconds);
  return aio_suspend(list, 1, &timeout) == -1 && errno == EAGAIN;
}

static bool wait_io_getevents(int64_t milliseconds) {
  unsigned long context = 0;
  char event[32];
  if (syscall(SYS_io_setup, 1, &context) != 0) return false;
  struct timespec timeout = length(milliseconds);
  long result = syscall(SYS_io_getevents, context, 1, 1, event, &timeout);
  syscall(SYS_io_destroy, context);
  return result == 0;
}

const struct wait_row queue_rows[] = {
    {"mq_timedreceive", wait_mq_timedreceive},
    {"mq_timedsend", wait_mq_timedsend},
    {"semtimedop", wait_semtimedop},
    {"sigtimedwait", wait_sigtimedwait},
    {"aio_suspend", wait_aio_suspend},
    {"io_getevents", wait_io_getevents},
    {NULL, NULL},
};
