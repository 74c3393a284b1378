#ifndef SCENARIO_CSUPERVISOR_H
#define SCENARIO_CSUPERVISOR_H

#include "clock_page.h"
#include "clock_state.h"
#include "functions.h"
#include "launch.h"
#include "placement.h"
#include "probe.h"
#include "resolution.h"
#include "search.h"
#include "timers.h"
#include "tracing.h"
#include "wakeup.h"

#endif
