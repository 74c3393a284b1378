// Threads that are out of the call in which they have waited.

#include "probe.h"

#include <pty.h>
#include <termios.h>

static void send_and_pause(int descriptor) {
  sleep_ms(1000);
  require(send(descriptor, "hello", 5, 0) == 5, "send");
  pause();
}

// A thread that computes behind its call waits for no time any more.
void case_computing(const char *name) {
  struct ends ends = pair(SOCK_STREAM);
  set_timeout(ends.near, SO_RCVTIMEO, 30, 0);
  begin();
  pid_t child = beside(send_and_pause, ends.far);
  tell(name, recv(ends.near, buffer, 10, 0));
  volatile uint64_t sum = 0;
  for (uint64_t count = 0; count < 200000000; count += 1) sum += count;
  tell(name, 0);
  kill(child, SIGKILL);
  join(child);
}

static void *send_and_sleep(void *descriptor) {
  sleep_ms(1000);
  require(send(*(int *)descriptor, "hello", 5, 0) == 5, "send");
  sleep_ms(99000);
  tell("ended-leader", 0);
  exit(0);
}

// The first thread of a process ends before the others.
void case_ended_leader(const char *name) {
  struct ends ends = pair(SOCK_STREAM);
  set_timeout(ends.near, SO_RCVTIMEO, 30, 0);
  begin();
  pthread_t thread;
  static int far;
  far = ends.far;
  require(pthread_create(&thread, NULL, send_and_sleep, &far) == 0, "pthread_create");
  tell(name, recv(ends.near, buffer, 10, 0));
  pthread_exit(NULL);
}

static void *disturb(void *thread) {
  for (int count = 0; count < 10; count += 1) {
    sleep_ms(150);
    pthread_kill(*(pthread_t *)thread, SIGURG);
  }
  return NULL;
}

// The kernel itself starts a read from a terminal again, behind a signal.
void case_terminal(const char *name) {
  int near, far;
  require(openpty(&far, &near, NULL, NULL, NULL) == 0, "openpty");
  struct termios settings;
  require(tcgetattr(near, &settings) == 0, "tcgetattr");
  cfmakeraw(&settings);
  settings.c_cc[VMIN] = 0;
  settings.c_cc[VTIME] = 20;
  require(tcsetattr(near, TCSANOW, &settings) == 0, "tcsetattr");
  begin();
  pthread_t self = pthread_self(), thread;
  require(pthread_create(&thread, NULL, disturb, &self) == 0, "pthread_create");
  tell(name, read(near, buffer, 4));
}
