internal import Glibc

/// A file's call frame information, as it is in memory: how the frames of its functions lie on the
/// stack.
///
/// Linux Standard Base, "Exception Frames"; DWARF 5, section 6.4. The file's data is not trusted:
/// every table has a bound, and anything unusual ends the walk.
struct CallFrameTable {
  /// A frame: the registers from which its caller's frame can be found.
  struct Frame {
    /// The address of the current instruction in the function.
    var instruction: UInt64
    /// The registers in DWARF's order (System V ABI for AMD64, figure 3.36); those that are not known are missing.
    var registers: [Int: UInt64]

    /// The register that points to the top of the stack.
    static let stackPointer = 7
    /// The column that stands for the return address.
    static let returnAddress = 16
  }

  /// The rule by which a register's value in the caller is found.
  private enum Rule {
    case unknown
    case unchanged
    case saved(offset: Int64)
    case inRegister(Int)
  }

  /// The rules that hold at one instruction.
  private struct Row {
    var frameRegister = Frame.stackPointer
    var frameOffset: Int64 = 0
    /// True if the frame's address is given by an expression, which is not evaluated.
    var isExpression = false
    var rules: [Int: Rule] = [:]
  }

  /// The part that the descriptions of a file's functions share (DWARF's common information entry).
  private struct CommonEntry {
    var codeAlignment: UInt64
    var dataAlignment: Int64
    var returnColumn: Int
    var pointerEncoding: UInt8
    var hasAugmentation: Bool
    var instructions: ByteCursor
  }

  private let memory: TargetMemory
  /// The address of the sorted table of functions, and the number of its entries.
  private let header: UInt64
  private let count: Int

  private static let largestEntry = 1 << 16
  private static let segmentLimit = 256
  /// DW_EH_PE_datarel | DW_EH_PE_sdata4: as all linkers write the list.
  private static let listEncoding: UInt8 = 0x3b
  private static let listEntrySize: UInt64 = 8
  private static let listOffset: UInt64 = 12

  /// Finds the table of the file that is mapped from an address on; `nil` if it has none that is searched fast.
  init?(fileAt base: UInt64, in memory: TargetMemory) {
    self.memory = memory
    guard let file = memory.read(Elf64_Ehdr.self, at: base),
      withUnsafeBytes(
        of: file.e_ident, { $0.prefix(5).elementsEqual([0x7f, 0x45, 0x4c, 0x46, 2]) }),
      file.e_phentsize == MemoryLayout<Elf64_Phdr>.size
    else { return nil }
    let segments = (0..<min(UInt64(file.e_phnum), UInt64(Self.segmentLimit))).compactMap {
      memory.read(
        Elf64_Phdr.self, at: base &+ file.e_phoff &+ $0 &* UInt64(MemoryLayout<Elf64_Phdr>.size))
    }
    guard let first = segments.first(where: { $0.p_type == UInt32(PT_LOAD) && $0.p_offset == 0 }),
      let list = segments.first(where: { $0.p_type == Self.frameHeaderType })
    else { return nil }
    header = base &- first.p_vaddr &+ list.p_vaddr
    let fields = memory.readBytes(4, at: header)
    guard fields.count == 4, fields[0] == 1, fields[1] == 0x1b, fields[2] == 0x03,
      fields[3] == Self.listEncoding,
      let count = memory.read(UInt32.self, at: header &+ 8)
    else { return nil }
    self.count = Int(count)
  }

  /// PT_GNU_EH_FRAME (elf(5)).
  private static let frameHeaderType: UInt32 = 0x6474_e550

