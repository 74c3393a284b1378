// Allocates in several ways, and tells which of them failed.
//
//   allocation_points           malloc small and large, mmap, calloc large, realloc large, mmap: 1 or 0 each
//   allocation_points COUNT     mallocs and mmaps in turn until one fails; tells how many there were

#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Far above what an allocator takes from its heap (mallopt(3): M_MMAP_THRESHOLD).
static const size_t large = 64u << 20;

static void *map(void) {
  void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

// The compiler must not leave an allocation out.
static void *kept(void *memory) {
  __asm__ volatile("" : "+r"(memory) : : "memory");
  return memory;
}

// Leaves places behind calls of the program all over the stack below, as programs do that have called
// deeper functions before: a callee that leaves parts of its frame unwritten has them there.
__attribute__((noinline)) static void soil_stack(void) {
  volatile uintptr_t words[512];
  for (size_t index = 0; index < sizeof words / sizeof *words; index++) {
    words[index] = (uintptr_t)__builtin_return_address(0);
  }
}

// Without a function that allocates.
static int tell(long failed) {
  char line[32];
  int length = snprintf(line, sizeof line, "failed=%ld\n", failed);
  return write(1, line, (size_t)length) == length ? 0 : 1;
}

static int count_until_failure(long count) {
  for (long index = 0; index < count; index++) {
    void *memory = index % 2 == 0 ? kept(malloc(32)) : map();
    if (memory == NULL) {
      return tell(index + 1);
    }
    if (index % 2 == 0) {
      free(memory);
    } else {
      munmap(memory, 4096);
    }
  }
  return tell(0);
}

int main(int count, char **words) {
  if (count > 1) {
    return count_until_failure(atol(words[1]));
  }
  char line[8] = "      \n";
  soil_stack();
  line[0] = kept(malloc(32)) != NULL ? '1' : '0';
  soil_stack();
  line[1] = kept(malloc(large)) != NULL ? '1' : '0';
  soil_stack();
  line[2] = map() != NULL ? '1' : '0';
  soil_stack();
  line[3] = kept(calloc(2, large)) != NULL ? '1' : '0';
  soil_stack();
  line[4] = kept(realloc(NULL, 3 * large)) != NULL ? '1' : '0';
  soil_stack();
  line[5] = map() != NULL ? '1' : '0';
  return write(1, line, 7) == 7 ? 0 : 1;
}
