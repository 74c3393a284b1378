internal import Glibc

/// The vector of facts that the kernel puts on a new program's stack (getauxval(3)).
struct AuxiliaryVector {
  /// A fact and its address.
  struct Entry {
    var value: UInt64
    var address: UInt64
  }

  private var entries: [UInt64: Entry] = [:]

  /// Reads the vector; `nil` if the stack is not that of a fresh program.
  init?(memory: TargetMemory, stackPointer: UInt64) {
    guard let argumentCount = memory.read(UInt64.self, at: stackPointer),
      argumentCount < 1 << 24
    else { return nil }
    var words = WordReader(memory: memory, position: stackPointer + 8 * (argumentCount + 2))
    while true {
      guard let word = words.next() else { return nil }
      guard word != 0 else { break }
    }
    while let type = words.next() {
      let address = words.position
      guard let value = words.next(), type != UInt64(AT_NULL) else { break }
      entries[type] = Entry(value: value, address: address)
    }
  }

  /// A fact by its type.
  subscript(type: UInt64) -> Entry? { entries[type] }
}

/// Reads words one after the other, a page or less at a time.
struct WordReader {
  private let memory: TargetMemory
  /// The address of the next word.
  private(set) var position: UInt64
  private var chunk: ArraySlice<UInt64> = []

  /// Reads from a place on, in bytes.
  init(memory: TargetMemory, position: UInt64) {
    self.memory = memory
    self.position = position
  }

  /// The next word; `nil` where none is mapped.
  mutating func next() -> UInt64? {
    if chunk.isEmpty {
      let bytes = memory.readBytes(Int(4096 - position % 4096), at: position)
      chunk = bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt64.self))[...] }
    }
    guard let word = chunk.popFirst() else { return nil }
    position += 8
    return word
  }
}
