#ifndef SCENARIO_TERMINAL_H
#define SCENARIO_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

// Pseudo-terminals (pty(7)). Runs in the runner.

// Opens a pseudo-terminal of a size in characters: the runner's end, which does not block, and the
// program's. Both are close-on-exec, and neither becomes the runner's controlling terminal. Returns 0 or
// an errno.
int scenario_open_terminal(uint16_t columns, uint16_t rows, int *runner_end, int *program_end);

// TIOCSWINSZ: another size, of which the foreground process group learns by SIGWINCH. Returns 0 or an
// errno.
int scenario_resize_terminal(int descriptor, uint16_t columns, uint16_t rows);

// The character that ends the input of a reader (termios(3): VEOF), or 4, which is usual, where the
// terminal has none.
uint8_t scenario_terminal_end_of_input(int descriptor);

#endif
