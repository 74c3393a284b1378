// reads asks for the time in every way but clock_gettime's, by libc and by raw system calls, and tries to
// set it.
//
//   reads resolutions    NAME libc=… raw=… for every clock
//   reads uptimes        sysinfo, times, adjtimex, ntp_gettime, /proc/uptime
//   reads cpu            whether the CPU clocks run
//   reads set SECONDS    clock_settime by raw call, then what the wall clock shows
//   reads due            what becomes of a sleep until a time of day that is set past it
//   reads attempts       every way to set the clock, with its error
//   reads opens COUNT    opens /dev/null so often
//   reads reread DELAY   /proc/uptime, then again from the same descriptor after so many milliseconds

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *outcome(long result) {
  return result < 0 ? strerrorname_np(errno) : "none";
}

// MARK: - Resolutions

static void print_resolution(int clock) {
  struct timespec libc = {.tv_sec = -7};
  struct timespec raw = {.tv_sec = -7};
  const char *libc_error = outcome(clock_getres(clock, &libc));
  const char *raw_error = outcome(syscall(SYS_clock_getres, clock, &raw));
  const char *null_error = outcome(clock_getres(clock, NULL));
  printf(
      "clock %d libc=%s:%lld.%09ld raw=%s:%lld.%09ld null=%s\n", clock, libc_error,
      (long long)libc.tv_sec, libc.tv_nsec, raw_error, (long long)raw.tv_sec, raw.tv_nsec,
      null_error);
}

static int resolutions(void) {
  for (int clock = 0; clock < 16; clock++) {
    print_resolution(clock);
  }
  clockid_t process;
  clock_getcpuclockid(getpid(), &process);
  struct timespec dynamic;
  printf("dynamic %s\n", outcome(clock_getres(process, &dynamic)));
  printf("fault %s\n", outcome(syscall(SYS_clock_getres, CLOCK_REALTIME, (void *)8)));
  return 0;
}

// MARK: - Uptimes

static void print_file(const char *name, int descriptor) {
  char text[64] = {0};
  ssize_t count = read(descriptor, text, sizeof text - 1);
  text[strcspn(text, "\n")] = 0;
  printf("%s %zd %s\n", name, count, text);
}

static int uptimes(void) {
  struct sysinfo libc;
  struct sysinfo raw;
  sysinfo(&libc);
  syscall(SYS_sysinfo, &raw);
  printf("sysinfo libc=%ld raw=%ld memory=%s\n", libc.uptime, raw.uptime,
      libc.totalram > 0 && libc.totalram == raw.totalram ? "same" : "differs");
  printf("sysinfo fault %s\n", outcome(syscall(SYS_sysinfo, (void *)8)));

  struct tms usage = {.tms_utime = -1};
  long first = times(&usage);
  long second = syscall(SYS_times, NULL);
  printf("times libc=%ld raw=%ld user=%s\n", first, second, usage.tms_utime >= 0 ? "set" : "unset");
  printf("times fault %s\n", outcome(syscall(SYS_times, (void *)8)));

  struct timex timex = {.modes = 0};
  int state = adjtimex(&timex);
  long long divisor = timex.status & STA_NANO ? 1000000000 : 1000000;
  printf("adjtimex state=%s seconds=%lld fraction=%s tai=%d offset=%ld\n",
      state >= 0 ? "fine" : strerrorname_np(errno), (long long)timex.time.tv_sec,
      timex.time.tv_usec < divisor ? "fine" : "wrong", timex.tai, timex.offset);
  memset(&timex, 0, sizeof timex);
  timex.modes = ADJ_OFFSET_SS_READ;
  state = clock_adjtime(CLOCK_REALTIME, &timex);
  printf("clock_adjtime state=%s seconds=%lld\n", state >= 0 ? "fine" : strerrorname_np(errno),
      (long long)timex.time.tv_sec);
  struct ntptimeval ntp;
  state = ntp_gettime(&ntp);
  printf("ntp_gettime state=%s seconds=%lld tai=%ld\n", state >= 0 ? "fine" : strerrorname_np(errno),
      (long long)ntp.time.tv_sec, ntp.tai);
  printf("adjtimex fault %s\n", outcome(syscall(SYS_adjtimex, (void *)8)));
  const struct timex *constant =
      mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  printf("adjtimex constant %s\n", outcome(syscall(SYS_adjtimex, constant)));
  printf("clock_adjtime monotonic %s\n", outcome(clock_adjtime(CLOCK_MONOTONIC, &timex)));
  printf("clock_adjtime unknown %s\n", outcome(clock_adjtime(99, &timex)));

  print_file("open", syscall(SYS_open, "/proc/uptime", O_RDONLY));
  print_file("openat", openat(AT_FDCWD, "/proc/uptime", O_RDONLY | O_CLOEXEC));
  struct open_how how = {.flags = O_RDONLY | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS};
  int descriptor = syscall(SYS_openat2, AT_FDCWD, "/proc/uptime", &how, sizeof how);
  print_file("openat2", descriptor);
  printf("closes %d\n", fcntl(descriptor, F_GETFD));
  printf("folder %s\n", outcome(open("/proc/uptime", O_RDONLY | O_DIRECTORY)));
  how.resolve = RESOLVE_BENEATH;
  printf("beneath %s\n", outcome(syscall(SYS_openat2, AT_FDCWD, "/proc/uptime", &how, sizeof how)));
  printf("absent %s\n", outcome(open("/proc/uptimes", O_RDONLY)));
  return 0;
}

