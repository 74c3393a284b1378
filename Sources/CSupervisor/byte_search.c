#include "byte_search.h"

#include <string.h>

int scenario_contains(const void *bytes, size_t count, const void *part, size_t part_count) {
  return memmem(bytes, count, part, part_count) != NULL;
}
