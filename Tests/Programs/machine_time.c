// Looks for the machine's own time where a program may find it: machine_time WAY...
//
// Each way prints one line or more: WAY, and what it has found.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/net_tstamp.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <linux/tcp.h>
#include <pthread.h>
#include <setjmp.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#define START_OF_2030 1893456000

static void die(const char *what) {
  perror(what);
  exit(1);
}

// Two datagram sockets of which the second sends to the first.
static void open_pair(int *receiver, int *sender) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  *receiver = socket(AF_INET, SOCK_DGRAM, 0);
  *sender = socket(AF_INET, SOCK_DGRAM, 0);
  if (bind(*receiver, (struct sockaddr *)&address, length) != 0 ||
      getsockname(*receiver, (struct sockaddr *)&address, &length) != 0 ||
      connect(*sender, (struct sockaddr *)&address, length) != 0) {
    die("sockets");
  }
}

static void show_time(const char *way, const char *kind, int64_t seconds, int64_t fraction) {
  printf("%s %s %lld.%lld\n", way, kind, (long long)(seconds - START_OF_2030), (long long)fraction);
}

static void show_control(const char *way, struct msghdr *message) {
  for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL;
       part = CMSG_NXTHDR(message, part)) {
    struct timespec times[3];
    memcpy(times, CMSG_DATA(part), sizeof times);
    if (part->cmsg_level != SOL_SOCKET) {
      printf("%s other %d\n", way, part->cmsg_type);
    } else if (part->cmsg_type == SO_TIMESTAMP || part->cmsg_type == SO_TIMESTAMP_NEW) {
      show_time(way, "timeval", times[0].tv_sec, times[0].tv_nsec);
    } else if (part->cmsg_type == SO_TIMESTAMPNS || part->cmsg_type == SO_TIMESTAMPNS_NEW) {
      show_time(way, "timespec", times[0].tv_sec, times[0].tv_nsec);
    } else {
      show_time(way, "several", times[0].tv_sec, times[0].tv_nsec);
      printf("%s device %lld\n", way, (long long)times[2].tv_sec);
    }
  }
}

struct mail {
  char text[8];
  char control[256];
  struct iovec part;
};

static struct msghdr header_of(struct mail *mail) {
  memset(mail, 0, sizeof *mail);
  mail->part = (struct iovec){mail->text, sizeof mail->text};
  return (struct msghdr){.msg_iov = &mail->part,
                         .msg_iovlen = 1,
                         .msg_control = mail->control,
                         .msg_controllen = sizeof mail->control};
}

static struct msghdr receive_one(int receiver, struct mail *mail) {
  struct msghdr header = header_of(mail);
  if (recvmsg(receiver, &header, 0) != 2) {
    die("recvmsg");
  }
  return header;
}

static void receive(const char *way, int receiver) {
  struct mail mail;
  struct msghdr header = receive_one(receiver, &mail);
  show_control(way, &header);
}

// The kernel begins to stamp packets some time after it was asked to: until then SO_TIMESTAMPING tells nothing.
static void await_stamps(int receiver, int sender) {
  for (int i = 0; i < 1000000; i++) {
    struct mail mail;
    if (write(sender, "hi", 2) != 2) {
      die("write");
    }
    struct msghdr header = receive_one(receiver, &mail);
    if (header.msg_controllen != 0) {
      return;
    }
  }
  die("stamps");
}

static void receive_many(const char *way, int receiver, int count, struct timespec *timeout) {
  struct mail mails[4];
  struct mmsghdr headers[4];
  for (int i = 0; i < 4; i++) {
    headers[i] = (struct mmsghdr){.msg_hdr = header_of(&mails[i])};
  }
  int received = recvmmsg(receiver, headers, count, timeout != NULL ? 0 : MSG_WAITFORONE, timeout);
  for (int i = 0; i < received; i++) {
    show_control(way, &headers[i].msg_hdr);
  }
}

static void set(int socket, int option, int value) {
  if (setsockopt(socket, SOL_SOCKET, option, &value, sizeof value) != 0) {
    die("setsockopt");
  }
}

static void *send_late(void *sender) {
  for (int i = 0; i < 4; i++) {
    sleep(10);
    if (write(*(int *)sender, "hi", 2) != 2) {
      die("write");
    }
  }
  return NULL;
}

