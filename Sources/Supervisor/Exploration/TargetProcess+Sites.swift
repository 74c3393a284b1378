internal import FaultEngine
internal import Foundations
internal import Glibc

extension TargetProcess {
  /// Returns the file whose code is at an address, without its folder, and the offset from the
  /// file's beginning.
  func site(of address: UInt64) -> String? {
    if let known = program.sites[address] { return known }
    guard let memory,
      let place = CallerMemory(memory: memory, process: identifier.number).place(of: address)
    else { return nil }
    let site = "\(Self.name(of: place.file))+0x\(String(place.offset, radix: 16))"
    program.sites[address] = site
    return site
  }

  /// The place of the code that makes a system call: where the C library is called, if it is the C library
  /// that makes it.
  ///
  /// Return addresses are looked for on the stack as they lie there: words behind a call instruction. One
  /// that an earlier call has left in a frame's unused part may be taken for it; it is the same in each run.
  func site(of registers: Registers) -> String? {
    let list = MappingList(SmallFile.read("/proc/\(identifier.number)/maps") ?? "")
    let address = registers.instructionPointer
    guard let memory, let own = list.mappings.first(where: { $0.range.contains(address) }),
      own.path.hasPrefix("/")
    else { return nil }
    let stack = CallStack(memory: memory, mappings: list, registers)
    if Self.isOfLibrary(String(own.path)) {
      let caller = stack.returns(1) { !Self.isOfLibrary($0) && $0.hasPrefix("/") }.first
      return caller.flatMap { site(of: $0) } ?? site(of: address)
    }
    // A program that holds its own library, or has none, makes its calls at one place for all.
    guard KernelPath.plain(String(own.path), isName: { false }) == names.executable,
      let here = site(of: address)
    else {
      return site(of: address)
    }
    let frames = stack.frames { $0 == String(own.path) }
    guard !frames.isEmpty else { return here }
    var digest = ContentDigest()
    for frame in frames {
      let offset = own.offset &+ frame &- own.range.lowerBound
      withUnsafeBytes(of: offset) { digest.add($0) }
    }
    return "\(here)~\(String(digest.value, radix: 16))"
  }

  private static func name(of path: String) -> String {
    KernelPath.plain(path, isName: { false }).split(separator: "/").last.map(String.init) ?? path
  }

  /// Returns whether a file is the C library, a part of it, or the loader: glibc's and musl's.
  private static func isOfLibrary(_ path: String) -> Bool {
    let name = name(of: path)
    return ["libc.so", "libc-", "libpthread", "ld-linux", "ld-musl", "ld-2", "librt."].contains {
      name.hasPrefix($0)
    }
  }
}

/// The stack of a stopped thread, as words.
private struct CallStack {
  private let memory: TargetMemory
  private let code: [(range: Range<UInt64>, path: String)]
  private let words: [UInt64]
  private let base: UInt64
  private let framePointer: UInt64

  /// The number of bytes of a stack that are searched.
  private static let depth = 16 << 10
  /// The number of frames by which sites are distinguished.
  private static let frameLimit = 8

  init(memory: TargetMemory, mappings: MappingList, _ registers: Registers) {
    self.memory = memory
    code = mappings.mappings.filter { $0.isExecutable }.map { ($0.range, String($0.path)) }
    base = registers.stackPointer
    framePointer = registers.framePointer
    let bytes = memory.readBytes(Self.depth, at: base)
    words = bytes.withUnsafeBytes { buffer in
      (0..<(buffer.count / 8)).map { buffer.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
    }
  }

  /// The first return addresses into files that are wanted, the innermost first.
  func returns(_ count: Int, into isWanted: (String) -> Bool) -> [UInt64] {
    var found: [UInt64] = []
    for word in words where isReturn(word, into: isWanted) {
      found.append(word)
      if found.count == count { break }
    }
    return found
  }

  /// The return addresses of the innermost frames: by the chain of frame pointers where there is one.
  func frames(into isWanted: (String) -> Bool) -> [UInt64] {
    var found: [UInt64] = []
    var pointer = framePointer
    while found.count < Self.frameLimit, pointer >= base, (pointer - base) % 8 == 0 {
      let index = (pointer - base) / 8
      guard index + 1 < words.count, isReturn(words[Int(index) + 1], into: isWanted) else { break }
      found.append(words[Int(index) + 1])
      guard words[Int(index)] > pointer else { break }
      pointer = words[Int(index)]
    }
    guard found.count < 2 else { return found }
    return returns(Self.frameLimit / 2, into: isWanted)
  }

  /// Returns whether a word is the address behind a call instruction of such a file.
  private func isReturn(_ word: UInt64, into isWanted: (String) -> Bool) -> Bool {
    guard let mapping = code.first(where: { $0.range.contains(word) }), isWanted(mapping.path),
      word - mapping.range.lowerBound >= 7
    else { return false }
    return Architecture.isBehindCall(memory.readBytes(7, at: word - 7))
  }
}
