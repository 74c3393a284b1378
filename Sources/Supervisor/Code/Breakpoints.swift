/// The functions that are watched in one address space.
struct Breakpoints {
  /// A function that is watched.
  struct Site {
    /// Its name.
    var name: String
    /// Where it begins.
    var address: UInt64
    /// Where the calls of an allocator to itself go.
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
  /// Where functions return to that the supervisor makes a thread call; 0 until there is such a place.
  var returnPlace: UInt64 = 0
  /// Where a thread stops that has slept for the supervisor, and where it would sleep again.
  var wakingPlaces: [UInt64: UInt64] = [:]
  /// A `syscall` instruction behind which such a place is.
  var sleepingPlace: UInt64 = 0
  /// The functions.
  var sites: [Site] = []
  /// Where files are mapped whose code may run.
  var code: [Range<UInt64>] = []
  /// The files whose code has called functions, by where it goes on; of what is mapped now.
  var callers: [UInt64: String] = [:]
  /// The files that have an allocator.
  var allocators: [AllocatorCode.File] = []
  /// What is due, by where the thread stands then.
  var traps: [UInt64: Trap] = [:]
  /// Where to go from the breakpoints of functions that have no room for a jump.
  var breakpoints: [UInt64: UInt64] = [:]
  /// The objects that have been looked through, by where they are loaded.
  var objects: Set<UInt64> = []
  /// Which points have found a function of a name, and where the file's code begins that has it.
  var found: [Found: UInt64] = [:]
  /// Where texts lie that functions have returned.
  var texts: [String: UInt64] = [:]
  /// Where `__errno_location` and the like are.
  var helpers: [String: UInt64] = [:]
  /// How far a thread's errno is from its thread pointer, once that is known.
  var errorOffset: UInt64?

  /// A point and one of its names.
  struct Found: Hashable {
    var point: Int
    var name: String
  }

  /// Forgets a file whose place another has taken.
  mutating func forget(objectAt address: UInt64) {
    guard objects.remove(address) != nil else { return }
    found = found.filter { $0.value != address }
    allocators.removeAll { $0.range.contains(address) }
  }

  /// Creates an empty set.
  init(systemCallInstruction: UInt64) {
    self.systemCallInstruction = systemCallInstruction
  }
}
