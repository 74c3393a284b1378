#ifndef SCENARIO_BYTE_SEARCH_H
#define SCENARIO_BYTE_SEARCH_H

#include <stddef.h>

// Whether `part` stands somewhere in `bytes`: memmem(3), which Swift does not see. Returns 1 or 0.
int scenario_contains(const void *bytes, size_t count, const void *part, size_t part_count);

#endif
