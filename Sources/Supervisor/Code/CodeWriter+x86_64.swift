/// Writes machine code for a certain address.
struct CodeWriter {
  private let base: UInt64
  private var bytes: [UInt8] = []
  private var isBroken = false

  /// Creates a writer at an address.
  init(at base: UInt64) {
    self.base = base
  }

  /// The address of the next byte.
  var position: UInt64 { base &+ UInt64(bytes.count) }

  /// The code; `nil` if something is further away than an instruction reaches.
  var finished: [UInt8]? { isBroken ? nil : bytes }

  /// Adds bytes as they are.
  mutating func append(_ code: some Sequence<UInt8>) {
    bytes += code
  }

  /// Adds an instruction that refers to `target` by its distance, four bytes from `offset` on.
  mutating func append(_ code: ArraySlice<UInt8>, displacementAt offset: Int, to target: UInt64) {
    let end = position &+ UInt64(code.count)
    var code = Array(code)
    code.replaceSubrange(offset..<offset + 4, with: Self.little(distance(from: end, to: target)))
    bytes += code
  }

  /// `jmp`.
  mutating func jump(to target: UInt64) {
    refer([0xe9], to: target)
  }

  /// `jcc`.
  mutating func branch(_ condition: UInt8, to target: UInt64) {
    refer([0x0f, 0x80 | condition], to: target)
  }

  /// Adds an instruction whose last four bytes are the distance to `target`.
  mutating func refer(_ code: [UInt8], to target: UInt64) {
    bytes += code
    bytes += Self.little(distance(from: position &+ 4, to: target))
  }

  /// Adds such an instruction whose target is not known yet; the result is for `settle`.
  mutating func refer(_ code: [UInt8]) -> Int {
    bytes += code + [0, 0, 0, 0]
    return bytes.count
  }

  /// Makes an instruction that ends at `end` refer to the present position.
  mutating func settle(_ end: Int) {
    let distance = distance(from: base &+ UInt64(end), to: position)
    bytes.replaceSubrange(end - 4..<end, with: Self.little(distance))
  }

  private mutating func distance(from place: UInt64, to target: UInt64) -> Int32 {
    let distance = Int64(bitPattern: target &- place)
    if Int32(exactly: distance) == nil { isBroken = true }
    return Int32(truncatingIfNeeded: distance)
  }

  /// Returns a distance in its encoding in code.
  static func little(_ value: Int32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> Int32(8 * $0)) }
  }
}

/// The code that a hooked function jumps to: it counts calls in place, and stops the thread only
/// when a call is due.
///
/// All registers are kept: callers of a function that is not exported may know which of them it leaves
/// alone.
struct FunctionStub {
  /// A place where a thread stops because a point is due.
  struct Trap: Equatable {
    /// The address of the thread then: behind the `syscall`.
    var address: UInt64
    /// The point.
    var point: Int
    /// The address to continue at if the point takes no action.
    var next: UInt64
  }

  /// The words on the stack in a trap, from the stack pointer on: the count before this call, then
  /// registers.
  static let saved: [SavedRegister] = [.count, .rdi, .rcx, .rax, .r11]

  /// A value that a trap saves.
  enum SavedRegister {
    case count
    case rdi
    case rcx
    case rax
    case r11
  }

  /// First argument of a getpid(2) by which a stub reports that a point is due; the kernel ignores
  /// it.
  ///
  /// A call and no breakpoint, as a breakpoint's signal changes what the program has blocked; getpid, as
  /// no sandbox forbids it.
  static let cookie: UInt32 = 0x5ce7_a412

  /// Makes that call: `mov $getpid, %eax; mov $cookie, %edi; syscall`.
  static let report: [UInt8] =
    [0xb8] + CodeWriter.little(Int32(SystemCallNumber.getpid))
    + [0xbf] + CodeWriter.little(Int32(bitPattern: cookie)) + Architecture.systemCallInstruction

  /// Its start address.
  let address: UInt64
  /// Its bytes.
  let code: [UInt8]
  /// Its traps.
  let traps: [Trap]
  /// The address of the function's own first instructions: an entry that is not counted.
  let uncounted: UInt64

  /// Writes a stub; `nil` if something is too far away.
  ///
  /// - Parameters:
  ///   - entry: the function.
  ///   - points: the points in order.
  ///   - cells: where each point's counter lies, and eight bytes behind it the count at which it is due.
  ///   - address: where the stub is to stand.
  ///   - redirections: other places for those that the function's first instructions go to.
  init?(
    _ entry: FunctionEntry, points: [Int], cells: [UInt64], at address: UInt64,
    redirections: [UInt64: UInt64] = [:]
  ) {
    var writer = CodeWriter(at: address)
    var branches: [(end: Int, next: UInt64)] = []
    for cell in cells {
      writer.append([0x41, 0x53])  // push %r11
      writer.append([0x41, 0xbb, 1, 0, 0, 0])  // mov $1, %r11d
      writer.refer([0xf0, 0x4c, 0x0f, 0xc1, 0x1d], to: cell)  // lock xadd %r11, cell(%rip)
      writer.refer([0x4c, 0x3b, 0x1d], to: cell &+ 8)  // cmp cell+8(%rip), %r11
      let end = writer.refer([0x0f, 0x83])  // jae trap
      writer.append([0x41, 0x5b])  // pop %r11
      branches.append((end, writer.position))
    }
    uncounted = writer.position
    guard let displaced = entry.displaced(at: writer.position, redirections: redirections) else {
      return nil
    }
    writer.append(displaced)
    var traps: [Trap] = []
    for (index, branch) in branches.enumerated() {
      writer.settle(branch.end)
      // push %rax; push %rcx; push %rdi; push %r11
      writer.append([0x50, 0x51, 0x57, 0x41, 0x53])
      writer.append(Self.report)
      traps.append(Trap(address: writer.position, point: points[index], next: branch.next))
      // A filter of the program's own may have refused the call; then nobody has been asked.
      // pop %r11; pop %rdi; pop %rcx; pop %rax; pop %r11
      writer.append([0x41, 0x5b, 0x5f, 0x59, 0x58, 0x41, 0x5b])
      writer.jump(to: branch.next)
    }
    guard let code = writer.finished else { return nil }
    self.address = address
    self.code = code
    self.traps = traps
  }

  /// Returns the bytes to be written over the function's beginning.
  func patch(for entry: FunctionEntry) -> [UInt8]? {
    guard entry.patch == .jump else { return [Architecture.breakpoint] }
    var writer = CodeWriter(at: entry.address)
    writer.jump(to: address)
    return writer.finished
  }
}
