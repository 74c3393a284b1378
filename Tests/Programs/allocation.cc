// Allocates by the operators of C++, and tells which of them failed.
//
//   allocation COUNT     new, new[], new with std::nothrow and std::string, one after the other
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

// Without it the compiler leaves out what is freed at once.
template <typename Value> static Value *kept(Value *value) {
  __asm__ volatile("" : "+r"(value) : : "memory");
  return value;
}

int main(int count, char **words) {
  int rounds = count > 1 ? std::atoi(words[1]) : 1;
  char text[256];
  int length = 0;
  auto tell = [&](const char *what) {
    length += std::snprintf(text + length, sizeof text - length, "%s ", what);
  };
  for (int round = 0; round < rounds; round++) {
    try {
      delete kept(new int(round));
      tell("new");
    } catch (const std::bad_alloc &) {
      tell("NEW");
    }
    try {
      delete[] kept(new char[64]);
      tell("new[]");
    } catch (const std::bad_alloc &) {
      tell("NEW[]");
    }
    int *quiet = kept(new (std::nothrow) int(round));
    tell(quiet ? "nothrow" : "NOTHROW");
    delete quiet;
    try {
      std::string longer(100, 'x');
      kept(&longer);
      tell(longer.size() == 100 ? "string" : "?");
    } catch (const std::bad_alloc &) {
      tell("STRING");
    }
  }
  return std::printf("%s\n", text) < 0;
}
