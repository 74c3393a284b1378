#ifndef SCENARIO_RAW_SYSTEM_CALL_X86_64_H
#define SCENARIO_RAW_SYSTEM_CALL_X86_64_H

// A system call that leaves errno alone, for code that shares its thread's storage with another thread.
// Returns what the kernel returns: a value, or a negative errno (syscall(2), x86-64).
static inline long raw_system_call(long number, long first, long second, long third, long fourth,
                                   long fifth) {
  register long fourth_register __asm__("r10") = fourth;
  register long fifth_register __asm__("r8") = fifth;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(first), "S"(second), "d"(third), "r"(fourth_register),
                     "r"(fifth_register)
                   : "rcx", "r11", "memory");
  return result;
}

#endif
