/// Distinguishes the system calls that an allocator makes for itself from those of the program.
///
/// Recording when a function that allocates begins and returns would cost each call. The functions
/// that a thread is in when it makes a system call are those of its frames, as its files describe
/// them. A file that describes none (musl's) leaves the stack itself: among the first return
/// addresses is one behind a call of such a function, or one within it.
struct AllocatorCode {
  /// A file that has an allocator.
  struct File: Hashable {
    /// The addresses at which it is mapped.
    var range: Range<UInt64>
    /// The address ranges of functions that allocate.
    var bodies: [Range<UInt64>]
    /// The entry addresses of those functions: for programs, and for the file's own calls.
    var entries: Set<UInt64>
  }

  private let files: [File]
  /// Returns the base address of the file that has the code at an address; `nil` if no file has.
  private let base: (UInt64) -> UInt64?
  private let code: [Range<UInt64>]
  private let memory: TargetMemory

  /// The part of the stack that is searched, in words.
  private static let depth = 256

  /// - Parameters:
  ///   - code: where files are mapped whose code may run.
  ///   - base: where the file begins that has the code at an address; `nil` if no file has.
  init(
    _ files: [File], code: [Range<UInt64>], memory: TargetMemory,
    base: @escaping (UInt64) -> UInt64?
  ) {
    self.files = files
    self.base = base
    self.code = code
    self.memory = memory
  }

  /// The largest number of frames that are walked.
  private static let frameLimit = 512
  /// The number of bytes from a function's beginning that count as the function, where its end is
  /// not known.
  private static let functionLength: UInt64 = 1 << 16

  /// Returns whether a thread at a system call is in a function that allocates.
  ///
  /// - Parameter frame: the thread's frame.
  func isInUse(at frame: CallFrameTable.Frame) -> Bool {
    guard !files.isEmpty else { return false }
    var tables: [UInt64: CallFrameTable] = [:]
    var frame = frame
    for depth in 0..<Self.frameLimit {
      let place = frame.instruction
      if depth == 0 {
        if files.contains(where: { $0.bodies.contains { $0.contains(place) } }) { return true }
      } else {
        // The first place outside the allocator's file is that of the program's own call.
        if let call = Call(returningTo: place, memory), let target = call.target,
          files.contains(where: { $0.entries.contains(target) })
        {
          return true
        }
        guard let file = files.first(where: { $0.range.contains(place) }) else { return false }
        if file.bodies.contains(where: { $0.contains(place) }) { return true }
      }
      guard let base = base(place) else { return false }
      let table = tables[base] ?? CallFrameTable(fileAt: base, in: memory)
      tables[base] = table
      guard let caller = table?.caller(of: frame, isInnermost: depth == 0) else {
        return isInUse(at: place, stackPointer: frame.registers[CallFrameTable.Frame.stackPointer])
      }
      frame = caller
    }
    return false
  }

  /// Returns the same for a thread whose frames are not known from here on, by the words on its
  /// stack.
  ///
  /// Functions leave parts of their frames unwritten, in which older places remain: one counts only
  /// if the function called before it can be the one that the thread is in.
  private func isInUse(at instruction: UInt64, stackPointer: UInt64?) -> Bool {
    guard let stackPointer else { return false }
    var inner = instruction
    let bytes = memory.readBytes(8 * Self.depth, at: stackPointer)
    for offset in stride(from: 0, through: bytes.count - 8, by: 8) {
      let word = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
      guard code.contains(where: { $0.contains(word) }),
        let call = Call(returningTo: word, memory)
      else { continue }
      if let target = call.target {
        if files.contains(where: { $0.entries.contains(target) }) { return true }
        guard target <= inner, inner - target < Self.functionLength else { continue }
      }
      guard let file = files.first(where: { $0.range.contains(word) }) else { return false }
      if file.bodies.contains(where: { $0.contains(word) }) { return true }
      inner = word
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

    /// Returns the address to which a call of an entry of the procedure linkage table finally goes;
    /// others are returned as they are.
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

    /// Returns whether these bytes are a call by way of a register or memory, and nothing else.
    private static func isIndirect(_ code: ArraySlice<UInt8>) -> Bool {
      let place = code.startIndex
      guard code.count >= 2, code[place] == 0xff, code[place + 1] >> 3 & 7 == 2 else {
        return false
      }
      return length(ofOperand: code[place + 1]) == code.count - 1
    }

    /// Returns the number of bytes that an operand takes from its ModR/M byte on.
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