static int reread(long delay) {
  int descriptor = open("/proc/uptime", O_RDONLY);
  print_file("first", descriptor);
  struct timespec pause = {.tv_sec = delay / 1000, .tv_nsec = delay % 1000 * 1000000};
  nanosleep(&pause, NULL);
  lseek(descriptor, 0, SEEK_SET);
  print_file("again", descriptor);
  return 0;
}

// MARK: - CPU clocks

static int cpu(void) {
  static const clockid_t clocks[] = {CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID};
  clockid_t process;
  clock_getcpuclockid(getpid(), &process);
  struct timespec start;
  struct timespec now;
  clock_gettime(process, &start);
  do {
    clock_gettime(process, &now);
  } while (now.tv_sec == start.tv_sec && now.tv_nsec < start.tv_nsec + 20000000 &&
           now.tv_nsec >= start.tv_nsec);
  for (int index = 0; index < 2; index++) {
    clock_gettime(clocks[index], &now);
    printf("clock %d %s\n", clocks[index],
        now.tv_sec < 100 && now.tv_sec * 1000000000 + now.tv_nsec >= 20000000 ? "runs" : "stands");
  }
  struct tms usage;
  times(&usage);
  printf("times %s\n", usage.tms_utime + usage.tms_stime > 0 ? "runs" : "stands");
  return 0;
}

// MARK: - Setting

static void attempt(const char *name, long result) {
  printf("%s %s\n", name, outcome(result));
}

static struct timex request(unsigned modes) {
  return (struct timex){.modes = modes};
}

static int attempts(void) {
  void *invalid = (void *)8;
  struct timespec fine = {.tv_sec = 2000000000, .tv_nsec = 5};
  struct timespec wrong = {.tv_sec = 2000000000, .tv_nsec = 1000000000};
  struct timespec negative = {.tv_sec = -1};
  struct timespec late = {.tv_sec = 9000000000};
  struct timespec early = {.tv_sec = 50000};
  struct timeval time = {.tv_sec = 2000000000, .tv_usec = 5};
  struct timeval wrong_time = {.tv_sec = 2000000000, .tv_usec = 1000001};
  struct timezone zone = {.tz_minuteswest = 60};
  struct timezone wrong_zone = {.tz_minuteswest = 16 * 60};
  struct timex change;

  attempt("settimeofday-nothing", syscall(SYS_settimeofday, NULL, NULL));
  attempt("settime-fault", syscall(SYS_clock_settime, CLOCK_REALTIME, invalid));
  attempt("settime-wrong", clock_settime(CLOCK_REALTIME, &wrong));
  attempt("settime-negative", clock_settime(CLOCK_REALTIME, &negative));
  attempt("settime-late", clock_settime(CLOCK_REALTIME, &late));
  attempt("settime-early", clock_settime(CLOCK_REALTIME, &early));
  attempt("settime-monotonic", clock_settime(CLOCK_MONOTONIC, &fine));
  attempt("settime-tai", clock_settime(CLOCK_TAI, &fine));
  attempt("settime-unknown", clock_settime(99, &fine));
  attempt("settime", clock_settime(CLOCK_REALTIME, &fine));
  attempt("settimeofday-fault", syscall(SYS_settimeofday, invalid, NULL));
  attempt("settimeofday-zone-fault", syscall(SYS_settimeofday, &time, invalid));
  attempt("settimeofday-wrong", syscall(SYS_settimeofday, &wrong_time, NULL));
  attempt("settimeofday-wrong-zone", syscall(SYS_settimeofday, NULL, &wrong_zone));
  attempt("settimeofday-zone", syscall(SYS_settimeofday, NULL, &zone));
  attempt("settimeofday", syscall(SYS_settimeofday, &time, &zone));
  change = request(ADJ_TICK);
  attempt("adjtimex-tick", adjtimex(&change));
  change = request(ADJ_SETOFFSET);
  change.time.tv_usec = -1;
  attempt("adjtimex-offset", adjtimex(&change));
  change = request(0x8000);
  attempt("adjtimex-once", adjtimex(&change));
  change = request(ADJ_FREQUENCY);
  change.freq = 600 << 16;
  attempt("adjtimex-frequency", adjtimex(&change));
  change = request(0);
  adjtimex(&change);
  printf("frequency %s\n", change.freq == 500 << 16 ? "kept" : "other");
  change = request(ADJ_SETOFFSET | ADJ_NANO);
  change.time.tv_sec = -1;
  change.time.tv_usec = 999999999;
  attempt("clock_adjtime-offset", clock_adjtime(CLOCK_REALTIME, &change));
  struct timeval slew = {.tv_sec = 1};
  attempt("adjtime", adjtime(&slew, NULL));

  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  printf("now %lld.%09ld\n", (long long)now.tv_sec, now.tv_nsec);
  return 0;
}