  /// The frame of the function that called this one; `nil` if it cannot be known.
  ///
  /// - Parameter isInnermost: whether the thread is at the frame's instruction, and not within a call before it.
  func caller(of frame: Frame, isInnermost: Bool) -> Frame? {
    // A call may be its function's last instruction.
    let place = isInnermost ? frame.instruction : frame.instruction &- 1
    guard let (row, returnColumn) = row(at: place), !row.isExpression,
      let base = frame.registers[row.frameRegister]
    else { return nil }
    let top = base &+ UInt64(bitPattern: row.frameOffset)
    var registers = frame.registers
    for (register, rule) in row.rules {
      switch rule {
      case .unknown: registers[register] = nil
      case .unchanged: break
      case .saved(let offset):
        registers[register] = memory.read(UInt64.self, at: top &+ UInt64(bitPattern: offset))
      case .inRegister(let other): registers[register] = frame.registers[other]
      }
    }
    guard let address = registers[returnColumn], address != 0 else { return nil }
    registers[Frame.stackPointer] = top
    registers[returnColumn] = nil
    return Frame(instruction: address, registers: registers)
  }

  // MARK: - Functions

  /// The rules that hold at an instruction, and the column of the return address.
  private func row(at place: UInt64) -> (Row, Int)? {
    guard let address = description(of: place), var entry = entry(at: address) else { return nil }
    let distance = UInt64(entry.identifier)
    guard distance != 0, let common = commonEntry(at: entry.identifierAddress &- distance),
      let begin = entry.bytes.pointer(common.pointerEncoding),
      let length = entry.bytes.pointer(common.pointerEncoding & 0x0f),
      place >= begin, place - begin < length
    else { return nil }
    if common.hasAugmentation {
      guard let size = entry.bytes.unsigned() else { return nil }
      entry.bytes.skip(size)
    }
    var row = Row()
    var initial = Row()
    var instructions = common.instructions
    guard run(&instructions, from: begin, to: .max, common, initial: initial, &row) else {
      return nil
    }
    initial = row
    guard run(&entry.bytes, from: begin, to: place, common, initial: initial, &row) else {
      return nil
    }
    return (row, common.returnColumn)
  }

  /// Returns the address of the description of the last function that begins at or before an
  /// instruction.
  private func description(of place: UInt64) -> UInt64? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      guard let entry = listEntry(middle) else { return nil }
      if entry.begin <= place { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? listEntry(low - 1)?.description : nil
  }

  private func listEntry(_ index: Int) -> (begin: UInt64, description: UInt64)? {
    let address = header &+ Self.listOffset &+ UInt64(index) &* Self.listEntrySize
    guard let begin = memory.read(Int32.self, at: address),
      let description = memory.read(Int32.self, at: address &+ 4)
    else { return nil }
    return (
      header &+ UInt64(bitPattern: Int64(begin)), header &+ UInt64(bitPattern: Int64(description))
    )
  }

  /// An entry without its length: what it refers to, where that is said, and the rest.
  private func entry(
    at address: UInt64
  ) -> (identifier: UInt32, identifierAddress: UInt64, bytes: ByteCursor)? {
    guard let length = memory.read(UInt32.self, at: address), length >= 4,
      length <= UInt32(Self.largestEntry)
    else { return nil }
    let bytes = memory.readBytes(Int(length), at: address &+ 4)
    guard bytes.count == Int(length) else { return nil }
    var cursor = ByteCursor(bytes, address: address &+ 4)
    guard let identifier = cursor.fixed(UInt32.self) else { return nil }
    return (identifier, address &+ 4, cursor)
  }

  private func commonEntry(at address: UInt64) -> CommonEntry? {
    guard var entry = entry(at: address), entry.identifier == 0,
      let version = entry.bytes.byte(), version == 1 || version == 3,
      let augmentation = entry.bytes.text(),
      let codeAlignment = entry.bytes.unsigned(), let dataAlignment = entry.bytes.signed(),
      let returnColumn = version == 1
        ? entry.bytes.byte().map(UInt64.init) : entry.bytes.unsigned(),
      returnColumn <= UInt64(Frame.returnAddress)
    else { return nil }
    var common = CommonEntry(
      codeAlignment: codeAlignment, dataAlignment: dataAlignment, returnColumn: Int(returnColumn),
      pointerEncoding: 0, hasAugmentation: augmentation.first == UInt8(ascii: "z"),
      instructions: entry.bytes)
    guard common.hasAugmentation else { return augmentation.isEmpty ? common : nil }
    guard let size = entry.bytes.unsigned() else { return nil }
    common.instructions = entry.bytes
    common.instructions.skip(size)
    for letter in augmentation.dropFirst() {
      switch letter {
      case UInt8(ascii: "R"):
        guard let encoding = entry.bytes.byte() else { return nil }
        common.pointerEncoding = encoding
      case UInt8(ascii: "P"):
        guard let encoding = entry.bytes.byte(), entry.bytes.pointer(encoding) != nil else {
          return nil
        }
      case UInt8(ascii: "L"): _ = entry.bytes.byte()
      default: return nil
      }
    }
    return common
  }

