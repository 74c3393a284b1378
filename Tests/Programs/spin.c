// spin asks again and again instead of sleeping.
//
//   spin KIND MILLISECONDS [THREADS]
//
// One line: "KIND elapsed_ns=N", by CLOCK_MONOTONIC, with what else the kind has to say.

#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int64_t second_ns = 1000000000;
static int64_t length_ns;
static int thread_count = 1;
static int64_t start_ns;
static atomic_int flag;

static int64_t nanoseconds(struct timespec value) {
  return (int64_t)value.tv_sec * second_ns + value.tv_nsec;
}

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return nanoseconds(now);
}

static int64_t raw_now_ns(void) {
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return nanoseconds(now);
}

static void sleep_ns(int64_t count) {
  struct timespec length = {.tv_sec = count / second_ns, .tv_nsec = count % second_ns};
  nanosleep(&length, NULL);
}

static void sleep_for_no_time(void) {
  struct timespec none = {0, 0};
  nanosleep(&none, NULL);
}

static void yield(void) { sched_yield(); }

// Uses the processor, by the thread's own clock, which no scenario moves.
static void compute_ns(int64_t count) {
  struct timespec spent;
  do {
    for (volatile int turn = 0; turn < 10000; turn++) {
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  } while (nanoseconds(spent) < count);
}

static int report(const char *kind, const char *more) {
  printf("%s elapsed_ns=%" PRId64 "%s%s\n", kind, now_ns() - start_ns, *more ? " " : "", more);
  return 0;
}

static pthread_t begin(void *(*body)(void *), void *argument) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, body, argument) != 0) {
    perror("pthread_create");
    exit(1);
  }
  return thread;
}

// MARK: Spinning on the clock

static void *spin_on_clock(void *argument) {
  (void)argument;
  while (now_ns() < start_ns + length_ns) {
  }
  return NULL;
}

static int spin_in_threads(const char *kind) {
  pthread_t threads[64];
  for (int index = 0; index < thread_count; index++) threads[index] = begin(spin_on_clock, NULL);
  for (int index = 0; index < thread_count; index++) pthread_join(threads[index], NULL);
  return report(kind, "");
}

static int read_often(const char *kind) {
  int64_t first = now_ns();
  int instants = 1;
  int64_t last = first;
  for (int64_t count = 1; count < length_ns / 1000000; count++) {
    int64_t now = now_ns();
    instants += now != last;
    last = now;
  }
  char text[64];
  snprintf(text, sizeof text, "instants=%d", instants);
  return report(kind, text);
}

static int64_t spent_ns(void) {
  struct timespec spent;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  return nanoseconds(spent);
}

// Does a little work between any two readings, for so long in processor time.
static int measure(const char *kind) {
  int64_t begin = spent_ns();
  while (spent_ns() - begin < length_ns) {
    for (int count = 0; count < 10000; count++) {
      now_ns();
      for (volatile int turn = 0; turn < 50; turn++) {
      }
    }
  }
  char text[64];
  int64_t elapsed = now_ns() - start_ns;
  snprintf(text, sizeof text, "spent_ns=%" PRId64, spent_ns() - begin);
  printf("%s elapsed_ns=%" PRId64 " %s\n", kind, elapsed, text);
  return 0;
}

// Computes until a time has come, and looks at the clock now and then.
static int compute_until(const char *kind) {
  while (now_ns() < start_ns + length_ns) {
    for (volatile int turn = 0; turn < 1000000; turn++) {
    }
  }
  return report(kind, "");
}

// MARK: Waiting for another thread

static void *sleep_and_set(void *argument) {
  (void)argument;
  sleep_ns(length_ns);
  atomic_store(&flag, 1);
  return NULL;
}

static int wait_for_sleeper(const char *kind, void (*turn)(void)) {
  pthread_t thread = begin(sleep_and_set, NULL);
  while (!atomic_load(&flag)) turn();
  pthread_join(thread, NULL);
  return report(kind, "");
}

static int rounds;
static long wanted_call;

