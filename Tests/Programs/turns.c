// Threads and processes whose order is a race, for a runner that decides it.
//
//   turns lock     threads that take a lock, write, and let it go; prints who had it when
//   chunks         a reader that sleeps while another thread writes twice; prints how much each read has got
//   ends           waits for the ends of twenty pipes, which a process leaves at once; prints how many came together
//   flag           a thread that waits for another one without a call; prints that it has seen it
//   yield          two threads that ask by sched_yield(2) whether the other has come
//   signal         a process that is sent a signal and, behind it, data; prints what it learns first

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

enum { thread_count = 8, round_count = 6, pipe_count = 20 };

static char order[thread_count * round_count + 1];
static int order_length;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int nowhere;

static void *take_lock(void *name) {
  for (int round = 0; round < round_count; round++) {
    pthread_mutex_lock(&lock);
    if (write(nowhere, "x", 1) != 1) abort();
    order[order_length++] = (char)('a' + (long)name);
    pthread_mutex_unlock(&lock);
    if (write(nowhere, "x", 1) != 1) abort();
  }
  return NULL;
}

static int race_for_lock(void) {
  pthread_t threads[thread_count];
  nowhere = open("/dev/null", O_WRONLY);
  for (long name = 0; name < thread_count; name++) {
    pthread_create(&threads[name], NULL, take_lock, (void *)name);
  }
  for (int index = 0; index < thread_count; index++) pthread_join(threads[index], NULL);
  puts(order);
  return 0;
}

static int chunk_ends[2];

static void *read_chunks(void *unused) {
  (void)unused;
  char bytes[4096];
  ssize_t count;
  while ((count = read(chunk_ends[0], bytes, sizeof bytes)) > 0) printf("%zd ", count);
  puts("");
  return NULL;
}

static int write_chunks(void) {
  pthread_t reader;
  if (pipe(chunk_ends) != 0) return 1;
  pthread_create(&reader, NULL, read_chunks, NULL);
  usleep(1000);
  for (int chunk = 1; chunk <= 20; chunk++) {
    char bytes[20] = {0};
    if (write(chunk_ends[1], bytes, chunk) != chunk) return 1;
  }
  close(chunk_ends[1]);
  pthread_join(reader, NULL);
  return 0;
}

static int wait_for_ends(void) {
  int set = epoll_create1(0);
  int go[2];
  if (pipe(go) != 0) return 1;
  pid_t child = -1;
  int ends[pipe_count][2];
  for (int index = 0; index < pipe_count; index++) {
    if (pipe(ends[index]) != 0) return 1;
  }
  child = fork();
  if (child == 0) {
    char byte;
    close(go[1]);
    _exit(read(go[0], &byte, 1) != 0);
  }
  for (int index = 0; index < pipe_count; index++) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = ends[index][0]};
    close(ends[index][1]);
    if (epoll_ctl(set, EPOLL_CTL_ADD, ends[index][0], &event) != 0) return 1;
  }
  close(go[1]);
  int told = 0;
  while (told < pipe_count) {
    struct epoll_event events[2 * pipe_count];
    int count = epoll_wait(set, events, 2 * pipe_count, -1);
    if (count <= 0) return 1;
    printf("%d ", count);
    told += count;
  }
  puts("");
  return waitpid(child, NULL, 0) != child;
}

static atomic_bool flag;

static void *set_flag(void *unused) {
  (void)unused;
  usleep(1000);
  atomic_store(&flag, true);
  return NULL;
}

static int wait_for_flag(bool yields) {
  pthread_t other;
  pthread_create(&other, NULL, set_flag, NULL);
  while (!atomic_load(&flag)) {
    if (yields) sched_yield();
  }
  pthread_join(other, NULL);
  puts("seen");
  return 0;
}

static volatile sig_atomic_t signal_count;

static void count_signal(int number) {
  (void)number;
  signal_count++;
}

static int send_signal(void) {
  int ends[2];
  if (pipe(ends) != 0) return 1;
  pid_t child = fork();
  if (child == 0) {
    struct sigaction action = {.sa_handler = count_signal, .sa_flags = SA_RESTART};
    char byte;
    sigaction(SIGUSR1, &action, NULL);
    close(ends[1]);
    while (read(ends[0], &byte, 1) == 1) printf("%d", (int)signal_count);
    puts("");
    fflush(stdout);
    _exit(0);
  }
  close(ends[0]);
  usleep(1000);
  for (int round = 0; round < 10; round++) {
    kill(child, SIGUSR1);
    if (write(ends[1], "x", 1) != 1) return 1;
  }
  close(ends[1]);
  return waitpid(child, NULL, 0) != child;
}

int main(int count, char **words) {
  const char *kind = count > 1 ? words[1] : "";
  if (strcmp(kind, "lock") == 0) return race_for_lock();
  if (strcmp(kind, "chunks") == 0) return write_chunks();
  if (strcmp(kind, "ends") == 0) return wait_for_ends();
  if (strcmp(kind, "flag") == 0) return wait_for_flag(false);
  if (strcmp(kind, "yield") == 0) return wait_for_flag(true);
  if (strcmp(kind, "signal") == 0) return send_signal();
  fprintf(stderr, "turns: no kind of race is called %s\n", kind);
  return 2;
}
