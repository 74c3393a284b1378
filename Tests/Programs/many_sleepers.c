// many_sleepers KIND COUNT: many that only sleep, and what wakes them.
//
//   threads     COUNT threads sleep, each for another number of seconds
//   processes   the same of processes
//   again       COUNT threads sleep ten seconds five times, all at the same instants, and say when
//   signals     COUNT threads sleep for an hour; each second of COUNT one of them gets a signal, and says when its handler
//               ran
//   children    COUNT processes sleep for an hour, and their parent in a sleep of its own; each second of COUNT one is
//               killed, and the parent says when its handler ran
//   semaphores  as threads, each in a timed wait for a semaphore
//   conditions  the same for one condition
//   woken       COUNT threads wait for an hour, each for a semaphore of its own; each second of COUNT one of them is woken,
//               and says when
//   requeued    COUNT threads wait for an hour for one futex; of every two seconds of COUNT one of them is moved to another
//               futex in the first and woken there in the second, and says when
//   owner       the process sleeps for an hour, and owns a socket: each second of COUNT a thread of its own writes to the
//               other end, and the handler of the signal that the owner gets says when it ran
//   operated    as woken, each waits for a futex of its own and is woken by FUTEX_WAKE_OP; the last ten get going late
//   idle        as woken, without a time for which they wait, each with some work before it says when
//   idle-late   the same; the last ten get going late
//   moving      as idle; each is woken twice, by two semaphores
//   late        as owner, whose process gets going late
//   limit       the process sleeps for an hour, and gets the signal of a limit of COUNT seconds of processor time late, by
//               the work of a thread that sleeps for ten seconds after it; the handler says when it ran
//   burn        takes the processor on which who gets going late runs, for five minutes or until it is killed
//   polls       as threads, each in a poll for one pipe that stays silent
//   epolls      the same, each with an epoll set of its own
//   selects     the same in select, every other one without a descriptor
//   joined      COUNT threads poll for an hour, each a pipe of its own; each second of COUNT a thread ends, whose end the
//               first one waits for, and then writes to one of the pipes, whose reader says when
//   timed       the same, with a time for which it waits for each end
//   printed     as polls; the first thread waits for the end of each, and writes a line about it
//   ignored     the same without lines, while a process ends, and then waits for a pipe, while another one ends: no signal
//               of theirs is handled
//   robust      COUNT threads wait, each for a mutex whose owner ends with it, and say when
//   reads       COUNT threads sleep for an hour; one polls for three seconds, one after the other, and then reads from a
//               pipe that is written to after ten, and says when
//   end         COUNT threads sleep for an hour, and one ends the process after a second
//
// Who gets going late runs on the last processor that the program may use, and only where nobody else wants it.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { limit = 4096 };

static time_t start;
static atomic_int wrong;
static int seen;

static time_t elapsed(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_nsec == 0 ? now.tv_sec - start : -1;
}

static void sleep_seconds(time_t count) {
  struct timespec length = {.tv_sec = count};
  nanosleep(&length, NULL);
}

static void sleep_all(time_t count) {
  time_t end = elapsed() + count;
  while (elapsed() < end) sleep_seconds(end - elapsed());
}

static void *sleep_again(void *unused) {
  for (int round = 1; round <= 5; round++) {
    sleep_seconds(10);
    if (elapsed() != 10 * round) wrong++;
  }
  return unused;
}

static void *sleep_in_thread(void *number) {
  time_t count = (time_t)(long)number;
  sleep_seconds(count);
  if (elapsed() != count) wrong++;
  return NULL;
}

static void *sleep_long(void *number) {
  (void)number;
  sleep_all(3600);
  return NULL;
}

static void *end_soon(void *code) {
  sleep_seconds(1);
  exit((int)(long)code);
}

static void note(int signal) {
  (void)signal;
  seen++;
  if (elapsed() != seen) wrong++;
}

// An instant on the wall clock, which the clocks of a scenario begin on a whole second of.
static struct timespec in_seconds(time_t count) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec += count;
  return now;
}