static void *sleep_often_and_set(void *argument) {
  for (int round = 0; round < rounds; round++) {
    struct timespec length = {.tv_nsec = length_ns};
    nanosleep(&length, NULL);
  }
  return sleep_and_set(argument);
}

// The call changes nothing: its arguments are none that it takes.
static void call_and_yield(void) {
  syscall(wanted_call, -1L, 0L, 0L, 0L, 0L, 0L);
  sched_yield();
}

static int call_for_sleeper(const char *kind, const char *name) {
  static const struct {
    const char *name;
    long number;
  } calls[] = {{"mprotect", SYS_mprotect}, {"mremap", SYS_mremap},     {"dup", SYS_dup},
               {"fcntl", SYS_fcntl},       {"pipe2", SYS_pipe2},       {"access", SYS_access},
               {"lseek", SYS_lseek}};
  for (size_t index = 0; index < sizeof calls / sizeof *calls; index++) {
    if (strcmp(calls[index].name, name) == 0) wanted_call = calls[index].number;
  }
  pthread_t thread = begin(sleep_often_and_set, NULL);
  while (!atomic_load(&flag)) call_and_yield();
  pthread_join(thread, NULL);
  return report(kind, "");
}

static void *compute_and_set(void *argument) {
  (void)argument;
  compute_ns(length_ns);
  atomic_store(&flag, 1);
  // The process lives on, with nothing to do.
  pause();
  return NULL;
}

// A minute is more than the other thread needs; it is not to pass while that one computes.
static int wait_for_computer(const char *kind, bool yields) {
  begin(compute_and_set, NULL);
  while (!atomic_load(&flag) && now_ns() < start_ns + 60 * second_ns) {
    if (yields) sched_yield();
  }
  return report(kind, atomic_load(&flag) ? "flag=1" : "flag=0");
}

static void *wait_in_loop(void *argument) {
  (void)argument;
  while (atomic_load(&flag) == 0) {
  }
  atomic_store(&flag, 2);
  return NULL;
}

// The reader must be let on although another thread never sleeps, because that one waits for it.
static int read_for_looper(const char *kind) {
  pthread_t thread = begin(wait_in_loop, NULL);
  for (int count = 0; count < 500; count++) now_ns();
  atomic_store(&flag, 1);
  pthread_join(thread, NULL);
  return report(kind, atomic_load(&flag) == 2 ? "flag=2" : "flag=?");
}

static void *take_turn(void *argument) {
  int place = (int)(intptr_t)argument;
  for (int round = 0; round < 5; round++) {
    while (atomic_load(&flag) != round * thread_count + place) sched_yield();
    // So many that it is held once more before it hands on.
    for (int count = 0; count < 20; count++) sched_yield();
    atomic_fetch_add(&flag, 1);
  }
  return NULL;
}

static void *sleep_long(void *argument) {
  (void)argument;
  sleep_ns(length_ns);
  return NULL;
}

static int take_turns(const char *kind) {
  pthread_t threads[64];
  begin(sleep_long, NULL);
  for (int index = 0; index < thread_count; index++) {
    threads[index] = begin(take_turn, (void *)(intptr_t)index);
  }
  for (int index = 0; index < thread_count; index++) pthread_join(threads[index], NULL);
  return report(kind, "");
}

static void *pass_on(void *argument) {
  int place = (int)(intptr_t)argument;
  for (;;) {
    while (atomic_load(&flag) != place) sched_yield();
    atomic_store(&flag, (place + 1) % thread_count);
  }
  return NULL;
}

// Threads that give each other the turn for ever, and nobody else anything, beside a sleeper.
static int pass_round(const char *kind) {
  for (int index = 0; index < thread_count; index++) begin(pass_on, (void *)(intptr_t)index);
  sleep_ns(length_ns);
  return report(kind, "");
}

// MARK: Peers

