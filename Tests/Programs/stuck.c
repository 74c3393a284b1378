// stuck waits for what does not come.
//
//   stuck KIND [PATH]
//
// Nobody outside can end the wait of: pipes, poll, select, epoll, socketpair, lock, child, file-lock, input.
// Somebody could end that of: listener, fifo, pause.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void need(int condition, const char *what) {
  if (!condition) {
    perror(what);
    exit(1);
  }
}

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_barrier_t both_hold_one;

static void *take_both(void *argument) {
  int first = argument != NULL;
  pthread_mutex_lock(&locks[first]);
  pthread_barrier_wait(&both_hold_one);
  pthread_mutex_lock(&locks[!first]);
  return NULL;
}

static int read_from(int descriptor) {
  char byte;
  return read(descriptor, &byte, 1) == 1 ? 0 : 1;
}

int main(int count, char **words) {
  const char *kind = count > 1 ? words[1] : "";
  int first[2], second[2];
  need(pipe(first) == 0 && pipe(second) == 0, "pipe");
  if (strcmp(kind, "pipes") == 0) {
    // Each waits for the other's word.
    return fork() == 0 ? read_from(first[0]) : read_from(second[0]);
  }
  if (strcmp(kind, "poll") == 0) {
    struct pollfd entries[2] = {{.fd = first[0], .events = POLLIN}, {.fd = -1}};
    return poll(entries, 2, -1);
  }
  if (strcmp(kind, "select") == 0) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(first[0], &set);
    return select(first[0] + 1, &set, NULL, NULL, NULL);
  }
  if (strcmp(kind, "epoll") == 0) {
    int inner = epoll_create1(0);
    int outer = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    need(epoll_ctl(inner, EPOLL_CTL_ADD, first[0], &event) == 0, "epoll_ctl");
    need(epoll_ctl(outer, EPOLL_CTL_ADD, inner, &event) == 0, "epoll_ctl");
    return epoll_wait(outer, &event, 1, -1);
  }
  if (strcmp(kind, "socketpair") == 0) {
    int ends[2];
    need(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
    return read_from(ends[0]);
  }
  if (strcmp(kind, "lock") == 0) {
    pthread_t thread;
    pthread_barrier_init(&both_hold_one, NULL, 2);
    need(pthread_create(&thread, NULL, take_both, locks) == 0, "pthread_create");
    take_both(NULL);
  }
  if (strcmp(kind, "child") == 0) {
    if (fork() == 0) return read_from(0);
    return wait(NULL) > 0 ? 0 : 1;
  }
  if (strcmp(kind, "file-lock") == 0) {
    int held = open(words[0], O_RDONLY);
    need(flock(held, LOCK_EX) == 0, "flock");
    if (fork() == 0) {
      int wanted = open(words[0], O_RDONLY);
      return flock(wanted, LOCK_EX);
    }
    return wait(NULL) > 0 ? 0 : 1;
  }
  if (strcmp(kind, "input") == 0) return read_from(0);
  if (strcmp(kind, "listener") == 0) {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    need(bind(listener, (struct sockaddr *)&address, sizeof address) == 0, "bind");
    need(listen(listener, 1) == 0, "listen");
    return accept(listener, NULL, NULL);
  }
  if (strcmp(kind, "fifo") == 0) {
    need(mkfifo(words[2], 0600) == 0, "mkfifo");
    int fifo = open(words[2], O_RDWR);
    need(unlink(words[2]) == 0, "unlink");
    return read_from(fifo);
  }
  if (strcmp(kind, "pause") == 0) return pause();
  fprintf(stderr, "usage: stuck KIND [PATH]\n");
  return 2;
}
