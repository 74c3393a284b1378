/* Names of hosts by /etc/hosts and DNS. */
#ifndef SCENARIO_RESOLVER_H
#define SCENARIO_RESOLVER_H

#include <ares.h>

/* What a lookup ends with; of another type in each version of the library. */
enum {
  SCENARIO_LOOKUP_SUCCESS = ARES_SUCCESS,
  SCENARIO_LOOKUP_NO_NAME = ARES_ENOTFOUND,
  SCENARIO_LOOKUP_NO_ADDRESS = ARES_ENODATA,
  SCENARIO_LOOKUP_BAD_NAME = ARES_EBADNAME,
};

#endif