static void packets(void) {
  static const struct {
    const char *name;
    int option, value;
  } options[] = {
      {"timestamp", SO_TIMESTAMP, 1},
      {"timestamp-new", SO_TIMESTAMP_NEW, 1},
      {"timestampns", SO_TIMESTAMPNS, 1},
      {"timestampns-new", SO_TIMESTAMPNS_NEW, 1},
      {"timestamping", SO_TIMESTAMPING, SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE},
      {"timestamping-new", SO_TIMESTAMPING_NEW,
       SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE},
  };
  int receiver, sender;
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    open_pair(&receiver, &sender);
    set(receiver, options[i].option, options[i].value);
    await_stamps(receiver, sender);
    if (write(sender, "hi", 2) != 2) {
      die("write");
    }
    receive(options[i].name, receiver);
    close(receiver);
    close(sender);
  }
  open_pair(&receiver, &sender);
  set(receiver, SO_TIMESTAMP, 1);
  // With other control messages around.
  int one = 1;
  setsockopt(receiver, IPPROTO_IP, IP_RECVTTL, &one, sizeof one);
  int got;
  socklen_t length = sizeof got;
  getsockopt(receiver, SOL_SOCKET, SO_TIMESTAMP, &got, &length);
  printf("asked %d\n", got);
  pthread_t thread;
  pthread_create(&thread, NULL, send_late, &sender);
  receive("late", receiver);
  receive_many("many", receiver, 2, NULL);
  struct timespec timeout = {.tv_sec = 15};
  receive_many("many-timed", receiver, 4, &timeout);
  pthread_join(thread, NULL);
  // A child has the socket and has not asked for anything itself.
  if (write(sender, "hi", 2) != 2) {
    die("write");
  }
  pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", "machine_time", "inherited", receiver == 3 ? "3" : "0", NULL);
    _exit(1);
  }
  waitpid(child, NULL, 0);
}

// A recvmmsg(2) whose time is up goes on to one more datagram.
static void unfinished(void) {
  int receiver, sender;
  open_pair(&receiver, &sender);
  set(receiver, SO_TIMESTAMPNS, 1);
  pthread_t thread;
  pthread_create(&thread, NULL, send_late, &sender);
  struct timespec timeout = {.tv_sec = 25};
  receive_many("unfinished", receiver, 4, &timeout);
  pthread_join(thread, NULL);
}

static void requests(void) {
  int receiver, sender;
  open_pair(&receiver, &sender);
  struct timeval time = {0};
  int failure = ioctl(receiver, SIOCGSTAMP_OLD, &time) == 0 ? 0 : errno;
  printf("request none %d %lld\n", failure, (long long)time.tv_sec);
  for (int i = 0; i < 2; i++) {
    if (write(sender, "hi", 2) != 2 || read(receiver, &(char[8]){0}, 8) != 2) {
      die("datagram");
    }
  }
  struct timespec precise;
  if (ioctl(receiver, SIOCGSTAMP_OLD, &time) != 0) {
    die("SIOCGSTAMP");
  }
  show_time("request", "timeval", time.tv_sec, time.tv_usec);
  if (ioctl(receiver, SIOCGSTAMPNS_OLD, &precise) != 0) {
    die("SIOCGSTAMPNS");
  }
  show_time("request", "timespec", precise.tv_sec, precise.tv_nsec);
  if (ioctl(receiver, SIOCGSTAMPNS_NEW, &precise) != 0) {
    die("SIOCGSTAMPNS_NEW");
  }
  show_time("request", "timespec", precise.tv_sec, precise.tv_nsec);
  printf("request fault %d\n", ioctl(receiver, SIOCGSTAMP_OLD, (void *)8) == 0 ? 0 : errno);
}

