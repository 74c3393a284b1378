// places tells on how many processors it may run: at its start, after waits and many calls, in its threads and its children.
//
//   places
//
// One line, `same=1`, if the answers agree.

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int count_places(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : -1;
}

// Cpus_allowed of /proc/self/status (proc(5)).
static int count_allowed(void) {
  FILE *file = fopen("/proc/thread-self/status", "r");
  char line[4096];
  int count = -1;
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    if (strncmp(line, "Cpus_allowed:", 13) == 0) {
      count = 0;
      for (char *digit = line + 13; *digit != 0 && *digit != '\n'; digit++) {
        char text[2] = {*digit, 0};
        count += __builtin_popcountl(strtoul(text, NULL, 16));
      }
    }
  }
  if (file != NULL) {
    fclose(file);
  }
  return count;
}

static void wait_a_while(void) {
  for (int round = 0; round < 20; round++) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  // Whoever watches that may come to where this thread runs.
  for (int round = 0; round < 300; round++) {
    lseek(0, 0, SEEK_CUR);
  }
}

static int wanted;
static bool differs;

static void check(int count) {
  if (count != wanted) {
    __atomic_store_n(&differs, true, __ATOMIC_RELAXED);
  }
}

static void *wait_in_thread(void *argument) {
  for (int round = 0; round < 10; round++) {
    wait_a_while();
    check(count_places());
  }
  return argument;
}

int main(int argc, char **argv) {
  if (argc > 1) {
    return count_places();
  }
  wanted = count_places();
  for (int round = 0; round < 20; round++) {
    wait_a_while();
    pid_t child = fork();
    if (child == 0) {
      if (round % 2 == 0) {
        execl("/proc/self/exe", argv[0], "count", NULL);
      }
      _exit(count_places());
    }
    int status;
    waitpid(child, &status, 0);
    check(WEXITSTATUS(status));
    check(count_places());
  }
  wait_a_while();
  check(count_allowed());
  pthread_t threads[12];
  for (int index = 0; index < 12; index++) {
    pthread_create(&threads[index], NULL, wait_in_thread, NULL);
  }
  for (int index = 0; index < 12; index++) {
    pthread_join(threads[index], NULL);
  }
  check(count_allowed());
  printf("same=%d\n", !differs);
  return 0;
}
