/// One machine instruction of x86-64: its length, and its references that are relative to its own
/// place.
///
/// Intel's manual, volume 2, chapter 2 and appendix A. Unknown instructions are refused, never
/// guessed.
struct Instruction: Equatable {
  /// The property of an instruction that matters where it is run at another address.
  enum Form: Equatable {
    /// Position-independent: it does the same anywhere.
    case plain
    /// It addresses memory relative to the next instruction; the displacement of four bytes begins
    /// at `offset`.
    case addressed(offset: Int)
    /// `jcc` with this condition, 0 … 15.
    case branch(condition: UInt8, by: Int64)
    /// `jmp`.
    case jump(by: Int64)
    /// `call`.
    case call(by: Int64)
    /// `loop` and `jrcxz`, which only reach 127 bytes far.
    case shortBranch(by: Int64)
    /// `ret`, an indirect jump, `ud2`, `hlt`: what comes behind is reached from elsewhere, if at all.
    case end
  }

  /// Its length in bytes, 1 … 15.
  var length: Int
  /// The kind of its references.
  var form: Form

  /// Reads the instruction at the beginning of some bytes; `nil` if it is not known or not whole.
  init?(_ bytes: ArraySlice<UInt8>) {
    var reader = InstructionReader(bytes)
    guard let form = reader.read(), reader.length <= 15 else { return nil }
    length = reader.length
    self.form = form
  }

  /// Returns the address to which it jumps when it is at `address`; `nil` if it does not jump, or
  /// the target is not known.
  func target(at address: UInt64) -> UInt64? {
    switch form {
    case .branch(_, let distance), .jump(let distance), .call(let distance),
      .shortBranch(let distance):
      address &+ UInt64(length) &+ UInt64(bitPattern: distance)
    case .plain, .addressed, .end: nil
    }
  }
}

/// Reads the parts of one instruction one after the other.
private struct InstructionReader {
  /// The table of appendix A that has an opcode.
  private enum Map {
    case primary
    case secondary
    case map38
    case map3A
    case vector(UInt8)
  }

  /// The operands that follow an opcode.
  private struct Operands {
    var hasModRM = false
    /// The number of bytes of the immediate value.
    var immediate = 0
  }

  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private var hasOperandSize = false
  private var hasAddressSize = false
  private var isWide = false

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// The number of bytes read so far.
  var length: Int { position - bytes.startIndex }

  private mutating func next() -> UInt8? {
    guard position < bytes.endIndex else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  private mutating func skip(_ count: Int) -> Bool {
    guard bytes.endIndex - position >= count else { return false }
    position += count
    return true
  }

  private mutating func signed(_ count: Int) -> Int64? {
    guard bytes.endIndex - position >= count else { return nil }
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(bytes[position + index]) << UInt64(8 * index) }
    position += count
    return count == 1
      ? Int64(Int8(truncatingIfNeeded: value)) : Int64(Int32(truncatingIfNeeded: value))
  }

  mutating func read() -> Instruction.Form? {
    guard var opcode = readPrefixes() else { return nil }
    switch opcode {
    case 0x0f:
      guard let second = next() else { return nil }
      opcode = second
      switch second {
      case 0x38: return next().flatMap { finish(.map38, $0) }
      case 0x3a: return next().flatMap { finish(.map3A, $0) }
      default: return finish(.secondary, second)
      }
    case 0xc5:
      guard skip(1) else { return nil }
      return next().flatMap { finish(.vector(1), $0) }
    case 0xc4:
      guard let first = next(), skip(1) else { return nil }
      return next().flatMap { finish(.vector(first & 0x1f), $0) }
    case 0x62:
      guard let first = next(), skip(2) else { return nil }
      return next().flatMap { finish(.vector(first & 7), $0) }
    default:
      return finish(.primary, opcode)
    }
  }

  /// Reads prefixes; the first byte behind them is the opcode.
  private mutating func readPrefixes() -> UInt8? {
    while let byte = next() {
      switch byte {
      case 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0xf0, 0xf2, 0xf3: continue
      case 0x66: hasOperandSize = true
      case 0x67: hasAddressSize = true
      case 0x40...0x4f:
        isWide = byte & 8 != 0
        return next()
      default: return byte
      }
    }
    return nil
  }

  private mutating func finish(_ map: Map, _ opcode: UInt8) -> Instruction.Form? {
    switch map {
    case .primary:
      if let form = primaryBranch(opcode) { return form }
    case .secondary where opcode & 0xf0 == 0x80:
      guard !hasOperandSize else { return nil }
      return signed(4).map { .branch(condition: opcode & 0xf, by: $0) }
    case .secondary, .map38, .map3A, .vector: break
    }
    guard var operands = operands(of: map, opcode) else { return nil }
    var displacement: Int?
    if operands.hasModRM {
      guard let modRM = next(), case let field = modRM >> 3 & 7,
        let place = readAddress(modRM)
      else { return nil }
      displacement = place < 0 ? nil : place
      if case .primary = map {
        // `test` is the only one of its group that has an immediate value.
        if opcode == 0xf6, field < 2 { operands.immediate = 1 }
        if opcode == 0xf7, field < 2 { operands.immediate = wordLength }
        if opcode == 0x8f, field != 0 { return nil }
        if opcode == 0xff, field == 4 || field == 5 {
          return displacement == nil ? .end : nil
        }
      }
    }
    guard skip(operands.immediate) else { return nil }
    if let displacement { return .addressed(offset: displacement) }
    return isEnd(map, opcode) ? .end : .plain
  }