static void show_connection(const char *way, int socket, socklen_t length) {
  struct tcp_info info = {0};
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) {
    die("TCP_INFO");
  }
  printf("%s length=%s state=%d sent=%u received=%u answered=%u rto=%u rtt=%u variation=%u", way,
         length < sizeof info ? "short" : "whole", info.tcpi_state, info.tcpi_last_data_sent,
         info.tcpi_last_data_recv, info.tcpi_last_ack_recv, info.tcpi_rto, info.tcpi_rtt,
         info.tcpi_rttvar);
  printf(" least=%u busy=%llu limited=%llu,%llu bytes=%llu\n", info.tcpi_min_rtt,
         (unsigned long long)info.tcpi_busy_time, (unsigned long long)info.tcpi_rwnd_limited,
         (unsigned long long)info.tcpi_sndbuf_limited, (unsigned long long)info.tcpi_bytes_sent);
}

static void connection(int lasts) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 1) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
    die("listener");
  }
  int client = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(client, (struct sockaddr *)&address, length) != 0) {
    die("connect");
  }
  int server = accept(listener, NULL, NULL);
  char buffer[8];
  if (write(client, "hello", 5) != 5 || read(server, buffer, 5) != 5) {
    die("transfer");
  }
  show_connection("connection", client, sizeof(struct tcp_info));
  if (!lasts) {
    return;
  }
  sleep(7);
  show_connection("connection", client, sizeof(struct tcp_info));
  if (write(server, "world", 5) != 5 || read(client, buffer, 5) != 5) {
    die("transfer");
  }
  show_connection("connection", client, sizeof(struct tcp_info));
  sleep(2);
  // As much as the C library's own structure has.
  show_connection("connection", client, 104);
}

// The vDSO by its name in the memory map, and by the vector that the kernel gives.
static void images(void) {
  FILE *map = fopen("/proc/self/maps", "r");
  char line[512];
  int count = 0;
  while (fgets(line, sizeof line, map) != NULL) {
    count += strstr(line, "[vdso") != NULL || strstr(line, "[vvar") != NULL;
  }
  fclose(map);
  printf("images named=%d\n", count);
  uint64_t vector[64] = {0};
  int file = open("/proc/self/auxv", O_RDONLY);
  if (read(file, vector, sizeof vector) <= 0) {
    die("auxv");
  }
  uint64_t header = 0;
  for (int i = 0; i < 64 && vector[i] != AT_NULL; i += 2) {
    if (vector[i] == AT_SYSINFO_EHDR) {
      header = vector[i + 1];
    }
  }
  printf("images same=%d\n", header == getauxval(AT_SYSINFO_EHDR));
  // The first function of the image that tells the time is the scenario's.
  const Elf64_Ehdr *image = (const Elf64_Ehdr *)header;
  const Elf64_Phdr *segments = (const Elf64_Phdr *)(header + image->e_phoff);
  const Elf64_Dyn *dynamic = NULL;
  for (int i = 0; i < image->e_phnum; i++) {
    if (segments[i].p_type == PT_DYNAMIC) {
      dynamic = (const Elf64_Dyn *)(header + segments[i].p_vaddr);
    }
  }
  const Elf64_Sym *symbols = NULL;
  const char *names = NULL;
  const uint32_t *table = NULL;
  for (; dynamic->d_tag != DT_NULL; dynamic++) {
    if (dynamic->d_tag == DT_SYMTAB) {
      symbols = (const Elf64_Sym *)(header + dynamic->d_un.d_ptr);
    } else if (dynamic->d_tag == DT_STRTAB) {
      names = (const char *)(header + dynamic->d_un.d_ptr);
    } else if (dynamic->d_tag == DT_HASH) {
      table = (const uint32_t *)(header + dynamic->d_un.d_ptr);
    }
  }
  for (uint32_t i = 0; table != NULL && i < table[1]; i++) {
    if (symbols[i].st_value != 0 && strcmp(names + symbols[i].st_name, "__vdso_time") == 0) {
      time_t (*function)(time_t *) = (time_t(*)(time_t *))(header + symbols[i].st_value);
      printf("images time=%lld\n", (long long)(function(NULL) - START_OF_2030));
    }
  }
}

static void handle(int signal) {
  (void)signal;
  printf("signal %lld\n", (long long)(time(NULL) - START_OF_2030));
}

// What the kernel does with a handler's frame does not need its vDSO.
static void signals(void) {
  struct sigaction action = {.sa_handler = handle};
  sigaction(SIGALRM, &action, NULL);
  alarm(3);
  pause();
  printf("signal returned\n");
}

static sigjmp_buf place;

