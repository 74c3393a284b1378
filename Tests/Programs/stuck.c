// stuck waits for what does not come.
//
//   stuck KIND [PATH]
//
// Nobody outside can end the wait of: pipes, poll, select, epoll, socketpair, lock, child, file-lock,
// left-lock, record-lock, record-lock-end, open-file-lock, input, fifo, fifo-open, tcp, tcp-mapped,
// tcp-unaccepted.
// Somebody could end that of: listener, pause, outside-lock (PATH), old-fifo (PATH), old-fifo-open (PATH),
// tcp-outside (PATH is a port).

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
#include <time.h>
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

// Lets some real time pass: more than the kernel's clock for files takes to move.
static void compute(void) {
  struct timespec spent;
  do {
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
  } while (spent.tv_sec == 0 && spent.tv_nsec < 20000000);
}

static int read_from(int descriptor) {
  char byte;
  return read(descriptor, &byte, 1) == 1 ? 0 : 1;
}

static int lock_range(int descriptor, int command, short origin, off_t start, off_t length) {
  struct flock range = {.l_type = F_WRLCK, .l_whence = origin, .l_start = start, .l_len = length};
  return fcntl(descriptor, command, &range);
}

// A file without a name, of ten bytes.
static int scratch_file(void) {
  char name[] = "/tmp/scenario-stuck-XXXXXX";
  int file = mkstemp(name);
  need(file >= 0 && unlink(name) == 0 && write(file, "0123456789", 10) == 10, "mkstemp");
  return file;
}

static int again(int descriptor) {
  char name[32];
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  return open(name, O_RDWR);
}

// One side of a connection in each of two processes, which wait for each other.
static int wait_for_each_other(int family) {
  int listener = socket(family, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct sockaddr_in6 any = {.sin6_family = AF_INET6};
  socklen_t length = family == AF_INET ? sizeof address : sizeof any;
  struct sockaddr *place = family == AF_INET ? (struct sockaddr *)&address : (struct sockaddr *)&any;
  need(bind(listener, place, length) == 0 && listen(listener, 1) == 0, "listen");
  need(getsockname(listener, place, &length) == 0, "getsockname");
  if (family == AF_INET6) address.sin_port = any.sin6_port;
  int near = socket(AF_INET, SOCK_STREAM, 0);
  need(connect(near, (struct sockaddr *)&address, sizeof address) == 0, "connect");
  int far = accept(listener, NULL, NULL);
  close(listener);
  if (fork() == 0) {
    close(near);
    return read_from(far);
  }
  close(far);
  return read_from(near);
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
  if (strcmp(kind, "left-lock") == 0) {
    // Who took it has ended; this process has the open file to which it belongs.
    int held = scratch_file();
    if (fork() == 0) return flock(held, LOCK_EX);
    need(wait(NULL) > 0, "wait");
    return flock(again(held), LOCK_EX);
  }
  if (strcmp(kind, "record-lock") == 0 || strcmp(kind, "record-lock-end") == 0) {
    int held = scratch_file();
    need(lock_range(held, F_SETLK, SEEK_SET, 3, 4) == 0, "fcntl");
    if (fork() == 0) {
      lseek(held, 1, SEEK_SET);
      return strcmp(kind, "record-lock") == 0 ? lock_range(held, F_SETLKW, SEEK_CUR, 5, 0)
                                              : lock_range(held, F_SETLKW, SEEK_END, -2, -2);
    }
    return wait(NULL) > 0 ? 0 : 1;
  }
  if (strcmp(kind, "open-file-lock") == 0) {
    int held = scratch_file();
    need(lock_range(held, F_OFD_SETLK, SEEK_SET, 0, 1) == 0, "fcntl");
    return lock_range(again(held), F_OFD_SETLKW, SEEK_SET, 0, 0);
  }
  if (strcmp(kind, "outside-lock") == 0) {
    int wanted = open(words[2], O_RDWR);
    // Its own lock on another range is not in its way.
    need(lock_range(wanted, F_SETLK, SEEK_SET, 100, 1) == 0, "fcntl");
    return lock_range(wanted, F_SETLKW, SEEK_SET, 0, 200);
  }
  if (strcmp(kind, "tcp") == 0) return wait_for_each_other(AF_INET);
  if (strcmp(kind, "tcp-mapped") == 0) return wait_for_each_other(AF_INET6);
  if (strcmp(kind, "tcp-unaccepted") == 0 || strcmp(kind, "tcp-outside") == 0) {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (strcmp(kind, "tcp-outside") == 0) {
      address.sin_port = htons(atoi(words[2]));
    } else {
      need(bind(listener, (struct sockaddr *)&address, length) == 0, "bind");
      need(listen(listener, 1) == 0, "listen");
      need(getsockname(listener, (struct sockaddr *)&address, &length) == 0, "getsockname");
    }
    int near = socket(AF_INET, SOCK_STREAM, 0);
    need(connect(near, (struct sockaddr *)&address, length) == 0, "connect");
    return read_from(near);
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
    compute();
    need(mkfifo(words[2], 0600) == 0, "mkfifo");
    int fifo = open(words[2], O_RDWR);
    need(unlink(words[2]) == 0, "unlink");
    return read_from(fifo);
  }
  if (strcmp(kind, "fifo-open") == 0) {
    compute();
    need(mkfifo(words[2], 0600) == 0, "mkfifo");
    return open(words[2], O_WRONLY);
  }
  if (strcmp(kind, "old-fifo") == 0) return read_from(open(words[2], O_RDWR));
  if (strcmp(kind, "old-fifo-open") == 0) return open(words[2], O_WRONLY);
  if (strcmp(kind, "pause") == 0) return pause();
  fprintf(stderr, "usage: stuck KIND [PATH]\n");
  return 2;
}