static sem_t never;
static sem_t posts[limit];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *wait_for_semaphore(void *number) {
  time_t count = (time_t)(long)number;
  struct timespec due = in_seconds(count - elapsed());
  if (sem_timedwait(&never, &due) == 0 || elapsed() != count) wrong++;
  return NULL;
}

static void *wait_for_condition(void *number) {
  time_t count = (time_t)(long)number;
  struct timespec due = in_seconds(count - elapsed());
  pthread_mutex_lock(&mutex);
  while (pthread_cond_timedwait(&condition, &mutex, &due) == 0) {
  }
  if (elapsed() != count) wrong++;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void *wait_for_post(void *number) {
  struct timespec due = in_seconds(3600);
  if (sem_timedwait(&posts[(long)number], &due) != 0) wrong++;
  seen++;
  if (elapsed() != seen) wrong++;
  return NULL;
}

static uint32_t first, second;

static void *wait_to_be_moved(void *number) {
  (void)number;
  struct timespec hour = {.tv_sec = 3600};
  if (syscall(SYS_futex, &first, FUTEX_WAIT_PRIVATE, 0, &hour) != 0) wrong++;
  seen++;
  if (elapsed() != 2 * seen) wrong++;
  return NULL;
}

static void run_on_last_processor(int policy) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) {
    perror("sched_getaffinity");
    exit(1);
  }
  int last = CPU_SETSIZE - 1;
  while (!CPU_ISSET(last, &set)) last--;
  CPU_ZERO(&set);
  CPU_SET(last, &set);
  struct sched_param none = {0};
  if (sched_setaffinity(0, sizeof set, &set) != 0 || sched_setscheduler(0, policy, &none) != 0) {
    perror("processor");
    exit(1);
  }
}

static uint32_t words_of_waiters[limit];
static int last_in_time = limit;

static void *wait_for_operation(void *number) {
  struct timespec hour = {.tv_sec = 3600};
  if ((long)number > last_in_time) run_on_last_processor(SCHED_IDLE);
  uint32_t *own = &words_of_waiters[(long)number];
  if (syscall(SYS_futex, own, FUTEX_WAIT_PRIVATE, 0, &hour) != 0) wrong++;
  seen++;
  if (elapsed() != seen) wrong++;
  return NULL;
}

static sem_t seconds[limit];

static void work(void) {
  for (volatile int step = 0; step < 2000000; step++) {
  }
}

static void say_when(void) {
  work();
  seen++;
  if (elapsed() != seen) wrong++;
}

static void *wait_idly(void *number) {
  if ((long)number > last_in_time) run_on_last_processor(SCHED_IDLE);
  if (sem_wait(&posts[(long)number]) != 0) wrong++;
  say_when();
  return NULL;
}

static void *wait_idly_twice(void *number) {
  if (sem_wait(&posts[(long)number]) != 0) wrong++;
  say_when();
  if (sem_wait(&seconds[(long)number]) != 0) wrong++;
  say_when();
  return NULL;
}

static atomic_long due;

static void note_limit(int signal) {
  (void)signal;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (due != 0 && now.tv_sec >= due) wrong++;
  seen = 1;
}

static void *reach_limit(void *seconds) {
  struct timespec used = {0};
  while (used.tv_sec < (long)seconds || used.tv_nsec < 200000000) {
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  }
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  due = now.tv_sec + 10;
  sleep_seconds(10);
  return NULL;
}

static int ends[2];

static void *write_each_second(void *number) {
  for (long index = 0; index < (long)number; index++) {
    sleep_seconds(1);
    if (write(ends[1], "x", 1) != 1) wrong++;
  }
  return NULL;
}

static int silent[2];
static int pipes[limit][2];
static pthread_mutex_t mutexes[limit];

static void *poll_in_thread(void *number) {
  time_t count = (time_t)(long)number;
  struct pollfd item = {.fd = silent[0], .events = POLLIN};
  if (poll(&item, 1, (int)(count - elapsed()) * 1000) != 0 || elapsed() != count) wrong++;
  return NULL;
}