static int set(long long seconds) {
  struct timespec time = {.tv_sec = seconds};
  struct timespec wall;
  struct timespec monotonic;
  attempt("set", syscall(SYS_clock_settime, CLOCK_REALTIME, &time));
  clock_gettime(CLOCK_REALTIME, &wall);
  clock_gettime(CLOCK_MONOTONIC, &monotonic);
  printf("wall %lld monotonic %lld\n", (long long)wall.tv_sec, (long long)monotonic.tv_sec);
  struct timespec due = {.tv_sec = wall.tv_sec + 10};
  attempt("sleep", clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &due, NULL));
  clock_gettime(CLOCK_REALTIME, &wall);
  clock_gettime(CLOCK_MONOTONIC, &monotonic);
  printf("wall %lld monotonic %lld\n", (long long)wall.tv_sec, (long long)monotonic.tv_sec);
  return 0;
}

static int due(void) {
  struct timespec time;
  struct timespec pause = {.tv_sec = 1};
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_sec += 3600;
  if (fork() == 0) {
    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &time, NULL);
    _exit(0);
  }
  nanosleep(&pause, NULL);
  time.tv_sec += 7200;
  attempt("set", clock_settime(CLOCK_REALTIME, &time));
  wait(NULL);
  clock_gettime(CLOCK_MONOTONIC, &time);
  printf("monotonic %lld\n", (long long)time.tv_sec);
  return 0;
}

static int opens(long count) {
  struct timespec start;
  struct timespec end;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &start, 0x5ce7a410);
  for (long index = 0; index < count; index++) {
    int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
      return 3;
    }
    close(descriptor);
  }
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &end, 0x5ce7a410);
  long long length = (end.tv_sec - start.tv_sec) * 1000000000LL + end.tv_nsec - start.tv_nsec;
  fprintf(stderr, "%lld ns per open\n", length / count);
  return 0;
}

int main(int count, char **words) {
  const char *kind = count > 1 ? words[1] : "";
  long long number = count > 2 ? strtoll(words[2], NULL, 10) : 0;
  setvbuf(stdout, NULL, _IOFBF, 65536);
  int code = 2;
  if (strcmp(kind, "resolutions") == 0) {
    code = resolutions();
  } else if (strcmp(kind, "uptimes") == 0) {
    code = uptimes();
  } else if (strcmp(kind, "cpu") == 0) {
    code = cpu();
  } else if (strcmp(kind, "set") == 0 && number > 0) {
    code = set(number);
  } else if (strcmp(kind, "due") == 0) {
    code = due();
  } else if (strcmp(kind, "attempts") == 0) {
    code = attempts();
  } else if (strcmp(kind, "opens") == 0 && number > 0) {
    code = opens(number);
  } else if (strcmp(kind, "reread") == 0 && number > 0) {
    code = reread(number);
  }
  return fflush(stdout) == 0 ? code : 3;
}
