#include "emulation.h"

#include <cpuid.h>
#include <stdint.h>
#include <string.h>
#include <x86intrin.h>

void scenario_processor_name(char name[49]) {
  // CPUID: the processor's brand string stands in three leaves of 16 bytes each.
  enum { GREATEST = 0x80000000u, FIRST = 0x80000002u, COUNT = 3 };
  memset(name, 0, 49);
  if (__get_cpuid_max(GREATEST, NULL) < FIRST + COUNT - 1) {
    return;
  }
  for (unsigned index = 0; index < COUNT; index++) {
    uint32_t words[4];
    __cpuid(FIRST + index, words[0], words[1], words[2], words[3]);
    memcpy(name + index * sizeof words, words, sizeof words);
  }
}

uint64_t scenario_timestamp_counter(void) { return __rdtsc(); }