static void *epoll_in_thread(void *number) {
  time_t count = (time_t)(long)number;
  int set = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  if (epoll_ctl(set, EPOLL_CTL_ADD, silent[0], &event) != 0) wrong++;
  if (epoll_wait(set, &event, 1, (int)(count - elapsed()) * 1000) != 0) wrong++;
  if (elapsed() != count) wrong++;
  close(set);
  return NULL;
}

static void *select_in_thread(void *number) {
  time_t count = (time_t)(long)number;
  fd_set set;
  FD_ZERO(&set);
  FD_SET(silent[0], &set);
  struct timeval length = {.tv_sec = count - elapsed()};
  int room = count % 2 == 0 ? silent[0] + 1 : 0;
  if (select(room, &set, NULL, NULL, &length) != 0 || elapsed() != count) wrong++;
  return NULL;
}

// In the order of the instants at which their pipes are written to.
static void *poll_for_byte(void *number) {
  struct pollfd item = {.fd = pipes[(long)number][0], .events = POLLIN};
  if (poll(&item, 1, 3600 * 1000) != 1 || elapsed() != (long)number + 1) wrong++;
  __atomic_add_fetch(&seen, 1, __ATOMIC_SEQ_CST);
  return NULL;
}

static void *read_at_last(void *argument) {
  char byte;
  for (int index = 0; index < 3; index++) poll(NULL, 0, 1000);
  if (read(silent[0], &byte, 1) != 1) wrong++;
  seen = (int)elapsed();
  return argument;
}

static void *own_mutex(void *number) {
  pthread_mutex_lock(&mutexes[(long)number]);
  poll_in_thread((void *)((long)number + 1));
  return NULL;
}

static void *wait_for_owner(void *number) {
  if (pthread_mutex_lock(&mutexes[(long)number]) != EOWNERDEAD) wrong++;
  if (elapsed() != (long)number + 1) wrong++;
  __atomic_add_fetch(&seen, 1, __ATOMIC_SEQ_CST);
  return NULL;
}

static void begin(pthread_t *thread, void *(*body)(void *), long number) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 65536);
  if (pthread_create(thread, &attributes, body, (void *)number) != 0) {
    perror("pthread_create");
    exit(1);
  }
}

static int end(const char *kind) {
  printf("%s wrong=%d seen=%d elapsed=%ld\n", kind, wrong, seen, (long)elapsed());
  return 0;
}

