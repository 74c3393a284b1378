// together asks a server from several processes with several threads each, all at one instant, again and again.
//
//   together PROCESSES THREADS ROUNDS [each]
//
// It asks 198.51.100.7:80 for /turn; the server is to answer "0", "1" and so on up to the number of threads, over
// and over. The answers are in order where thread t of process p gets the number p * THREADS + t. Printed are how
// many answers were in order, and in how many rounds the requests were sent in another order than that.
//
// With "each", every request has a connection of its own.
//
//   together alone COUNT   asks so many times, one request after the other
//   together idle COUNT    the same beside a thread that only waits
//   together spin          asks from one thread, while another one spins until the answer is there

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { maximum = 256 };

static struct {
  pthread_barrier_t barrier;
  atomic_uint ticket;
  atomic_uint right;
  atomic_uint disordered;
  unsigned tickets[maximum];
} *shared;

static int threads, rounds, total;
static int connects_each;

static int open_connection(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(80)};
  inet_pton(AF_INET, "198.51.100.7", &address.sin_addr);
  int connection = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(connection, (struct sockaddr *)&address, sizeof address) != 0) {
    perror("connect");
    exit(1);
  }
  return connection;
}

static void ask(int connection) {
  static const char request[] = "GET /turn HTTP/1.1\r\nhost: 198.51.100.7\r\n\r\n";
  if (write(connection, request, sizeof request - 1) < 0) {
    perror("write");
    exit(1);
  }
}

// Reads one answer with a body of digits.
static int answer(int connection) {
  char text[4096];
  size_t length = 0;
  for (;;) {
    ssize_t count = read(connection, text + length, sizeof text - 1 - length);
    if (count <= 0) return -1;
    length += (size_t)count;
    text[length] = 0;
    char *body = strstr(text, "\r\n\r\n");
    char *field = strcasestr(text, "content-length: ");
    if (body && field && strlen(body + 4) >= (size_t)atoi(field + 16)) return atoi(body + 4);
  }
}

static void *work(void *argument) {
  int place = (int)(long)argument;
  int connection = open_connection();
  for (int round = 0; round < rounds; round++) {
    if (connects_each && round > 0) {
      close(connection);
      connection = open_connection();
    }
    pthread_barrier_wait(&shared->barrier);
    shared->tickets[place] = atomic_fetch_add(&shared->ticket, 1);
    ask(connection);
    if (answer(connection) == place) atomic_fetch_add(&shared->right, 1);
    if (pthread_barrier_wait(&shared->barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
      for (int other = 1; other < total; other++) {
        if (shared->tickets[other] < shared->tickets[other - 1]) {
          atomic_fetch_add(&shared->disordered, 1);
          break;
        }
      }
    }
    pthread_barrier_wait(&shared->barrier);
  }
  close(connection);
  return NULL;
}

static void run_process(int process) {
  pthread_t members[maximum];
  for (int thread = 0; thread < threads; thread++) {
    pthread_create(&members[thread], NULL, work, (void *)(long)(process * threads + thread));
  }
  for (int thread = 0; thread < threads; thread++) pthread_join(members[thread], NULL);
}

static void *wait_for_ever(void *argument) {
  (void)argument;
  for (;;) pause();
  return NULL;
}

static int ask_alone(int count) {
  int connection = open_connection();
  for (int turn = 0; turn < count; turn++) {
    ask(connection);
    if (answer(connection) < 0) return 1;
  }
  printf("%d answers\n", count);
  return 0;
}

static atomic_int is_answered;

static void *spin(void *argument) {
  (void)argument;
  while (!atomic_load(&is_answered)) {
  }
  return NULL;
}

static int ask_beside_spinner(void) {
  pthread_t spinner;
  pthread_create(&spinner, NULL, spin, NULL);
  int connection = open_connection();
  ask(connection);
  int number = answer(connection);
  atomic_store(&is_answered, 1);
  pthread_join(spinner, NULL);
  printf("answer %d\n", number);
  return 0;
}

int main(int count, char **arguments) {
  if (count == 2 && strcmp(arguments[1], "spin") == 0) return ask_beside_spinner();
  if (count == 3 && strcmp(arguments[1], "alone") == 0) return ask_alone(atoi(arguments[2]));
  if (count == 3 && strcmp(arguments[1], "idle") == 0) {
    pthread_t idler;
    pthread_create(&idler, NULL, wait_for_ever, NULL);
    return ask_alone(atoi(arguments[2]));
  }
  if (count < 4) {
    fprintf(stderr, "usage: together PROCESSES THREADS ROUNDS [each]\n");
    return 2;
  }
  int processes = atoi(arguments[1]);
  threads = atoi(arguments[2]);
  rounds = atoi(arguments[3]);
  connects_each = count > 4;
  total = processes * threads;
  if (total < 1 || total > maximum) return 2;

  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_barrierattr_t attributes;
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(&shared->barrier, &attributes, (unsigned)total);
  for (int process = 0; process < processes; process++) {
    if (fork() == 0) {
      run_process(process);
      _exit(0);
    }
  }
  for (int process = 0; process < processes; process++) wait(NULL);
  printf("%u in order\n", atomic_load(&shared->right));
  printf("%s\n", atomic_load(&shared->disordered) > 0 ? "sent in another" : "sent as answered");
  return 0;
}
