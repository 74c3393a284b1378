// Calls for chaos to change, one scene each; what the program sees goes to standard output.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int scratch(void) {
  char path[] = "/tmp/chaos-XXXXXX";
  int descriptor = mkstemp(path);
  unlink(path);
  return descriptor;
}

// Twenty threads in each of five processes make ten calls each; prints how many of them failed.
static void *sync_ten(void *argument) {
  int descriptor = *(int *)argument;
  long failures = 0;
  for (int index = 0; index < 10; index++) {
    if (fsync(descriptor) != 0 && errno == EIO) {
      failures++;
    }
  }
  return (void *)failures;
}

static int crowd(void) {
  int results[2];
  if (pipe(results) != 0) {
    return 1;
  }
  for (int process = 0; process < 5; process++) {
    if (fork() == 0) {
      int descriptor = scratch();
      pthread_t threads[20];
      long failures = 0;
      for (int index = 0; index < 20; index++) {
        pthread_create(&threads[index], NULL, sync_ten, &descriptor);
      }
      for (int index = 0; index < 20; index++) {
        void *result;
        pthread_join(threads[index], &result);
        failures += (long)result;
      }
      if (write(results[1], &failures, sizeof failures) != sizeof failures) {
        _exit(1);
      }
      _exit(0);
    }
  }
  long total = 0;
  for (int process = 0; process < 5; process++) {
    long failures;
    if (read(results[0], &failures, sizeof failures) == sizeof failures) {
      total += failures;
    }
    wait(NULL);
  }
  printf("failures=%ld\n", total);
  return 0;
}

// Vectors and messages: what comes through, and that the caller's own structures are as before.
static int vectors(void) {
  int pair[2];
  char first[4] = "abc", second[5] = "defg";
  struct iovec vector[2] = {{first, 3}, {second, 4}};
  struct msghdr message = {.msg_iov = vector, .msg_iovlen = 2};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) {
    return 1;
  }
  printf("sent=%zd\n", sendmsg(pair[0], &message, 0));
  printf("wrote=%zd\n", writev(pair[0], vector, 2));
  printf("vector=%zu,%zu,%zu\n", vector[0].iov_len, vector[1].iov_len, message.msg_iovlen);
  printf("text=%s%s\n", first, second);
  char buffer[32] = "";
  shutdown(pair[0], SHUT_WR);
  size_t count = 0;
  ssize_t result;
  while ((result = recv(pair[1], buffer + count, sizeof buffer - 1 - count, 0)) > 0) {
    count += result;
  }
  printf("arrived=%s\n", buffer);
  return 0;
}

static volatile sig_atomic_t handled;

static void handle(int number) {
  handled = number;
}

// A read of a pipe that is delayed: a signal with or without SA_RESTART disturbs it.
static int disturbed(int flags) {
  int ends[2];
  char byte = 0;
  struct sigaction action = {.sa_handler = handle, .sa_flags = flags};
  struct timespec before, after;
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  struct itimerspec time = {.it_value = {.tv_sec = 2}};
  sigaction(SIGUSR1, &action, NULL);
  if (pipe(ends) != 0 || write(ends[1], "x", 1) != 1 ||
      timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) {
    return 1;
  }
  clock_gettime(CLOCK_MONOTONIC, &before);
  timer_settime(timer, 0, &time, NULL);
  ssize_t result = read(ends[0], &byte, 1);
  int error = errno;
  clock_gettime(CLOCK_MONOTONIC, &after);
  printf("result=%zd error=%d handled=%d byte=%d seconds=%ld\n", result, result < 0 ? error : 0,
         handled == SIGUSR1, byte, after.tv_sec - before.tv_sec);
  return 0;
}

// System calls keep all registers but rax, rcx and r11 (syscall(2)).
static int registers(void) {
  int descriptor = scratch();
  char buffer[64] = "";
  if (write(descriptor, "0123456789", 10) != 10) {
    return 1;
  }
  long size = 64, result = 0;
  register long offset __asm__("r10") = 0;
  long number = SYS_pread64, place = descriptor;
  char *address = buffer;
  __asm__ volatile("syscall"
                   : "=a"(result), "+D"(place), "+S"(address), "+d"(size), "+r"(offset)
                   : "0"(number)
                   : "rcx", "r11", "memory");
  printf("result=%ld size=%ld same=%d text=%s\n", result, size,
         address == buffer && place == descriptor && offset == 0, buffer);
  return 0;
}

static int memory(void) {
  char *before = sbrk(0);
  void *more = sbrk(1 << 20);
  printf("grown=%d errno=%d moved=%d\n", more != (void *)-1, more == (void *)-1 ? errno : 0,
         (char *)sbrk(0) != before);
  return 0;
}

int main(int count, char **arguments) {
  const char *scene = count > 1 ? arguments[1] : "";
  setvbuf(stdout, NULL, _IOFBF, 4096);
  if (strcmp(scene, "crowd") == 0) {
    return crowd();
  }
  if (strcmp(scene, "vectors") == 0) {
    return vectors();
  }
  if (strcmp(scene, "restart") == 0) {
    return disturbed(SA_RESTART);
  }
  if (strcmp(scene, "interrupt") == 0) {
    return disturbed(0);
  }
  if (strcmp(scene, "registers") == 0) {
    return registers();
  }
  if (strcmp(scene, "memory") == 0) {
    return memory();
  }
  return 2;
}
