// Does one thing where fsync(2) succeeds and another where it fails; every scene works in the current folder.
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int synchronize(void) {
  static int descriptor = -1;
  if (descriptor < 0) {
    descriptor = open("sync", O_RDWR | O_CREAT, 0600);
  }
  return fsync(descriptor);
}

static void must(int holds, const char *what) {
  if (!holds) {
    printf("lost: %s\n", what);
    exit(9);
  }
}

static void put(const char *path, const char *text) {
  int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  must(write(descriptor, text, strlen(text)) == (ssize_t)strlen(text), path);
  close(descriptor);
}

static int holds(const char *path, const char *text) {
  char bytes[256] = {0};
  int descriptor = open(path, O_RDONLY);
  ssize_t count = read(descriptor, bytes, sizeof bytes - 1);
  close(descriptor);
  return count == (ssize_t)strlen(text) && strcmp(bytes, text) == 0;
}

// The trunk finds its files, their positions, flags, times and locks as they were.
static int files(void) {
  put("kept", "kept\n");
  put("gone", "gone\n");
  put("moved", "moved\n");
  put("short", "a longer text\n");
  mkdir("folder", 0755);
  put("folder/inner", "inner\n");
  if (symlink("kept", "link") != 0) {
    return 8;
  }
  int descriptor = open("log", O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0644);
  int reader = open("kept", O_RDONLY);
  must(write(descriptor, "first\n", 6) == 6, "log");
  lseek(descriptor, 2, SEEK_SET);
  lseek(reader, 1, SEEK_SET);
  struct stat log_before, kept_before, moved_before;
  fstat(descriptor, &log_before);
  stat("kept", &kept_before);
  stat("moved", &moved_before);
  if (synchronize() != 0) {
    must(write(descriptor, "second\n", 7) == 7, "log");
    fcntl(descriptor, F_SETFL, 0);
    lseek(reader, 3, SEEK_SET);
    flock(reader, LOCK_EX);
    put("kept", "KEPT\n");
    unlink("gone");
    rename("moved", "folder/elsewhere");
    must(truncate("short", 3) == 0, "truncate");
    chmod("kept", 0600);
    rename("folder", "directory");
    mkdir("new", 0700);
    put("new/file", "new\n");
    unlink("link");
    unlink("log");
    put("log", "another\n");
    printf("branched\n");
    return 3;
  }
  struct stat now;
  must(holds("kept", "kept\n") && holds("gone", "gone\n") && holds("moved", "moved\n"), "contents");
  must(holds("short", "a longer text\n") && holds("folder/inner", "inner\n"), "more contents");
  must(access("new", F_OK) != 0 && access("directory", F_OK) != 0, "new ones");
  must(access("folder/elsewhere", F_OK) != 0, "the old name");
  must(lseek(descriptor, 0, SEEK_CUR) == 2 && lseek(reader, 0, SEEK_CUR) == 1, "positions");
  must(fcntl(descriptor, F_GETFL) & O_APPEND, "flags");
  must(fstat(descriptor, &now) == 0 && now.st_nlink == 1 && now.st_size == 6, "the open file");
  must(stat("log", &now) == 0 && now.st_ino == log_before.st_ino, "the open file's name");
  must(now.st_mtim.tv_nsec == log_before.st_mtim.tv_nsec, "its time");
  must(stat("kept", &now) == 0 && now.st_mode == kept_before.st_mode, "permissions");
  must(now.st_mtim.tv_nsec == kept_before.st_mtim.tv_nsec, "times");
  must(stat("moved", &now) == 0 && now.st_ino == moved_before.st_ino, "the moved file");
  must(lstat("link", &now) == 0 && S_ISLNK(now.st_mode), "the link");
  int other = open("kept", O_RDONLY);
  must(flock(other, LOCK_EX | LOCK_NB) == 0, "no lock");
  must(write(descriptor, "third\n", 6) == 6 && holds("log", "first\nthird\n"), "appending");
  printf("whole\n");
  return 0;
}

static void *sleeper(void *argument) {
  pause();
  return argument;
}

static int report(const char *scene) {
  int failed = synchronize() != 0;
  printf("%s %s\n", scene, failed ? "failed" : "went well");
  return failed ? 1 : 0;
}

