// Threads and processes whose order is a race, for a runner that decides it.
//
//   turns lock     threads that take a lock, write, and let it go; prints who had it when
//   chunks         a reader that sleeps while another thread writes twice; prints how much each read has got
//   ends           waits for the ends of twenty pipes, which a process leaves at once; prints how many came together
//   flag           a thread that waits for another one without a call; prints that it has seen it
//   yield [COUNT]  two threads that ask by sched_yield(2) whether the other has come, and count to COUNT in between
//   signal         a process that is sent a signal and, behind it, data; prints what it learns first
//   births         processes that end while they make threads, and others that are killed as they are born
//   program        a thread other than the first that runs another program
//   restart        a thread in a poll that a signal has interrupted goes on when it is woken, but only in its own turn
//   same           two descriptors of one epoll set with the same datum, each told once
//   value          a queued signal that comes while a thread waits for events; prints what its handler is told
//   child          the same of the signal that a child's end sends
//   locks          processes that wait for a lock on a file
//   members        a thread that takes descriptors from an epoll set, to which another one adds them

#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
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

static int wait_for_flag(bool yields, long count) {
  pthread_t other;
  pthread_create(&other, NULL, set_flag, NULL);
  while (!atomic_load(&flag)) {
    for (volatile long number = 0; number < count; number++) {
    }
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

static void *pause_for_ever(void *unused) {
  pause();
  return unused;
}

static int end_while_born(void) {
  for (int round = 0; round < 50; round++) {
    pid_t maker = fork();
    if (maker == 0) {
      pthread_t threads[3];
      for (int index = 0; index < 3; index++) pthread_create(&threads[index], NULL, pause_for_ever, NULL);
      _exit(0);
    }
    pid_t victim = fork();
    if (victim == 0) _exit(0);
    kill(victim, SIGKILL);
    if (waitpid(maker, NULL, 0) != maker || waitpid(victim, NULL, 0) != victim) return 1;
  }
  puts("ended");
  return 0;
}

static void *run_again(void *path) {
  char *words[] = {path, "ended", NULL};
  execv(path, words);
  return NULL;
}

static int run_program_in_thread(char *path) {
  pthread_t thread;
  pthread_create(&thread, NULL, run_again, path);
  pause();
  return 1;
}

static int polled[2];
static atomic_int answer;

static void *poll_for_ever(void *unused) {
  (void)unused;
  struct pollfd wanted = {.fd = polled[0], .events = POLLIN};
  atomic_store(&answer, poll(&wanted, 1, -1));
  return NULL;
}

static int go_on_after_signal(void) {
  pthread_t thread;
  if (pipe(polled) != 0) return 1;
  pthread_create(&thread, NULL, poll_for_ever, NULL);
  usleep(1000);
  // Nobody handles it.
  pthread_kill(thread, SIGURG);
  usleep(1000);
  if (write(polled[1], "x", 1) != 1) return 1;
  int early = 0;
  for (long round = 0; round < 100000000 && early == 0; round++) {
    early = atomic_load_explicit(&answer, memory_order_relaxed);
  }
  pthread_join(thread, NULL);
  printf("early %d, answer %d\n", early, atomic_load(&answer));
  return 0;
}

static int pair[2];
static const uint64_t one = 1;

static void *write_both(void *unused) {
  (void)unused;
  usleep(1000);
  if (write(pair[0], &one, sizeof one) < 0 || write(pair[1], &one, sizeof one) < 0) abort();
  return NULL;
}

static int wait_for_same(void) {
  pthread_t thread;
  int set = epoll_create1(0);
  for (int index = 0; index < 2; index++) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u64 = 7};
    pair[index] = eventfd(0, EFD_NONBLOCK);
    if (epoll_ctl(set, EPOLL_CTL_ADD, pair[index], &event) != 0) return 1;
  }
  pthread_create(&thread, NULL, write_both, NULL);
  int told = 0;
  while (told < 2) {
    struct epoll_event events[8];
    int count = epoll_wait(set, events, 8, 1000);
    if (count <= 0) break;
    told += count;
  }
  pthread_join(thread, NULL);
  printf("told %d\n", told);
  return 0;
}

static volatile sig_atomic_t signal_code, signal_value, signal_sender;

static void keep_information(int number, siginfo_t *information, void *unused) {
  (void)number, (void)unused;
  signal_code = information->si_code;
  signal_value = information->si_code == SI_QUEUE ? information->si_value.sival_int : 0;
  signal_sender = information->si_pid;
}