  private func isEnd(_ map: Map, _ opcode: UInt8) -> Bool {
    switch map {
    case .primary: [0xc2, 0xc3, 0xca, 0xcb, 0xcf, 0xf4].contains(opcode)
    case .secondary: opcode == 0x0b
    case .map38, .map3A, .vector: false
    }
  }

  /// Jumps and calls by a distance.
  private mutating func primaryBranch(_ opcode: UInt8) -> Instruction.Form? {
    // With an operand size prefix, processors of the two makers differ.
    guard !hasOperandSize else { return nil }
    switch opcode {
    case 0x70...0x7f: return signed(1).map { .branch(condition: opcode & 0xf, by: $0) }
    case 0xe0...0xe3: return signed(1).map { .shortBranch(by: $0) }
    case 0xe8: return signed(4).map { .call(by: $0) }
    case 0xe9: return signed(4).map { .jump(by: $0) }
    case 0xeb: return signed(1).map { .jump(by: $0) }
    default: return nil
    }
  }

  /// Reads what a ModRM byte calls for; the offset of a displacement that counts from the next
  /// instruction, or −1.
  private mutating func readAddress(_ modRM: UInt8) -> Int? {
    let mode = modRM >> 6
    guard mode != 3 else { return -1 }
    var displacement = mode == 1 ? 1 : mode == 2 ? 4 : 0
    if modRM & 7 == 4 {
      guard let index = next() else { return nil }
      if mode == 0, index & 7 == 5 { displacement = 4 }
    } else if mode == 0, modRM & 7 == 5 {
      let offset = length
      // With a 32-bit address the place must lie in the first 4 GiB.
      guard !hasAddressSize, skip(4) else { return nil }
      return offset
    }
    return skip(displacement) ? -1 : nil
  }

  /// The length of an immediate value that is as long as the operand, four bytes at most.
  private var wordLength: Int { hasOperandSize && !isWide ? 2 : 4 }

  private func operands(of map: Map, _ opcode: UInt8) -> Operands? {
    switch map {
    case .primary: primaryOperands(opcode)
    case .secondary: secondaryOperands(opcode)
    case .map38: Operands(hasModRM: true)
    case .map3A, .vector(3): Operands(hasModRM: true, immediate: 1)
    case .vector(1):
      switch opcode {
      case 0x77: Operands()
      case 0x70...0x73, 0xc2, 0xc4...0xc6: Operands(hasModRM: true, immediate: 1)
      default: Operands(hasModRM: true)
      }
    case .vector(2), .vector(5), .vector(6): Operands(hasModRM: true)
    case .vector: nil
    }
  }

  private func primaryOperands(_ opcode: UInt8) -> Operands? {
    switch opcode {
    case 0x00...0x3f:
      switch opcode & 7 {
      case 0...3: Operands(hasModRM: true)
      case 4: Operands(immediate: 1)
      case 5: Operands(immediate: wordLength)
      default: nil
      }
    case 0x50...0x5f, 0x6c...0x6f, 0x90...0x99, 0x9b...0x9f, 0xa4...0xa7, 0xaa...0xaf, 0xc3, 0xc9,
      0xcb, 0xcc, 0xcf, 0xd7, 0xec...0xef, 0xf1, 0xf4, 0xf5, 0xf8...0xfd:
      Operands()
    case 0x63, 0x84...0x8f, 0xd0...0xd3, 0xd8...0xdf, 0xf6, 0xf7, 0xfe, 0xff:
      Operands(hasModRM: true)
    case 0x68, 0xa9: Operands(immediate: wordLength)
    case 0x69, 0x81, 0xc7: Operands(hasModRM: true, immediate: wordLength)
    case 0x6a, 0xa8, 0xb0...0xb7, 0xcd, 0xe4...0xe7: Operands(immediate: 1)
    case 0x6b, 0x80, 0x83, 0xc0, 0xc1, 0xc6: Operands(hasModRM: true, immediate: 1)
    case 0xa0...0xa3: Operands(immediate: hasAddressSize ? 4 : 8)
    case 0xb8...0xbf: Operands(immediate: isWide ? 8 : wordLength)
    case 0xc2, 0xca: Operands(immediate: 2)
    case 0xc8: Operands(immediate: 3)
    default: nil
    }
  }

  private func secondaryOperands(_ opcode: UInt8) -> Operands? {
    switch opcode {
    case 0x05...0x09, 0x0b, 0x0e, 0x30...0x37, 0x77, 0xa0...0xa2, 0xa8...0xaa, 0xc8...0xcf:
      Operands()
    case 0x00...0x03, 0x0d, 0x10...0x23, 0x28...0x2f, 0x40...0x6f, 0x74...0x76, 0x78...0x7f,
      0x90...0x9f, 0xa3, 0xa5, 0xab, 0xad...0xb9, 0xbb...0xc1, 0xc3, 0xc7, 0xd0...0xff:
      Operands(hasModRM: true)
    case 0x70...0x73, 0xa4, 0xac, 0xba, 0xc2, 0xc4...0xc6:
      Operands(hasModRM: true, immediate: 1)
    default: nil
    }
  }
}
