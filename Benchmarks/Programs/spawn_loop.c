// The floor under every runner: starts a program COUNT times, reads what it prints, waits for its end.
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int main(int count, char **arguments) {
  long rounds = count > 1 ? atol(arguments[1]) : 1000;
  char *command[] = {"/bin/echo", "hi", NULL};
  for (long round = 0; round < rounds; round++) {
    int ends[2];
    if (pipe(ends) != 0) {
      return 1;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    pid_t process;
    if (posix_spawn(&process, command[0], &actions, NULL, command, environ) != 0) {
      return 1;
    }
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    char text[16];
    ssize_t length = 0;
    ssize_t part;
    while ((part = read(ends[0], text + length, sizeof text - (size_t)length)) > 0) {
      length += part;
    }
    close(ends[0]);
    int status;
    waitpid(process, &status, 0);
    if (status != 0 || length != 3 || memcmp(text, "hi\n", 3) != 0) {
      return 1;
    }
  }
  return 0;
}