// A client waits five seconds for a process that computes, while a third thread spins.
static void *spin_until_flag(void *argument) {
  (void)argument;
  while (!atomic_load(&flag)) now_ns();
  return NULL;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// Sleeps in the kernel now and then, for as long as another one has the lock.
static void *lock_until_flag(void *argument) {
  (void)argument;
  while (!atomic_load(&flag)) {
    pthread_mutex_lock(&lock);
    for (volatile int count = 0; count < 1000; count++) {
    }
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

// Threads that never rest all at once, until one that sleeps has set the flag.
static int crowd_until_flag(const char *kind) {
  pthread_t threads[64];
  pthread_t sleeper = begin(sleep_and_set, NULL);
  for (int index = 0; index < thread_count; index++) threads[index] = begin(lock_until_flag, NULL);
  for (int index = 0; index < thread_count; index++) pthread_join(threads[index], NULL);
  pthread_join(sleeper, NULL);
  struct timespec spent;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
  char more[64];
  snprintf(more, sizeof more, "spent_ns=%" PRId64, nanoseconds(spent));
  return report(kind, more);
}

static int wait_for_peer(const char *kind) {
  int pipes[2];
  if (pipe(pipes) != 0) return 1;
  pid_t child = fork();
  if (child == 0) {
    compute_ns(length_ns);
    _exit(write(pipes[1], "x", 1) == 1 ? 0 : 1);
  }
  pthread_t thread = begin(spin_until_flag, NULL);
  struct pollfd entry = {.fd = pipes[0], .events = POLLIN};
  int result = poll(&entry, 1, 5000);
  atomic_store(&flag, 1);
  pthread_join(thread, NULL);
  waitpid(child, NULL, 0);
  char text[64];
  snprintf(text, sizeof text, "poll=%d", result);
  // How long the spinner took is not known; it is far less than the five seconds.
  printf("%s in_time=%d %s\n", kind, now_ns() - start_ns < 5 * second_ns, text);
  return 0;
}

static void nothing(void) {}

// A worker computes, its caller waits for it with a bound of five seconds, on the process's own condition.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;

static void *compute_and_tell(void *argument) {
  (void)argument;
  compute_ns(length_ns);
  pthread_mutex_lock(&mutex);
  atomic_store(&flag, 1);
  pthread_cond_signal(&done);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static int wait_for_worker(const char *kind) {
  pthread_mutex_lock(&mutex);
  pthread_t thread = begin(compute_and_tell, NULL);
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += 5;
  int error = 0;
  while (!atomic_load(&flag) && error == 0) error = pthread_cond_timedwait(&done, &mutex, &end);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return report(kind, error == 0 ? "in_time=1" : "in_time=0");
}

// A child that has no deadline of its own computes; a deadline of its parent's is due long before.
static int wait_for_stranger(const char *kind, void (*work)(int64_t)) {
  int pipes[2];
  if (pipe(pipes) != 0) return 1;
  pid_t child = fork();
  if (child == 0) {
    work(length_ns);
    _exit(write(pipes[1], "x", 1) == 1 ? 0 : 1);
  }
  struct pollfd entry = {.fd = pipes[0], .events = POLLIN};
  int result = poll(&entry, 1, 10);
  if (result == 0) kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  return report(kind, result == 1 ? "in_time=1" : "in_time=0");
}

// One child after the other computes for a moment.
static void relay_ns(int64_t count) {
  for (; count > 0; count -= 10000000) {
    pid_t child = fork();
    if (child == 0) {
      compute_ns(10000000);
      _exit(0);
    }
    waitpid(child, NULL, 0);
  }
}

// The same, and nobody waits for them: what they have used goes with them.
static void relay_unreaped_ns(int64_t count) {
  signal(SIGCHLD, SIG_IGN);
  relay_ns(count);
}

// A child computes for long and for a moment; only the moment has a bound.
static int wait_for_moment(const char *kind) {
  int pipes[2];
  char answer;
  if (pipe(pipes) != 0) return 1;
  pid_t child = fork();
  if (child == 0) {
    compute_ns(length_ns);
    int failed = write(pipes[1], "x", 1) != 1;
    compute_ns(length_ns + 20000000);
    _exit(failed || write(pipes[1], "y", 1) != 1);
  }
  if (read(pipes[0], &answer, 1) != 1) return 1;
  struct pollfd entry = {.fd = pipes[0], .events = POLLIN};
  int result = poll(&entry, 1, (int)(length_ns / 1000000 / 2));
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  printf("%s in_time=%d\n", kind, result == 1);
  return 0;
}

// Asks a child, which computes for each answer, until a time has come; each answer has a bound of its own or not.
static int ask_until(const char *kind, bool has_bound) {
  int questions[2];
  int answers[2];
  char word = 'x';
  if (pipe(questions) != 0 || pipe(answers) != 0) return 1;
  pid_t child = fork();
  if (child == 0) {
    for (int64_t bound = 5000000; read(questions[0], &word, 1) == 1; bound += 5000000) {
      compute_ns(bound);
      if (write(answers[1], &word, 1) != 1) _exit(1);
    }
    _exit(0);
  }
  while (now_ns() < start_ns + length_ns) {
    struct pollfd entry = {.fd = answers[0], .events = POLLIN};
    if (write(questions[1], &word, 1) != 1) return 1;
    if (has_bound && poll(&entry, 1, 60000) != 1) return 1;
    if (read(answers[0], &word, 1) != 1) return 1;
  }
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  printf("%s ended=%d\n", kind, now_ns() >= start_ns + length_ns);
  return 0;
}

static int sleep_compute_sleep(const char *kind) {
  sleep_ns(length_ns);
  compute_ns(300000000);
  sleep_ns(length_ns);
  printf("%s over\n", kind);
  return 0;
}

static void handle(int signal);

// Computes until an alarm has come.
static int wait_for_alarm(const char *kind) {
  signal(SIGALRM, handle);
  ualarm((useconds_t)(length_ns / 1000), 0);
  while (!atomic_load(&flag)) {
  }
  return report(kind, "");
}

// A spinner gets a signal every ten milliseconds while it waits for a sleeper: no signal makes it one that waits.
static void *disturb(void *argument) {
  pthread_t thread = *(pthread_t *)argument;
  while (!atomic_load(&flag)) {
    sleep_ns(10000000);
    pthread_kill(thread, SIGURG);
  }
  return NULL;
}

static void ignore(int signal) { (void)signal; }

static int wait_disturbed(const char *kind) {
  signal(SIGURG, ignore);
  pthread_t self = pthread_self();
  begin(disturb, &self);
  return wait_for_sleeper(kind, nothing);
}

static void handle(int signal) { atomic_store(&flag, signal); }

// A child computes and then sends a signal to its parent, which reads the clock until the handler has run.
static int wait_for_signal(const char *kind, bool yields) {
  signal(SIGUSR1, handle);
  pid_t child = fork();
  if (child == 0) {
    compute_ns(length_ns);
    kill(getppid(), SIGUSR1);
    pause();
  }
  while (!atomic_load(&flag)) {
    if (yields) {
      sched_yield();
    } else {
      now_ns();
    }
  }
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  printf("%s signal=%s\n", kind, atomic_load(&flag) == SIGUSR1 ? "USR1" : "?");
  return 0;
}

// Stops and continues a child with two threads that spin.
static int stop_spinner(const char *kind) {
  pid_t child = fork();
  if (child == 0) {
    begin(spin_until_flag, NULL);
    spin_until_flag(NULL);
    _exit(1);
  }
  int status = 0;
  bool fine = true;
  for (int round = 0; round < 3; round++) {
    compute_ns(length_ns * (round + 1));
    kill(child, SIGSTOP);
    fine &= waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status);
    kill(child, SIGCONT);
    fine &= waitpid(child, &status, WCONTINUED) == child && WIFCONTINUED(status);
  }
  kill(child, SIGTERM);
  fine &= waitpid(child, &status, 0) == child && WIFSIGNALED(status);
  printf("%s %s\n", kind, fine ? "fine" : "wrong");
  return 0;
}

int main(int count, char **words) {
  if (count < 3) {
    fprintf(stderr, "usage: spin KIND MILLISECONDS [THREADS]\n");
    return 2;
  }
  const char *kind = words[1];
  length_ns = strtoll(words[2], NULL, 10) * 1000000;
  if (count == 4) thread_count = (int)strtol(words[3], NULL, 10);
  if (thread_count < 1 || thread_count > 64) return 2;
  start_ns = now_ns();
  if (strcmp(kind, "clock") == 0) {
    spin_on_clock(NULL);
    return report(kind, "");
  }
  if (strcmp(kind, "raw-clock") == 0) {
    while (raw_now_ns() < start_ns + length_ns) {
    }
    return report(kind, "");
  }
  if (strcmp(kind, "yield-clock") == 0) {
    while (now_ns() < start_ns + length_ns) sched_yield();
    return report(kind, "");
  }
  if (strcmp(kind, "raw-yield-clock") == 0) {
    while (raw_now_ns() < start_ns + length_ns) sched_yield();
    return report(kind, "");
  }
  if (strcmp(kind, "threads") == 0) return spin_in_threads(kind);
  if (strcmp(kind, "reads") == 0) return read_often(kind);
  if (strcmp(kind, "calls") == 0 && count == 5) {
    rounds = atoi(words[3]);
    return call_for_sleeper(kind, words[4]);
  }
  if (strcmp(kind, "yield") == 0) return wait_for_sleeper(kind, yield);
  if (strcmp(kind, "zero-sleep") == 0) return wait_for_sleeper(kind, sleep_for_no_time);
  if (strcmp(kind, "flag") == 0) return wait_for_sleeper(kind, nothing);
  if (strcmp(kind, "lock-crowd") == 0) return crowd_until_flag(kind);
  if (strcmp(kind, "disturbed-flag") == 0) return wait_disturbed(kind);
  if (strcmp(kind, "alarm") == 0) return wait_for_alarm(kind);
  if (strcmp(kind, "worker") == 0) return wait_for_worker(kind);
  if (strcmp(kind, "stranger") == 0) return wait_for_stranger(kind, compute_ns);
  if (strcmp(kind, "relay") == 0) return wait_for_stranger(kind, relay_ns);
  if (strcmp(kind, "unreaped") == 0) return wait_for_stranger(kind, relay_unreaped_ns);
  if (strcmp(kind, "moment") == 0) return wait_for_moment(kind);
  if (strcmp(kind, "ask") == 0) return ask_until(kind, false);
  if (strcmp(kind, "ask-bound") == 0) return ask_until(kind, true);
  if (strcmp(kind, "sleep-compute") == 0) return sleep_compute_sleep(kind);
  if (strcmp(kind, "meter") == 0) return measure(kind);
  if (strcmp(kind, "until") == 0) return compute_until(kind);
  if (strcmp(kind, "computer") == 0) return wait_for_computer(kind, false);
  if (strcmp(kind, "yield-computer") == 0) return wait_for_computer(kind, true);
  if (strcmp(kind, "looper") == 0) return read_for_looper(kind);
  if (strcmp(kind, "turns") == 0) return take_turns(kind);
  if (strcmp(kind, "circle") == 0) return pass_round(kind);
  if (strcmp(kind, "peer") == 0) return wait_for_peer(kind);
  if (strcmp(kind, "signal") == 0) return wait_for_signal(kind, false);
  if (strcmp(kind, "yield-signal") == 0) return wait_for_signal(kind, true);
  if (strcmp(kind, "stop") == 0) return stop_spinner(kind);
  if (strcmp(kind, "yield-forever") == 0) {
    for (;;) sched_yield();
  }
  if (strcmp(kind, "clock-forever") == 0) {
    for (;;) now_ns();
  }
  if (strcmp(kind, "sleep-and-print") == 0) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int count = 0; count < 200; count++) {
      sleep_ns(length_ns);
      puts("slept");
    }
    return 0;
  }
  if (strcmp(kind, "sleep-forever") == 0) {
    for (;;) sleep_ns(length_ns);
  }
  fprintf(stderr, "spin: unknown kind \"%s\"\n", kind);
  return 2;
}