  // MARK: - Instructions

  /// Follows instructions as far as they are about `place`; false where one is unknown.
  private func run(
    _ bytes: inout ByteCursor, from begin: UInt64, to place: UInt64, _ common: CommonEntry,
    initial: Row, _ row: inout Row
  ) -> Bool {
    var location = begin
    var remembered: [Row] = []
    while let operation = bytes.byte() {
      let low = Int(operation & 0x3f)
      switch operation >> 6 {
      case 1:
        location &+= UInt64(low) &* common.codeAlignment
        if location > place { return true }
        continue
      case 2:
        guard let offset = bytes.unsigned() else { return false }
        row.rules[low] = .saved(offset: Int64(truncatingIfNeeded: offset) &* common.dataAlignment)
        continue
      case 3:
        row.rules[low] = initial.rules[low]
        continue
      default: break
      }
      switch operation {
      case 0x00: break
      case 0x01:
        guard let target = bytes.pointer(common.pointerEncoding) else { return false }
        location = target
        if location > place { return true }
      case 0x02, 0x03, 0x04:
        let delta =
          operation == 2
          ? bytes.byte().map(UInt64.init)
          : operation == 3
            ? bytes.fixed(UInt16.self).map(UInt64.init) : bytes.fixed(UInt32.self).map(UInt64.init)
        guard let delta else { return false }
        location &+= delta &* common.codeAlignment
        if location > place { return true }
      case 0x05, 0x11:
        guard let register = bytes.unsigned(),
          let offset =
            operation == 5
            ? bytes.unsigned().map({ Int64(truncatingIfNeeded: $0) }) : bytes.signed()
        else { return false }
        row.rules[Int(clamping: register)] = .saved(offset: offset &* common.dataAlignment)
      case 0x06:
        guard let register = bytes.unsigned() else { return false }
        row.rules[Int(clamping: register)] = initial.rules[Int(clamping: register)]
      case 0x07, 0x08:
        guard let register = bytes.unsigned() else { return false }
        row.rules[Int(clamping: register)] = operation == 7 ? .unknown : .unchanged
      case 0x09:
        guard let register = bytes.unsigned(), let other = bytes.unsigned() else { return false }
        row.rules[Int(clamping: register)] = .inRegister(Int(clamping: other))
      case 0x0a: remembered.append(row)
      case 0x0b:
        guard let last = remembered.popLast() else { return false }
        row = last
      case 0x0c, 0x12:
        guard let register = bytes.unsigned(),
          let offset =
            operation == 0x0c
            ? bytes.unsigned().map({ Int64(truncatingIfNeeded: $0) })
            : bytes.signed().map({ $0 &* common.dataAlignment })
        else { return false }
        row.frameRegister = Int(clamping: register)
        row.frameOffset = offset
        row.isExpression = false
      case 0x0d:
        guard let register = bytes.unsigned() else { return false }
        row.frameRegister = Int(clamping: register)
      case 0x0e:
        guard let offset = bytes.unsigned() else { return false }
        row.frameOffset = Int64(truncatingIfNeeded: offset)
      case 0x13:
        guard let offset = bytes.signed() else { return false }
        row.frameOffset = offset &* common.dataAlignment
      case 0x0f:
        guard let length = bytes.unsigned() else { return false }
        bytes.skip(length)
        row.isExpression = true
      case 0x10, 0x16:
        guard let register = bytes.unsigned(), let length = bytes.unsigned() else { return false }
        bytes.skip(length)
        row.rules[Int(clamping: register)] = .unknown
      case 0x2e: _ = bytes.unsigned()
      default: return false
      }
    }
    return true
  }
}
