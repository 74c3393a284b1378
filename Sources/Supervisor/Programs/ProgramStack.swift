/// The words that the kernel lays on the stack of a new program: the number of its arguments, arguments,
/// environment, auxiliary vector (System V ABI for x86-64, 3.4.1).
///
/// Nothing of the program has run yet, so the words may be laid anew, below where they lay. What a program
/// inherits by memory that it shares with its maker, as behind vfork(2), is not touched: this address space is
/// its own.
struct ProgramStack {
  /// The largest number of words that are read: more than execve(2) lets through.
  private static let limit = 1 << 22
  /// The largest number of bytes of the environment's texts that are read.
  private static let textLimit = 8 << 20
  /// The largest number of bytes of the last text that are read.
  private static let lastTextLimit = 4_096
  /// The alignment of a new program's stack pointer, in bytes.
  private static let alignment: UInt64 = 16

  private let memory: TargetMemory
  private let stackPointer: UInt64
  /// The number of arguments, the arguments, and the zero behind them.
  private var head: [UInt64] = []
  private var environment: [UInt64] = []
  private var auxiliary: [UInt64] = []

  /// Reads the words; `nil` if this is not the stack of a fresh program.
  init?(memory: TargetMemory, stackPointer: UInt64) {
    self.memory = memory
    self.stackPointer = stackPointer
    var words = WordReader(memory: memory, position: stackPointer)
    guard let argumentCount = words.next(), argumentCount < UInt64(Self.limit) else { return nil }
    head.append(argumentCount)
    for _ in 0...argumentCount {
      guard let word = words.next() else { return nil }
      head.append(word)
    }
    while true {
      guard let word = words.next(), environment.count < Self.limit else { return nil }
      guard word != 0 else { break }
      environment.append(word)
    }
    while true {
      guard let type = words.next(), let value = words.next(), auxiliary.count < Self.limit else {
        return nil
      }
      auxiliary += [type, value]
      if type == 0 { break }
    }
  }

  /// The variables that have one of some names, by their places in the environment, as `NAME=VALUE`.
  func variables(named names: [String]) -> [(place: Int, text: String)] {
    guard let first = environment.min(), let last = environment.max(),
      last - first < UInt64(Self.textLimit)
    else { return [] }
    // The kernel lays the texts one behind the other.
    let texts = memory.readBytes(Int(last - first) + Self.lastTextLimit, at: first)
    let prefixes = names.map { Array($0.utf8) + [UInt8(ascii: "=")] }
    return environment.enumerated().compactMap { place, pointer in
      let text = texts.dropFirst(Int(pointer - first))
      guard prefixes.contains(where: { text.starts(with: $0) }) else { return nil }
      return (place, String(decoding: text.prefix { $0 != 0 }, as: UTF8.self))
    }
  }

  /// Writes the words anew, with another environment; returns the new stack pointer, or `nil` if
  /// there is no room, and then nothing has changed.
  ///
  /// - Parameters:
  ///   - removed: places in the environment that are left out.
  ///   - added: `NAME=VALUE` texts that stand at the environment's end.
  func rewrite(without removed: Set<Int>, adding added: [String]) -> UInt64? {
    let oldCount = head.count + environment.count + 1 + auxiliary.count
    let newCount = oldCount - removed.count + added.count
    let texts = added.flatMap { Array(($0 + "\0").utf8) }
    let end = stackPointer + UInt64(8 * oldCount)
    let textStart = end - UInt64(texts.count)
    let newPointer = (textStart - UInt64(8 * newCount)) / Self.alignment * Self.alignment
    var words = head
    for (place, pointer) in environment.enumerated() where !removed.contains(place) {
      words.append(pointer)
    }
    var position = textStart
    for text in added {
      words.append(position)
      position += UInt64(text.utf8.count + 1)
    }
    words.append(0)
    words += auxiliary
    var bytes = words.withUnsafeBytes { Array($0) }
    bytes += [UInt8](repeating: 0, count: Int(textStart - newPointer) - bytes.count)
    bytes += texts
    // The new words begin lowest, so that a write which finds no room there has changed nothing.
    return bytes.withUnsafeBytes { memory.write($0, at: newPointer) } ? newPointer : nil
  }
}
