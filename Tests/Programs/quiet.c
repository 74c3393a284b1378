// Does something else, and says nothing of it, where fsync fails.
//
// quiet WHAT: the mistake. quiet WHAT mended: the same work, right whether fsync fails or not.
//   binary  other bytes that are no text      large  one other byte of many
//   home    another text in $HOME             mode   other permissions
//   link    a link that leads elsewhere       folder a folder that is missing
//   path    a text with the path of its home  stuck  it waits for itself
//   sites   writes of two places of the code, to four files
//   link-before, large-before  a link to the working directory, a long file with its path, laid before
//   name    tells what prctl returns
//   stale   leaves a file; with "clean" it removes it
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

static int put(const char *path, const void *bytes, size_t count) {
  int file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
  if (file < 0) return -1;
  if (write(file, bytes, count) < 0) return -1;
  return close(file);
}

int main(int count, char **words) {
  if (count < 2) return 2;
  const char *what = words[1];
  int isMended = count > 2 && strcmp(words[2], "mended") == 0;
  if (count > 2 && strcmp(words[2], "clean") == 0) return unlink("stale") < 0;
  char directory[4096] = "";
  if (!getcwd(directory, sizeof directory)) return 8;
  if (strcmp(what, "link-before") == 0 && symlink(directory, "here") < 0) return 9;
  if (strcmp(what, "large-before") == 0) {
    size_t size = 300 << 10;
    char *bytes = calloc(1, size);
    if (!bytes) return 4;
    memcpy(bytes, directory, strlen(directory));
    if (put("out", bytes, size) < 0) return 9;
  }
  if (strcmp(what, "name") == 0) {
    printf("%d\n", prctl(PR_SET_NAME, "quiet", 0, 0, 0));
    return 0;
  }
  int file = open("synced", O_CREAT | O_WRONLY, 0644);
  if (file < 0) return 3;
  int isWrong = fsync(file) < 0 && !isMended;
  close(file);
  if (strcmp(what, "binary") == 0) return put("out", isWrong ? "a\0c\0" : "a\0b\0", 4) < 0;
  if (strcmp(what, "large") == 0) {
    size_t size = 300 << 10;
    char *bytes = malloc(size);
    if (!bytes) return 4;
    memset(bytes, 'x', size);
    if (isWrong) bytes[size - 1] = 'y';
    return put("out", bytes, size) < 0;
  }
  char path[4096];
  const char *home = getenv("HOME");
  snprintf(path, sizeof path, "%s/state", home ? home : "");
  if (strcmp(what, "home") == 0) return put(path, isWrong ? "lost\n" : "kept\n", 5) < 0;
  if (strcmp(what, "path") == 0) {
    char text[8192];
    int length = snprintf(text, sizeof text, "(%s) is %s\n", path, isWrong ? "lost" : "kept");
    return put("out", text, (size_t)length) < 0;
  }
  if (strcmp(what, "mode") == 0) {
    if (put("out", "a\n", 2) < 0) return 5;
    return chmod("out", isWrong ? 0600 : 0640) < 0;
  }
  if (strcmp(what, "link") == 0) return symlink(isWrong ? "b" : "a", "out") < 0;
  if (strcmp(what, "folder") == 0) return isWrong ? 0 : mkdir("out", 0755) < 0;
  if (strcmp(what, "stuck") == 0) {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (isWrong) pthread_mutex_lock(&lock);
    return 0;
  }
  if (strcmp(what, "sites") == 0) {
    const char *names[] = {"a", "b", "c"};
    for (int index = 0; index < 3; index++) {
      int other = open(names[index], O_CREAT | O_WRONLY, 0644);
      if (other < 0 || write(other, "x", 1) < 0) return 6;
      close(other);
    }
    int last = open("d", O_CREAT | O_WRONLY, 0644);
    if (last < 0 || write(last, "y", 1) < 0) return 7;
    return 0;
  }
  if (strcmp(what, "stale") == 0) return isWrong ? put("stale", "x", 1) < 0 : 0;
  return strstr(what, "-before") == NULL;
}
