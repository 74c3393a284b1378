/// The functions that are watched in one address space.
struct Breakpoints {
  /// A function that is watched.
  struct Site {
    /// Its name.
    var name: String
    /// Its start address.
    var address: UInt64
    /// The address to which the calls of an allocator to itself go.
    var uncounted: UInt64
  }

  /// A place where a thread stops because a point is due.
  struct Trap {
    var trap: FunctionStub.Trap
    /// The function's index among the sites.
    var site: Int
    /// True if the count is the one that all processes share.
    var isShared: Bool
  }

  /// A `syscall` instruction; that of the kernel's vDSO at first.
  var systemCallInstruction: UInt64
  /// The return address of functions that the supervisor makes a thread call; 0 until there is one.
  var returnPlace: UInt64 = 0
  /// The address to resume from after a thread has slept for the supervisor, by the address at
  /// which it stops.
  var wakingPlaces: [UInt64: UInt64] = [:]
  /// A `syscall` instruction behind which such a place is.
  var sleepingPlace: UInt64 = 0
  /// The functions.
  var sites: [Site] = []
  /// The results of functions of Go, by their names, as far as the files say what they are.
  var goResults: [String: GoResults] = [:]
  /// The address ranges of files that are mapped executable.
  var code: [Range<UInt64>] = []
  /// The files whose code has called functions, by where it goes on; of what is mapped now.
  var callers: [UInt64: String] = [:]
  /// The files that have an allocator.
  var allocators: [AllocatorCode.File] = []
  /// The traps, by the address at which the thread stops.
  var traps: [UInt64: Trap] = [:]
  /// The address to continue at, by breakpoint, for functions that have no room for a jump.
  var breakpoints: [UInt64: UInt64] = [:]
  /// The objects that have been searched.
  var search = FunctionSearch()
  /// The addresses of texts that functions have returned.
  var texts: [String: UInt64] = [:]
  /// The addresses of `__errno_location` and the like.
  var helpers: [String: UInt64] = [:]
  /// The offset of a thread's errno from its thread pointer, once it is known.
  var errorOffset: UInt64?

  /// Forgets a file whose place another has taken.
  mutating func forget(objectAt address: UInt64) {
    guard search.forget(address) else { return }
    allocators.removeAll { $0.range.contains(address) }
  }

  /// Creates an empty set.
  init(systemCallInstruction: UInt64) {
    self.systemCallInstruction = systemCallInstruction
  }
}
