// Writes a file as programs do that were never tried with failing calls.
//
// careless: one mistake of each kind. A failed fsync is told to nobody and its record left out; a failed
// allocation is written to; a failed rename is tried again for ever; a lock stays where the write of a
// record fails.
// careless careful: the same work with every failure told and everything cleaned up.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int isCareful;

static int fail(const char *what) {
  fprintf(stderr, "careless: %s: %s\n", what, strerror(errno));
  unlink("lock");
  unlink("record.new");
  return 1;
}

int main(int count, char **words) {
  isCareful = count > 1 && strcmp(words[1], "careful") == 0;
  int lock = open("lock", O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (lock < 0) return fail("lock");
  close(lock);
  char *text = malloc(64);
  if (!text && isCareful) return fail("malloc");
  strcpy(text, "a record\n");
  int file = open("record.new", O_CREAT | O_TRUNC | O_WRONLY, 0600);
  if (file < 0) return fail("record.new");
  if (write(file, text, strlen(text)) < 0) {
    if (isCareful) return fail("write");
    fprintf(stderr, "careless: write failed\n");
    unlink("record.new");
    return 1;
  }
  if (fsync(file) < 0) {
    if (isCareful) return fail("fsync");
    if (ftruncate(file, 0) < 0) return fail("ftruncate");
  }
  close(file);
  while (rename("record.new", "record") < 0) {
    if (isCareful) return fail("rename");
    usleep(1000);
  }
  free(text);
  unlink("lock");
  return 0;
}
