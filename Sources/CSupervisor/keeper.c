#include "keeper.h"
#include "call_witness.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "descriptor_copies.h"
#include "launch.h"

// What the keeper writes: first how the start went, then how the command ended.
struct news {
  int32_t value;
};

// How long the keeper tries to end processes that it may not, or that the kernel does not let go.
enum { LAST_ROUNDS = 500, ROUND_MILLISECONDS = 10 };

// Everything below runs behind fork(2) in a program with threads: only what signal-safety(7) lists, and
// posix_spawn(3), which asks for no memory but its own.

static void tell(int news, int32_t value) {
  const struct news message = {value};
  ssize_t count;
  do {
    count = write(news, &message, sizeof message);
  } while (count < 0 && errno == EINTR);
}

// Kills each child; false if they cannot be listed (proc(5): CONFIG_PROC_CHILDREN).
static bool kill_children(void) {
  const int list = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (list < 0) {
    return false;
  }
  // Those who do not fit are met in the next round.
  char text[16384];
  ssize_t count = read(list, text, sizeof text - 1);
  close(list);
  pid_t number = 0;
  for (ssize_t place = 0; place < count; place++) {
    if (text[place] >= '0' && text[place] <= '9') {
      number = number * 10 + (text[place] - '0');
    } else {
      if (number > 1) {
        kill(number, SIGKILL);
      }
      number = 0;
    }
  }
  return count >= 0;
}

// Records the ends of children; false if none is left.
static bool reap(pid_t command, int news) {
  for (;;) {
    int status;
    const pid_t process = waitpid(-1, &status, WNOHANG);
    if (process == command && process > 0) {
      tell(news, status);
    }
    if (process <= 0) {
      return process == 0;
    }
  }
}

static _Noreturn void keep(const struct scenario_helper_request *request,
                           posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes,
                           int control, int news, int standard_input, int channel) {
  setpgid(0, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  if (channel >= 0) {
    scenario_send_descriptor(channel, scenario_tell_of_calls(request->tells_of));
  }
  int kept[] = {request->standard_output, request->standard_error, standard_input, control, news};
  scenario_close_copies(kept, 5);
  // Now that descriptors with low numbers are free: the limit of open files may be lower than some that it has.
  scenario_set_usual_limits(false);
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGCHLD);
  const int signals = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
  pid_t command;
  const int error = posix_spawn(&command, request->path, actions, attributes, request->arguments,
                                request->environment);
  tell(news, error);
  if (error != 0) {
    _exit(0);
  }
  close(standard_input);
  close(request->standard_output);
  close(request->standard_error);
  struct pollfd list[] = {{control, POLLIN, 0}, {signals, POLLIN, 0}};
  bool has_children = true;
  do {
    poll(list, 2, signals < 0 ? ROUND_MILLISECONDS : -1);
    struct signalfd_siginfo information;
    while (read(signals, &information, sizeof information) > 0) {
    }
    has_children = reap(command, news);
  } while (list[0].revents == 0);
  for (int round = 0; has_children && round < LAST_ROUNDS; round++) {
    if (!kill_children()) {
      kill(-command, SIGKILL);
    }
    poll(&list[1], 1, ROUND_MILLISECONDS);
    struct signalfd_siginfo information;
    while (read(signals, &information, sizeof information) > 0) {
    }
    has_children = reap(command, news);
  }
  _exit(0);
}

// Runner. The command may stop its keeper before the keeper has told anything.
static int32_t first_news(int news, pid_t keeper) {
  struct pollfd told = {news, POLLIN, 0};
  while (poll(&told, 1, ROUND_MILLISECONDS) == 0) {
    kill(keeper, SIGCONT);
  }
  struct news message;
  ssize_t count;
  do {
    count = read(news, &message, sizeof message);
  } while (count < 0 && errno == EINTR);
  return count == sizeof message ? message.value : ECHILD;
}

int scenario_start_helper(const struct scenario_helper_request *request,
                          struct scenario_helper *helper) {
  int control[2];
  int news[2];
  if (pipe2(control, O_CLOEXEC) != 0) {
    return errno;
  }
  if (pipe2(news, O_CLOEXEC) != 0) {
    const int error = errno;
    close(control[0]);
    close(control[1]);
    return error;
  }
  int channel[2] = {-1, -1};
  if (request->tells_of && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) != 0) {
    channel[0] = channel[1] = -1;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, request->standard_input, 0);
  posix_spawn_file_actions_adddup2(&actions, request->standard_output, 1);
  posix_spawn_file_actions_adddup2(&actions, request->standard_error, 2);
  posix_spawn_file_actions_addchdir_np(&actions, request->directory);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t all;
  sigset_t none;
  sigfillset(&all);
  sigemptyset(&none);
  // The runner itself ignores SIGPIPE, which an exec would keep.
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);

  sigset_t before;
  pthread_sigmask(SIG_SETMASK, &all, &before);
  scenario_begin_copies();
  const pid_t keeper = fork();
  if (keeper == 0) {
    keep(request, &actions, &attributes, control[0], news[1], request->standard_input, channel[1]);
  }
  int error = keeper < 0 ? errno : 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(control[0]);
  close(news[1]);
  int told_calls = -1;
  if (channel[0] >= 0) {
    close(channel[1]);
    told_calls = error == 0 ? scenario_receive_descriptor(channel[0]) : -1;
    close(channel[0]);
  }
  if (error == 0) {
    error = first_news(news[0], keeper);
    if (error != 0) {
      waitpid(keeper, NULL, 0);
    }
  }
  // The keeper has closed its copies before it tells anything.
  scenario_end_copies();
  if (error != 0) {
    close(control[1]);
    close(news[0]);
    if (told_calls >= 0) {
      close(told_calls);
    }
    return error;
  }
  fcntl(news[0], F_SETFL, O_NONBLOCK);
  *helper = (struct scenario_helper){keeper, control[1], news[0], told_calls};
  return 0;
}

int scenario_helper_end(int news, int *status) {
  struct news message;
  const ssize_t count = read(news, &message, sizeof message);
  if (count == sizeof message) {
    *status = message.value;
    return 1;
  }
  return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}
