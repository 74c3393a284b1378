#ifndef SCENARIO_CSUPERVISOR_H
#define SCENARIO_CSUPERVISOR_H

#include "clock_page.h"
#include "launch.h"
#include "resolution.h"
#include "tracing.h"
#include "wakeup.h"

#endif
