// refused_call ROUNDS: makes a call ROUNDS times that a container refuses, and each time gets a signal from another
// thread at about the same moment; says how often the call was refused, how many signals were handled, and how long
// all of it has taken.

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_barrier_t barrier;
static pthread_t caller;
static volatile sig_atomic_t handled;

static void handle(int signal) {
  (void)signal;
  handled++;
}

static void *send(void *rounds) {
  for (long round = 0; round < (long)rounds; round++) {
    pthread_barrier_wait(&barrier);
    pthread_kill(caller, SIGUSR1);
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(int words, char **word) {
  long rounds = words > 1 ? atol(word[1]) : 1;
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  pthread_barrier_init(&barrier, NULL, 2);
  caller = pthread_self();
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  pthread_t sender;
  if (pthread_create(&sender, NULL, send, (void *)rounds) != 0) return 2;
  long refused = 0;
  for (long round = 0; round < rounds; round++) {
    pthread_barrier_wait(&barrier);
    refused += sethostname("x", 1) == -1 && errno == EPERM;
    pthread_barrier_wait(&barrier);
  }
  pthread_join(sender, NULL);
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf("refused=%ld handled=%d elapsed=%ld\n", refused, (int)handled, (long)(end.tv_sec - start.tv_sec));
  return 0;
}
