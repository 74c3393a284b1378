internal import CSupervisor
internal import Glibc

/// Flags that libc shows to programs that ask for GNU extensions only.
enum PathFlags {
  /// O_PATH of `asm-generic/fcntl.h`.
  static let pathOnly: Int32 = 0x20_0000
  /// AT_EMPTY_PATH of `linux/fcntl.h`.
  static let emptyPath: Int32 = 0x1000
}
