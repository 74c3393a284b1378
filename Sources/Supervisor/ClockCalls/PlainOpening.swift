internal import Glibc

/// An open for reading of a file in whose place an anonymous one would do as well.
struct PlainOpening {
  /// Flags with which an anonymous file does as well: O_CLOEXEC, O_NONBLOCK, O_NOCTTY, O_NOFOLLOW,
  /// O_NOATIME, O_LARGEFILE, and O_RDONLY, which is 0.
  static let harmlessFlags = UInt32(
    O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | noAccessTime | largeFile)
  private static let noAccessTime: Int32 = 0o1000000
  // For 64-bit programs libc's O_LARGEFILE is 0; the kernel's is this.
  private static let largeFile: Int32 = 0o100000

  /// True if the descriptor closes at exec.
  let closesAtExec: Bool
  /// The address of the path.
  let path: UInt64

  /// Reads a call; `nil` if it opens in another way.
  init?(_ registers: Registers, _ memory: TargetMemory) {
    guard let open = OpenCall(registers, memory) else { return nil }
    path = registers[argument: open.pathArgument]
    let flags = open.flags
    guard flags & ~UInt64(Self.harmlessFlags) == 0 else { return nil }
    closesAtExec = flags & UInt64(O_CLOEXEC) != 0
  }
}