static int be_told_of_signal(int number) {
  struct sigaction action = {.sa_sigaction = keep_information, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigaction(number, &action, NULL);
  int ends[2];
  int set = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  if (pipe(ends) != 0 || epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event) != 0) return 1;
  pid_t child = fork();
  if (child == 0) {
    usleep(1000);
    if (number == SIGUSR1) {
      union sigval value = {.sival_int = 42};
      if (write(ends[1], "x", 1) != 1) _exit(1);
      sigqueue(getppid(), SIGUSR1, value);
    }
    _exit(0);
  }
  close(ends[1]);
  int count = epoll_wait(set, &event, 1, -1);
  for (int round = 0; round < 3 && signal_code == 0; round++) usleep(1000);
  printf("events %d, code %d, value %d, by the child %d\n", count == 1, (int)signal_code,
         (int)signal_value, signal_sender == child);
  waitpid(child, NULL, 0);
  return 0;
}

static int wait_for_locks(void) {
  nowhere = open("/dev/null", O_WRONLY);
  int file = open("locked", O_RDWR | O_CREAT, 0600);
  for (int round = 0; round < 30; round++) {
    struct flock whole = {.l_type = F_WRLCK};
    if (fcntl(file, F_SETLK, &whole) != 0) return 1;
    pid_t child = fork();
    if (child == 0) {
      if (fcntl(file, F_SETLKW, &whole) != 0) _exit(1);
      for (int count = 0; count < 5; count++) {
        if (write(nowhere, "b", 1) != 1) _exit(1);
      }
      _exit(0);
    }
    usleep(1000);
    whole.l_type = F_UNLCK;
    fcntl(file, F_SETLK, &whole);
    for (int count = 0; count < 30; count++) {
      if (write(nowhere, "a", 1) != 1) return 1;
    }
    waitpid(child, NULL, 0);
  }
  puts("ended");
  return 0;
}

static int members;

static void *take_members(void *unused) {
  (void)unused;
  struct epoll_event event;
  for (int count = 0; count < 100; count++) {
    if (epoll_wait(members, &event, 1, -1) != 1) abort();
    epoll_ctl(members, EPOLL_CTL_DEL, event.data.fd, NULL);
    if (write(nowhere, "b", 1) != 1) abort();
  }
  return NULL;
}

static int add_members(void) {
  pthread_t thread;
  members = epoll_create1(0);
  nowhere = open("/dev/null", O_WRONLY);
  pthread_create(&thread, NULL, take_members, NULL);
  usleep(1000);
  for (int index = 0; index < 100; index++) {
    int member = eventfd(1, 0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = member};
    epoll_ctl(members, EPOLL_CTL_ADD, member, &event);
    for (int count = 0; count < 20; count++) {
      if (write(nowhere, "a", 1) != 1) return 1;
    }
    usleep(10);
  }
  pthread_join(thread, NULL);
  puts("ended");
  return 0;
}

int main(int count, char **words) {
  const char *kind = count > 1 ? words[1] : "";
  if (strcmp(kind, "lock") == 0) return race_for_lock();
  if (strcmp(kind, "chunks") == 0) return write_chunks();
  if (strcmp(kind, "ends") == 0) return wait_for_ends();
  if (strcmp(kind, "flag") == 0) return wait_for_flag(false, 0);
  if (strcmp(kind, "yield") == 0) return wait_for_flag(true, count > 2 ? atol(words[2]) : 0);
  if (strcmp(kind, "signal") == 0) return send_signal();
  if (strcmp(kind, "births") == 0) return end_while_born();
  if (strcmp(kind, "program") == 0) return run_program_in_thread(words[0]);
  if (strcmp(kind, "ended") == 0) return puts("ended") < 0;
  if (strcmp(kind, "restart") == 0) return go_on_after_signal();
  if (strcmp(kind, "same") == 0) return wait_for_same();
  if (strcmp(kind, "value") == 0) return be_told_of_signal(SIGUSR1);
  if (strcmp(kind, "child") == 0) return be_told_of_signal(SIGCHLD);
  if (strcmp(kind, "locks") == 0) return wait_for_locks();
  if (strcmp(kind, "members") == 0) return add_members();
  fprintf(stderr, "turns: no kind of race is called %s\n", kind);
  return 2;
}
