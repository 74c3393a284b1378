#ifndef SCENARIO_EMULATION_H
#define SCENARIO_EMULATION_H

#include <stdint.h>

// The name of the processor, as it calls itself, ends with a zero byte; empty if it has none. Emulators name
// themselves: "QEMU TCG CPU version …", "VirtualApple …".
void scenario_processor_name(char name[49]);

// The processor's time stamp counter.
uint64_t scenario_timestamp_counter(void);

#endif