static int refused(const char *scene) {
  int ends[2];
  if (strcmp(scene, "threads") == 0) {
    pthread_t thread;
    for (int index = 0; index < 20; index++) {
      pthread_create(&thread, NULL, sleeper, NULL);
    }
  } else if (strcmp(scene, "child") == 0) {
    if (fork() == 0) {
      pause();
    }
  } else if (strcmp(scene, "zombie") == 0) {
    pid_t child = fork();
    if (child == 0) {
      _exit(0);
    }
    siginfo_t information;
    waitid(P_PID, (id_t)child, &information, WEXITED | WNOWAIT);
  } else if (strcmp(scene, "socket") == 0) {
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, scene);
  } else if (strcmp(scene, "pipe") == 0) {
    must(pipe(ends) == 0, scene);
  } else if (strcmp(scene, "shared") == 0) {
    must(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED,
         scene);
  } else if (strcmp(scene, "alarm") == 0) {
    alarm(1000);
  } else if (strcmp(scene, "lock") == 0) {
    int descriptor = open("locked", O_RDWR | O_CREAT, 0600);
    struct flock whole = {.l_type = F_WRLCK};
    must(fcntl(descriptor, F_SETLK, &whole) == 0, scene);
  } else if (strcmp(scene, "pending") == 0) {
    sigset_t set;
    sigfillset(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
  } else if (strcmp(scene, "foreign") == 0) {
    must(open("/tmp/branches-foreign", O_RDWR | O_CREAT, 0600) >= 0, scene);
    unlink("/tmp/branches-foreign");
  } else {
    return 8;
  }
  return report(scene);
}

// What only the branch does.
static int wild(const char *scene) {
  pid_t self = getpid();
  if (synchronize() == 0) {
    printf("calm\n");
    return 0;
  }
  printf("%s\n", scene);
  fflush(stdout);
  if (strcmp(scene, "crash") == 0) {
    raise(SIGSEGV);
    abort();
  } else if (strcmp(scene, "pause") == 0) {
    pause();
  } else if (strcmp(scene, "loop") == 0) {
    for (volatile int turn = 0;; turn++) {
    }
  } else if (strcmp(scene, "sleep") == 0) {
    sleep(86400);
  } else if (strcmp(scene, "nap") == 0) {
    sleep(60);
  } else if (strcmp(scene, "daemon") == 0) {
    if (fork() == 0) {
      setsid();
      pause();
    }
    return 5;
  } else if (strcmp(scene, "crashing-child") == 0) {
    pid_t child = fork();
    if (child == 0) {
      abort();
    }
    int status;
    waitpid(child, &status, 0);
    return 6;
  } else if (strcmp(scene, "write-outside") == 0) {
    put("/tmp/branches-outside", "outside\n");
  } else if (strcmp(scene, "remove-outside") == 0) {
    unlink("/tmp/branches-foreign-2");
  } else if (strcmp(scene, "signal") == 0) {
    kill(self, SIGTERM);
  } else if (strcmp(scene, "group") == 0) {
    kill(0, SIGTERM);
  } else if (strcmp(scene, "connect") == 0) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&address, sizeof address);
  }
  return 7;
}

// Reads one byte, and behind the call the rest.
static int input(void) {
  char byte = 0;
  must(read(0, &byte, 1) == 1, "input");
  int failed = synchronize() != 0;
  char rest[256] = {0};
  ssize_t count = 0, total = 0;
  while ((count = read(0, rest + total, failed ? 2 : sizeof rest - 1 - (size_t)total)) > 0) {
    total += count;
    if (failed && total >= 4) {
      break;
    }
  }
  printf("%c+%s\n", byte, rest);
  return failed;
}

static int many(int count) {
  for (int index = 0; index < count; index++) {
    if (synchronize() != 0) {
      printf("failed at %d\n", index + 1);
      return 1;
    }
  }
  printf("done\n");
  return 0;
}

int main(int count, char **words) {
  if (count < 2) {
    return 2;
  }
  if (strcmp(words[1], "files") == 0) {
    return files();
  }
  if (strcmp(words[1], "input") == 0) {
    return input();
  }
  if (strcmp(words[1], "many") == 0) {
    return many(count > 2 ? atoi(words[2]) : 1000);
  }
  if (strcmp(words[1], "with") == 0 && count > 2) {
    return refused(words[2]);
  }
  if (strcmp(words[1], "then") == 0 && count > 2) {
    return wild(words[2]);
  }
  return 2;
}
