// The floor under a runner that gives each case a folder: COUNT times a folder is made, a program started in it and
// read, the folder removed; by WORKERS processes at once.
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int run_case(const char *folder) {
  char *command[] = {"/bin/echo", "hi", NULL};
  int ends[2];
  if (mkdir(folder, 0700) != 0 || pipe(ends) != 0) {
    return 1;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  posix_spawn_file_actions_addchdir_np(&actions, folder);
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
  return rmdir(folder) != 0 || status != 0 || length != 3 || memcmp(text, "hi\n", 3) != 0;
}

int main(int count, char **arguments) {
  long rounds = count > 1 ? atol(arguments[1]) : 1000;
  long workers = count > 2 ? atol(arguments[2]) : 1;
  char root[] = "/tmp/spawn-XXXXXX";
  if (mkdtemp(root) == NULL) {
    return 1;
  }
  for (long worker = 0; worker < workers; worker++) {
    if (fork() == 0) {
      for (long round = worker; round < rounds; round += workers) {
        char folder[64];
        snprintf(folder, sizeof folder, "%s/%ld", root, round);
        if (run_case(folder) != 0) {
          _exit(1);
        }
      }
      _exit(0);
    }
  }
  int result = 0;
  int status;
  while (wait(&status) > 0) {
    result |= status;
  }
  rmdir(root);
  return result == 0 ? 0 : 1;
}