static void leap(int signal) {
  (void)signal;
  siglongjmp(place, 1);
}

static sem_t wanted;

static void *store_reading(void *reading) {
  sem_wait(&wanted);
  *(uint64_t *)reading = __rdtsc();
  return NULL;
}

// Returns whether the counter goes on while a thousand seconds are slept, which is a moment for the machine.
static int shows_virtual_time(void) {
  struct timespec length = {.tv_sec = 1000};
  uint64_t first = __rdtsc();
  nanosleep(&length, NULL);
  return __rdtsc() - first > 100000000000u;
}

static void *count_in_thread(void *unused) {
  (void)unused;
  return (void *)(uintptr_t)(1 + shows_virtual_time());
}

// The processor's counter, in a program that handles no signal.
static void count(void) {
  int flag = 0;
  prctl(PR_GET_TSC, &flag);
  uint64_t first = __rdtsc();
  unsigned processor;
  printf("count flag=%d reads=%d\n", flag, __rdtscp(&processor) > first);
}

// The ticks of a nanosecond, measured by sleeps of several lengths, as libraries measure them: how far each measure is
// from the first.
static void calibrate(void) {
  double rate = 0;
  printf("calibrate");
  for (int milliseconds = 1; milliseconds <= 8; milliseconds *= 2) {
    struct timespec length = {.tv_nsec = milliseconds * 1000000}, begin, end;
    clock_gettime(CLOCK_MONOTONIC_RAW, &begin);
    uint64_t first = __rdtsc();
    nanosleep(&length, NULL);
    clock_gettime(CLOCK_MONOTONIC_RAW, &end);
    uint64_t second = __rdtsc();
    double passed = (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
    double measured = (double)(second - first) / passed;
    if (rate == 0) rate = measured;
    printf(" %.2f", measured / rate);
  }
  printf("\n");
}

// Readings are larger each time, and not as far apart as the ones before.
static void count_often(void) {
  uint64_t last = __rdtsc(), distance = 0;
  int backwards = 0, alike = 0;
  for (int number = 0; number < 12000; number++) {
    uint64_t next = __rdtsc();
    backwards += next <= last;
    alike += number < 1500 && next - last == distance;
    distance = next - last;
    last = next;
  }
  printf("often backwards=%d alike=%d\n", backwards, alike > 150);
}

// Threads and processes that a program has made read it, and not the program itself.
static void count_in_threads(void) {
  pthread_t thread;
  void *result = NULL;
  pthread_create(&thread, NULL, count_in_thread, NULL);
  pthread_join(thread, &result);
  printf("threads virtual=%d\n", (int)(uintptr_t)result - 1);
}

static void *fork_in_thread(void *unused) {
  (void)unused;
  pid_t child = fork();
  if (child == 0) {
    _exit(shows_virtual_time() ? 7 : 8);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return (void *)(uintptr_t)WEXITSTATUS(status);
}

static void count_in_children(void) {
  pthread_t thread;
  void *result = NULL;
  pthread_create(&thread, NULL, fork_in_thread, NULL);
  pthread_join(thread, &result);
  printf("children exit=%d\n", (int)(uintptr_t)result);
}

// Several processes read it, one behind the other.
static void count_in_order(void) {
  uint64_t *readings =
      mmap(NULL, sizeof(uint64_t) * 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int kept = 1;
  for (int number = 0; number < 20; number++) {
    pid_t child = number % 2 == 0 ? fork() : -1;
    if (child <= 0) readings[number] = __rdtsc();
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, NULL, 0);
    kept &= number == 0 || readings[number] > readings[number - 1];
  }
  printf("order kept=%d\n", kept);
}

// A thread reads it over and over, and another one after ten seconds, between two more readings of the first.
static void count_handed_over(void) {
  pthread_t thread;
  uint64_t second = 0;
  sem_init(&wanted, 0, 0);
  pthread_create(&thread, NULL, store_reading, &second);
  for (int number = 0; number < 3000; number++) (void)__rdtsc();
  struct timespec length = {.tv_sec = 10};
  nanosleep(&length, NULL);
  uint64_t first = __rdtsc();
  sem_post(&wanted);
  pthread_join(thread, NULL);
  uint64_t third = __rdtsc();
  printf("handed over order=%d\n", first < second && second < third);
}

// The program of a shell that ignores faults.
static void be_ignored(void) {
  raise(SIGSEGV);
  printf("ignored survives\n");
}

// The same with a handler, and with the flag that forbids it.
static void counter(void) {
  struct sigaction action = {.sa_handler = leap};
  sigaction(SIGSEGV, &action, NULL);
  int flag = 0;
  prctl(PR_GET_TSC, &flag);
  printf("counter flag=%s\n", flag == PR_TSC_ENABLE ? "enabled" : "forbidden");
  if (sigsetjmp(place, 1) == 0) {
    uint64_t first = __rdtsc();
    unsigned processor;
    uint64_t second = __rdtscp(&processor);
    printf("counter reads=%d\n", second > first);
  } else {
    printf("counter fault\n");
  }
  pthread_t thread;
  void *result = NULL;
  pthread_create(&thread, NULL, count_in_thread, NULL);
  pthread_join(thread, &result);
  printf("counter thread=%d\n", result != NULL);
  prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
  prctl(PR_GET_TSC, &flag);
  printf("counter flag=%s\n", flag == PR_TSC_ENABLE ? "enabled" : "forbidden");
  if (sigsetjmp(place, 1) == 0) {
    (void)__rdtsc();
    printf("counter reads\n");
  } else {
    printf("counter fault\n");
  }
  prctl(PR_SET_TSC, PR_TSC_ENABLE);
  printf("counter again=%d\n", __rdtsc() != 0);
}

static int pipe_ends[2];
static int ready_ends[2];

static void *count_with_signals_blocked(void *unused) {
  (void)unused;
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  char byte;
  if (write(ready_ends[1], "x", 1) != 1 || read(pipe_ends[0], &byte, 1) != 1) {
    die("read");
  }
  return (void *)(uintptr_t)shows_virtual_time();
}

// A thread that blocks all signals reads it behind the setting of a handler, which is not lost by that.
static void blocked(void) {
  pthread_t thread;
  void *result = NULL;
  char byte;
  if (pipe(pipe_ends) != 0 || pipe(ready_ends) != 0 ||
      pthread_create(&thread, NULL, count_with_signals_blocked, NULL) != 0 ||
      read(ready_ends[0], &byte, 1) != 1) {
    die("thread");
  }
  struct sigaction action = {.sa_handler = leap};
  sigaction(SIGSEGV, &action, NULL);
  if (write(pipe_ends[1], "x", 1) != 1) {
    die("write");
  }
  pthread_join(thread, &result);
  printf("blocked thread=%d\n", result != NULL);
  if (sigsetjmp(place, 1) == 0) {
    raise(SIGSEGV);
  } else {
    printf("blocked handler\n");
  }
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (int i = 1; i < argc; i++) {
    const char *way = argv[i];
    if (strcmp(way, "packets") == 0) {
      packets();
    } else if (strcmp(way, "inherited") == 0) {
      receive("inherited", 3);
      return 0;
    } else if (strcmp(way, "unfinished") == 0) {
      unfinished();
    } else if (strcmp(way, "requests") == 0) {
      requests();
    } else if (strcmp(way, "connection") == 0) {
      connection(1);
    } else if (strcmp(way, "connected") == 0) {
      connection(0);
    } else if (strcmp(way, "images") == 0) {
      images();
    } else if (strcmp(way, "signals") == 0) {
      signals();
    } else if (strcmp(way, "count") == 0) {
      count();
    } else if (strcmp(way, "threads") == 0) {
      count_in_threads();
    } else if (strcmp(way, "children") == 0) {
      count_in_children();
    } else if (strcmp(way, "calibrate") == 0) {
      calibrate();
    } else if (strcmp(way, "order") == 0) {
      count_in_order();
    } else if (strcmp(way, "handed") == 0) {
      count_handed_over();
    } else if (strcmp(way, "ignored") == 0) {
      be_ignored();
    } else if (strcmp(way, "often") == 0) {
      count_often();
    } else if (strcmp(way, "counter") == 0) {
      counter();
    } else if (strcmp(way, "blocked") == 0) {
      blocked();
    } else {
      fprintf(stderr, "unknown way %s\n", way);
      return 2;
    }
  }
  return 0;
}