int main(int words, char **word) {
  int count = words > 2 ? atoi(word[2]) : 0;
  if (count < 1 || count > limit) return 2;
  static pthread_t threads[limit];
  static pid_t children[limit];
  const char *kind = word[1];
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  start = now.tv_sec;
  if (pipe(silent) != 0) return 1;
  if (strcmp(kind, "burn") == 0) {
    run_on_last_processor(SCHED_OTHER);
    alarm(300);
    for (;;) atomic_fetch_add(&wrong, 1);
  }
  if (strcmp(kind, "limit") == 0) {
    signal(SIGXCPU, note_limit);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGXCPU);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    begin(&threads[0], reach_limit, count);
    run_on_last_processor(SCHED_IDLE);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    for (int round = 0; !seen && round < 3; round++) sleep_seconds(3600);
    printf("limit wrong=%d\n", wrong);
    return 0;
  }
  void *(*body)(void *) = strcmp(kind, "threads") == 0      ? sleep_in_thread
                          : strcmp(kind, "semaphores") == 0 ? wait_for_semaphore
                          : strcmp(kind, "conditions") == 0 ? wait_for_condition
                          : strcmp(kind, "polls") == 0      ? poll_in_thread
                          : strcmp(kind, "epolls") == 0     ? epoll_in_thread
                          : strcmp(kind, "selects") == 0    ? select_in_thread
                                                            : NULL;
  if (body != NULL) {
    for (int index = 0; index < count; index++) {
      begin(&threads[index], body, 1 + (index * 7919L) % count);
    }
    for (int index = 0; index < count; index++) pthread_join(threads[index], NULL);
    return end(kind);
  }
  if (strcmp(kind, "woken") == 0) {
    for (int index = 0; index < count; index++) begin(&threads[index], wait_for_post, index);
    for (int index = 0; index < count; index++) {
      struct timespec due = in_seconds(1);
      sem_timedwait(&never, &due);
      sem_post(&posts[(index * 7919L) % count]);
    }
    for (int index = 0; index < count; index++) pthread_join(threads[index], NULL);
    return end(kind);
  }
  if (strcmp(kind, "idle") == 0 || strcmp(kind, "idle-late") == 0) {
    if (kind[4] != 0) last_in_time = count - 11;
    for (int index = 0; index < count; index++) begin(&threads[index], wait_idly, index);
    for (int index = 0; index < count; index++) {
      sleep_seconds(1);
      sem_post(&posts[index]);
    }
    for (int index = 0; index < count; index++) pthread_join(threads[index], NULL);
    return end(kind);
  }
  if (strcmp(kind, "moving") == 0) {
    for (int index = 0; index < count; index++) begin(&threads[index], wait_idly_twice, index);
    for (int index = 0; index < 2 * count; index++) {
      sleep_seconds(1);
      sem_post(index < count ? &posts[(index * 7919L) % count] : &seconds[index - count]);
    }
    for (int index = 0; index < count; index++) pthread_join(threads[index], NULL);
    return end(kind);
  }
  if (strcmp(kind, "operated") == 0) {
    last_in_time = count - 11;
    for (int index = 0; index < count; index++) {
      begin(&threads[index], wait_for_operation, index);
    }
    for (int index = 0; index < count; index++) {
      struct timespec due = in_seconds(1);
      sem_timedwait(&never, &due);
      // It wakes one at the first word, and none at the second.
      syscall(SYS_futex, &words_of_waiters[index], FUTEX_WAKE_OP_PRIVATE, 1, 0L, &second,
              FUTEX_OP(FUTEX_OP_SET, 1, FUTEX_OP_CMP_EQ, 7));
    }
    for (int index = 0; index < count; index++) pthread_join(threads[index], NULL);
    return end(kind);
  }
  if (strcmp(kind, "requeued") == 0) {
    for (int index = 0; index < count; index++) begin(&threads[index], wait_to_be_moved, index);
    for (int index = 0; index < count; index++) {
      struct timespec due = in_seconds(1);
      sem_timedwait(&never, &due);
      // The first number is how many are woken, the second how many are moved.
      syscall(SYS_futex, &first, FUTEX_CMP_REQUEUE_PRIVATE, 0, 1L, &second, 0);
      due = in_seconds(1);
      sem_timedwait(&never, &due);
      syscall(SYS_futex, &second, FUTEX_WAKE_PRIVATE, 1);
    }
    for (int index = 0; index < count; index++) pthread_join(threads[index], NULL);
    return end(kind);
  }
  if (strcmp(kind, "joined") == 0 || strcmp(kind, "timed") == 0) {
    static pthread_t enders[limit];
    for (int index = 0; index < count; index++) {
      if (pipe(pipes[index]) != 0) return 1;
      begin(&threads[index], poll_for_byte, index);
      begin(&enders[index], poll_in_thread, index + 1);
    }
    for (int index = 0; index < count; index++) {
      struct timespec due = in_seconds(3600);
      int failure = kind[0] == 't' ? pthread_timedjoin_np(enders[index], NULL, &due)
                                   : pthread_join(enders[index], NULL);
      if (failure != 0 || elapsed() != index + 1 || write(pipes[index][1], "x", 1) != 1) wrong++;
    }
    for (int index = 0; index < count; index++) pthread_join(threads[index], NULL);
    return end(kind);
  }
  if (strcmp(kind, "printed") == 0) {
    for (int index = 0; index < count; index++) begin(&threads[index], poll_in_thread, index + 1);
    for (int index = 0; index < count; index++) {
      pthread_join(threads[index], NULL);
      printf("joined %d\n", index + 1);
      fflush(stdout);
    }
    return end(kind);
  }
  if (strcmp(kind, "again") == 0) {
    for (int index = 0; index < count; index++) begin(&threads[index], sleep_again, 0);
    for (int index = 0; index < count; index++) pthread_join(threads[index], NULL);
    return end(kind);
  }
  if (strcmp(kind, "ignored") == 0) {
    time_t lengths[] = {5, count + 2, count + 4};
    for (int index = 0; index < 3; index++) {
      if (fork() == 0) {
        sleep_seconds(lengths[index]);
        _exit(index == 2 && write(silent[1], "x", 1) != 1);
      }
    }
    for (int index = 0; index < count; index++) begin(&threads[index], poll_in_thread, index + 1);
    for (int index = 0; index < count; index++) pthread_join(threads[index], NULL);
    int set = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    if (epoll_ctl(set, EPOLL_CTL_ADD, silent[0], &event) != 0) wrong++;
    if (epoll_wait(set, &event, 1, -1) != 1 || elapsed() != count + 4) wrong++;
    return end(kind);
  }
  if (strcmp(kind, "reads") == 0) {
    pthread_t reader;
    for (int index = 0; index < count; index++) begin(&threads[index], sleep_long, 0);
    begin(&reader, read_at_last, 0);
    sleep_seconds(10);
    if (write(silent[1], "x", 1) != 1) wrong++;
    pthread_join(reader, NULL);
    return end(kind);
  }
  if (strcmp(kind, "robust") == 0) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    static pthread_t owners[limit];
    for (int index = 0; index < count; index++) {
      pthread_mutex_init(&mutexes[index], &attributes);
      begin(&owners[index], own_mutex, index);
    }
    struct timespec instant = {.tv_nsec = 1000000};
    nanosleep(&instant, NULL);
    for (int index = 0; index < count; index++) begin(&threads[index], wait_for_owner, index);
    for (int index = 0; index < count; index++) pthread_join(threads[index], NULL);
    return end(kind);
  }
  if (strcmp(kind, "processes") == 0) {
    for (int index = 0; index < count; index++) {
      if (fork() == 0) {
        sleep_in_thread((void *)(1 + (index * 7919L) % count));
        _exit(wrong);
      }
    }
    int status = 0;
    while (wait(&status) > 0) wrong += status != 0;
    return end(kind);
  }
  if (strcmp(kind, "signals") == 0) {
    signal(SIGUSR1, note);
    for (int index = 0; index < count; index++) begin(&threads[index], sleep_long, 0);
    for (int index = 0; index < count; index++) {
      sleep_seconds(1);
      pthread_kill(threads[index], SIGUSR1);
    }
    sleep_seconds(1);
    return end(kind);
  }
  if (strcmp(kind, "owner") == 0 || strcmp(kind, "late") == 0) {
    signal(SIGIO, note);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 || fcntl(ends[0], F_SETOWN, getpid()) != 0 ||
        fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK) != 0) {
      perror("owner");
      return 1;
    }
    // The writer itself is not to get the signal.
    sigset_t input;
    sigemptyset(&input);
    sigaddset(&input, SIGIO);
    pthread_sigmask(SIG_BLOCK, &input, NULL);
    begin(&threads[0], write_each_second, count);
    if (kind[0] == 'l') run_on_last_processor(SCHED_IDLE);
    pthread_sigmask(SIG_UNBLOCK, &input, NULL);
    // Of signals that come too close to each other one is lost.
    while (seen < count && elapsed() <= count) sleep_seconds(3600);
    return end(kind);
  }
  if (strcmp(kind, "children") == 0) {
    signal(SIGCHLD, note);
    for (int index = 0; index < count; index++) {
      children[index] = fork();
      if (children[index] == 0) {
        sleep_seconds(index + 1);
        _exit(0);
      }
    }
    // Each signal ends one of the sleeps.
    while (seen < count) sleep_seconds(3600);
    return end(kind);
  }
  if (strcmp(kind, "end") == 0) {
    pthread_t ender;
    for (int index = 0; index < count; index++) begin(&threads[index], sleep_long, 0);
    begin(&ender, end_soon, 7);
    sleep_all(3600);
  }
  return 2;
}
