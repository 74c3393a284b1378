/// The first instructions of a function: how its entry can be watched, and how they run elsewhere.
///
/// Where they take at least five bytes that nothing else jumps into, a jump is written over them, which
/// costs nanoseconds. Else a breakpoint is, which takes one byte and a stop at each entry.
struct FunctionEntry {
  /// The bytes that replace the beginning.
  enum Patch: Equatable {
    /// `jmp` with a distance of four bytes.
    case jump
    /// `int3`.
    case breakpoint
  }

  /// The start address of the function.
  let address: UInt64
  /// The bytes that are to replace its beginning.
  let patch: Patch
  private let instructions: [(instruction: Instruction, bytes: ArraySlice<UInt8>)]

  /// The length of `jmp`, in bytes.
  static let jumpLength = 5
  /// The number of bytes before a function that are searched for jumps into its beginning.
  static let neighbourhood = 256
  /// The number of instructions of a function that are searched for jumps to its beginning.
  private static let sweepLimit = 1 << 16

  /// Reads a function; `nil` if not even its first instruction can run elsewhere.
  ///
  /// - Parameters:
  ///   - code: the function's bytes and, where there are, 16 bytes behind it.
  ///   - size: how long the function is, 0 if that is not known.
  ///   - address: where it begins.
  ///   - before: what stands before it.
  init?(code: [UInt8], size: Int, at address: UInt64, before: [UInt8] = []) {
    self.address = address
    var instructions: [(instruction: Instruction, bytes: ArraySlice<UInt8>)] = []
    var length = 0
    while length < Self.jumpLength {
      guard let instruction = Instruction(code[length...]), Self.isMovable(instruction) else {
        break
      }
      instructions.append((instruction, code[length..<length + instruction.length]))
      length += instruction.length
      if instruction.form.isEnd { break }
    }
    guard let first = instructions.first else { return nil }
    let hasRoom =
      length >= Self.jumpLength
      ? size == 0 || length <= size || Self.isPadding(code, from: size)
      : instructions.last?.instruction.form.isEnd == true && length == size
        && Self.isPadding(code, from: size)
    let end = address &+ UInt64(max(length, Self.jumpLength))
    let inside = (address &+ 1)..<end
    let jumpsInside = instructions.enumerated().contains { index, part in
      let place = address &+ UInt64(part.bytes.startIndex)
      return part.instruction.target(at: place).map { inside.contains($0) || $0 == address }
        ?? false
    }
    if hasRoom, !jumpsInside, !Self.hasJump(into: inside, code: code, size: size, at: address),
      !Self.hasJump(into: inside, from: before)
    {
      patch = .jump
      self.instructions = instructions
    } else {
      guard first.instruction.target(at: address).map({ $0 != address }) ?? true else { return nil }
      patch = .breakpoint
      self.instructions = [first]
    }
  }

  /// A call would push another place than the one that unwinders know; a short branch cannot be made
  /// longer.
  private static func isMovable(_ instruction: Instruction) -> Bool {
    switch instruction.form {
    case .plain, .addressed, .branch, .jump, .end: true
    case .call, .shortBranch: false
    }
  }

  /// Returns whether only padding up to the next function follows the end.
  private static func isPadding(_ code: [UInt8], from size: Int) -> Bool {
    guard size <= code.count, code.count >= jumpLength else { return false }
    var position = size
    while position < jumpLength {
      guard let instruction = Instruction(code[position...]) else { return false }
      let bytes = code[position..<position + instruction.length].drop { $0 == 0x66 || $0 == 0x2e }
      let isNothing =
        bytes.first == 0xcc || bytes.first == 0x90 || bytes.starts(with: [0x0f, 0x1f])
      guard isNothing else { return false }
      position += instruction.length
    }
    return true
  }

  /// Returns whether the function jumps to a place between others that are to be moved.
  ///
  /// True where its code cannot be read to its end. Of a function whose end is not known, as much is read as can be.
  private static func hasJump(
    into inside: Range<UInt64>, code: [UInt8], size: Int, at address: UInt64
  ) -> Bool {
    var position = 0
    let end = min(size == 0 ? code.count : size, code.count, sweepLimit)
    while position < end {
      guard let instruction = Instruction(code[position...]) else { return size != 0 }
      if let target = instruction.target(at: address &+ UInt64(position)), inside.contains(target) {
        return true
      }
      position += instruction.length
    }
    return false
  }

  /// Returns whether a neighbour jumps there, as glibc's mempcpy does into memcpy.
  ///
  /// - Parameter before: bytes that end one before `inside`, and may begin within an instruction.
  private static func hasJump(into inside: Range<UInt64>, from before: [UInt8]) -> Bool {
    let address = inside.lowerBound &- 1
    // Instructions read from a wrong place soon fall into step; those that end where they should have.
    for start in 0..<min(16, before.count) {
      var position = start
      var isFound = false
      while position < before.count {
        guard let instruction = Instruction(before[position...]) else {
          position += 1
          continue
        }
        let place = address &- UInt64(before.count - position)
        if let target = instruction.target(at: place), inside.contains(target) { isFound = true }
        position += instruction.length
      }
      if position == before.count { return isFound }
    }
    return false
  }

  /// The addresses to which the first instructions jump.
  var targets: [UInt64] {
    instructions.compactMap {
      $0.instruction.target(at: address &+ UInt64($0.bytes.startIndex))
    }
  }

  /// Returns the first instructions for another address, followed by a jump to the rest; `nil` if
  /// something is too far away.
  ///
  /// - Parameter redirections: other targets for their jumps.
  func displaced(at place: UInt64, redirections: [UInt64: UInt64] = [:]) -> [UInt8]? {
    func redirected(_ target: UInt64?) -> UInt64 {
      target.map { redirections[$0] ?? $0 } ?? 0
    }
    var code = CodeWriter(at: place)
    var isEnded = false
    for part in instructions {
      let original = address &+ UInt64(part.bytes.startIndex)
      switch part.instruction.form {
      case .plain:
        code.append(part.bytes)
      case .end:
        code.append(part.bytes)
        isEnded = true
      case .addressed(let offset):
        let end = original &+ UInt64(part.bytes.count)
        let start = part.bytes.startIndex + offset
        let distance = part.bytes[start..<start + 4].reversed().reduce(UInt32(0)) {
          $0 << 8 | UInt32($1)
        }
        let target = end &+ UInt64(bitPattern: Int64(Int32(bitPattern: distance)))
        code.append(part.bytes, displacementAt: offset, to: target)
      case .branch(let condition, _):
        code.branch(condition, to: redirected(part.instruction.target(at: original)))
      case .jump:
        code.jump(to: redirected(part.instruction.target(at: original)))
        isEnded = true
      case .call, .shortBranch:
        return nil
      }
    }
    if !isEnded {
      code.jump(to: address &+ UInt64(instructions.reduce(0) { $0 + $1.bytes.count }))
    }
    return code.finished
  }
}

extension Instruction.Form {
  /// True if the next instruction is not reached from this one.
  var isEnd: Bool {
    switch self {
    case .end, .jump: true
    case .plain, .addressed, .branch, .call, .shortBranch: false
    }
  }
}
