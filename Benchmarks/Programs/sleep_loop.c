// Sleeps for a millisecond as often as its argument says.
#include <stdlib.h>
#include <time.h>

int main(int count, char **arguments) {
  struct timespec millisecond = {.tv_nsec = 1000000};
  for (long rounds = count > 1 ? atol(arguments[1]) : 0; rounds > 0; rounds--) {
    nanosleep(&millisecond, NULL);
  }
  return 0;
}
