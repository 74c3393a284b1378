#ifndef SCENARIO_CSUPERVISOR_H
#define SCENARIO_CSUPERVISOR_H

// The C library's module for Swift has no extended attributes (xattr(7)).
#include <sys/xattr.h>

#include "asked_program.h"
#include "byte_search.h"
#include "clock_page.h"
#include "clock_state.h"
#include "connections.h"
#include "descriptor_copies.h"
#include "descriptor_messages.h"
#include "dumpable.h"
#include "emulation.h"
#include "functions.h"
#include "keeper.h"
#include "launch.h"
#include "placement.h"
#include "probe.h"
#include "refusal.h"
#include "resolution.h"
#include "resource_limits.h"
#include "call_witness.h"
#include "terminal.h"
#include "timers.h"
#include "tracing.h"
#include "transfer.h"
#include "wakeup.h"
#include "watchdog.h"

#endif
