/// Tells the system calls that an allocator makes for itself from those of the program.
///
/// Nobody notes when a function that allocates begins and returns, as that would cost each call. Whoever makes
/// a system call has left on its stack where it returns to: among the first of these places is one behind a
/// call of such a function, or one within it.
struct AllocatorCode {
  /// A file that has an allocator.
  struct File: Hashable {
    /// Where it is mapped.
    var range: Range<UInt64>
    /// Where functions are that allocate.
    var bodies: [Range<UInt64>]
    /// Where they begin: for programs, and for the file's own calls.
    var entries: Set<UInt64>
  }

  private let files: [File]
  private let code: [Range<UInt64>]
  private let memory: TargetMemory

  /// How much of the stack is looked at, in words.
  private static let depth = 256

  /// - Parameter code: where files are mapped whose code may run.
  init(_ files: [File], code: [Range<UInt64>], memory: TargetMemory) {
    self.files = files
    self.code = code
    self.memory = memory
  }

  /// Whether a thread that makes a system call with this stack pointer is in a function that allocates.
  func isInUse(stackPointer: UInt64) -> Bool {
    guard !files.isEmpty else { return false }
    let bytes = memory.readBytes(8 * Self.depth, at: stackPointer)
    for offset in stride(from: 0, through: bytes.count - 8, by: 8) {
      let word = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
      guard code.contains(where: { $0.contains(word) }),
        let call = Call(returningTo: word, memory)
      else { continue }
      if let target = call.target, files.contains(where: { $0.entries.contains(target) }) {
        return true
      }
      // The first place outside the allocator's file is that of the program's own call.
      guard let file = files.first(where: { $0.range.contains(word) }) else { return false }
      if file.bodies.contains(where: { $0.contains(word) }) { return true }
    }
    return false
  }

  /// An instruction `call` (Intel's manual, volume 2).
  private struct Call {
    /// The function; `nil` if a register said which.
    var target: UInt64?

    /// The instruction before an address; `nil` if there is none.
    init?(returningTo word: UInt64, _ memory: TargetMemory) {
      let code = memory.readBytes(7, at: word &- 7)
      guard code.count == 7 else { return nil }
      let distance = Self.distance(code[3...])
      if code[2] == 0xe8 {
        target = Self.destination(of: word &+ distance, memory)
      } else if code[1] == 0xff, code[2] == 0x15 {
        target = memory.read(UInt64.self, at: word &+ distance)
      } else if (2...7).contains(where: { Self.isIndirect(code[(7 - $0)...]) }) {
        target = nil
      } else {
        return nil
      }
    }

    /// Where a call of an entry of the procedure linkage table goes in the end; others stay where they are.
    private static func destination(of place: UInt64, _ memory: TargetMemory) -> UInt64 {
      var code = memory.readBytes(16, at: place)[...]
      if code.starts(with: [0xf3, 0x0f, 0x1e, 0xfa]) { code = code.dropFirst(4) }
      if code.first == 0xf2 { code = code.dropFirst() }
      guard code.starts(with: [0xff, 0x25]), code.count >= 6 else { return place }
      let end = place &+ UInt64(code.startIndex + 6)
      return memory.read(UInt64.self, at: end &+ distance(code.dropFirst(2))) ?? place
    }

    /// The four bytes of a distance.
    private static func distance(_ bytes: ArraySlice<UInt8>) -> UInt64 {
      let low = bytes.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return UInt64(bitPattern: Int64(Int32(bitPattern: low)))
    }

    /// Whether these bytes are a call by way of a register or memory, and nothing else.
    private static func isIndirect(_ code: ArraySlice<UInt8>) -> Bool {
      let place = code.startIndex
      guard code.count >= 2, code[place] == 0xff, code[place + 1] >> 3 & 7 == 2 else {
        return false
      }
      return length(ofOperand: code[place + 1]) == code.count - 1
    }

    /// How many bytes an operand takes from its ModR/M byte on.
    private static func length(ofOperand first: UInt8) -> Int {
      let hasIndex = first & 7 == 4
      switch first >> 6 {
      case 0: return first & 7 == 5 ? 5 : hasIndex ? 2 : 1
      case 1: return hasIndex ? 3 : 2
      case 2: return hasIndex ? 6 : 5
      default: return 1
      }
    }
  }
}
