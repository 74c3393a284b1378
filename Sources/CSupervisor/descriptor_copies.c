#include "descriptor_copies.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "raw_system_call_x86_64.h"

// The whole process has one table of descriptors, and so one pair of numbers.
static _Atomic uint64_t begun;
static _Atomic uint64_t ended;

void scenario_begin_copies(void) {
  atomic_fetch_add(&begun, 1);
}

void scenario_end_copies(void) {
  atomic_fetch_add(&ended, 1);
}

bool scenario_has_no_copies(uint64_t *number) {
  // In this order: what has ended by now had begun, so that equal numbers mean that none is under way.
  const uint64_t past = atomic_load(&ended);
  *number = atomic_load(&begun);
  return past == *number;
}

enum { FIRST_COPY = 3, ENTRIES_SIZE = 2048, NAME_OFFSET = 19 };

static bool is_kept(int descriptor, const int *kept, int count) {
  for (int index = 0; index < count; index++) {
    if (kept[index] == descriptor) {
      return true;
    }
  }
  return false;
}

// Where close_range(2) is missing, or forbidden: those that /proc/self/fd shows (getdents(2): a 64-bit inode and
// offset, the length of the record in 16 bits, a byte of type, the name).
static void close_each(const int *kept, int count) {
  const long folder = raw_system_call(SYS_openat, AT_FDCWD, (long)"/proc/self/fd",
                                      O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0, 0);
  if (folder < 0) {
    return;
  }
  unsigned char entries[ENTRIES_SIZE];
  long size;
  while ((size = raw_system_call(SYS_getdents64, folder, (long)entries, sizeof entries, 0, 0)) > 0) {
    for (long place = 0; place < size;) {
      const unsigned char *entry = entries + place;
      int number = 0;
      bool is_number = entry[NAME_OFFSET] != '.';
      for (const unsigned char *digit = entry + NAME_OFFSET; is_number && *digit != 0; digit++) {
        number = number * 10 + (*digit - '0');
      }
      if (is_number && number >= FIRST_COPY && number != folder && !is_kept(number, kept, count)) {
        raw_system_call(SYS_close, number, 0, 0, 0, 0);
      }
      place += entry[16] | entry[17] << 8;
    }
  }
  raw_system_call(SYS_close, folder, 0, 0, 0, 0);
}

void scenario_close_copies(int *kept, int count) {
  for (int end = 1; end < count; end++) {
    for (int place = end; place > 0 && kept[place] < kept[place - 1]; place--) {
      const int other = kept[place];
      kept[place] = kept[place - 1];
      kept[place - 1] = other;
    }
  }
  unsigned int from = FIRST_COPY;
  for (int index = 0; index < count; index++) {
    if (kept[index] < FIRST_COPY) {
      continue;
    }
    const unsigned int number = (unsigned int)kept[index];
    if (number > from &&
        raw_system_call(SYS_close_range, from, number - 1, 0, 0, 0) < 0) {
      return close_each(kept, count);
    }
    from = number + 1;
  }
  if (raw_system_call(SYS_close_range, from, (long)~0U, 0, 0, 0) < 0) {
    close_each(kept, count);
  }
}
