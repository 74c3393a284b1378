internal import CSupervisor

/// The condition under which calls of one system call are shown to the supervisor.
enum FilterRule: Equatable, Sendable {
  /// Shows each call.
  case trace
  /// Shows the calls whose argument, a pointer, is not null.
  case traceIfPointer(argument: Int)
  /// Shows the calls whose argument, a C int, is greater than zero.
  case traceIfPositive(argument: Int)
  /// Shows the calls whose argument, a C int, has none of these bits.
  case traceIfNoneSet(argument: Int, bits: UInt32)
  /// Shows the calls all of whose listed arguments, C ints, have one of the values listed for them.
  case traceIfAmong([ArgumentValues])
  /// Shows the calls whose argument, a C int, has one of the bits.
  case traceIfAnySet(argument: Int, bits: UInt32)
  /// futex(2) operations that wait, with a timeout.
  case traceTimedFutex
  /// Clocks that the scenario controls, but for calls with the replacement vDSO's cookie.
  case traceClockRead
  /// Shows socket(2) for packet and raw sockets, which are refused and reported; it fails for all others but those whose
  /// packets go where their addresses say.
  case refuseForeignSockets
  /// None where setsockopt(2) would decide which way packets go (see ``PathOptions``); for others another
  /// rule holds.
  indirect case answerPathOptions(otherwise: FilterRule?)
  /// Shows the calls that one of two rules shows.
  indirect case traceIfEither(FilterRule, FilterRule)

  /// Returns the rule that shows what either of two rules shows, and nothing else.
  func or(_ other: FilterRule) -> FilterRule {
    switch (self, other) {
    case (.trace, _), (_, .trace): return .trace
    case (.traceIfAmong(let own), .traceIfAmong(let others))
    where own.count == 1 && others.count == 1 && own[0].argument == others[0].argument:
      var values = own[0]
      values.values += others[0].values.filter { !values.values.contains($0) }
      return .traceIfAmong([values])
    case (.traceIfAnySet(let argument, let bits), .traceIfAnySet(let same, let others))
    where argument == same:
      return .traceIfAnySet(argument: argument, bits: bits | others)
    default: return self == other ? self : .traceIfEither(self, other)
    }
  }
}

/// The values of an argument that matter.
struct ArgumentValues: Equatable, Sendable {
  /// The argument, 0 … 5.
  var argument: Int
  /// Its values.
  var values: [UInt32]
}

extension Registers {
  /// Returns whether all the listed arguments, C ints, have one of the values listed for them.
  func isAmong(_ conditions: [ArgumentValues]) -> Bool {
    conditions.allSatisfy {
      $0.values.contains(UInt32(truncatingIfNeeded: self[argument: $0.argument]))
    }
  }
}

/// A seccomp program that shows the supervisor the calls that a scenario needs to see.
///
/// seccomp(2), `linux/filter.h`. All other calls cost one step in the kernel's own table: the kernel
/// knows which numbers this program lets pass whatever their arguments.
struct FilterProgram {
  /// The program, ready for the kernel.
  private(set) var instructions: [sock_filter] = []

  /// Compiles rules.
  ///
  /// - Parameters:
  ///   - rules: what to do with each system call, by number.
  ///   - refused: the calls that the supervisor sees by way of a signal only.
  init(rules: [Int: FilterRule], refused: RefusedCalls = .none) {
    emit(Opcode.loadWord, Offset.architecture)
    jump(Opcode.jumpIfEqual, Architecture.auditNumber, ifTrue: 1, ifFalse: 0)
    emit(Opcode.returnConstant, Action.fail(KernelError.notSupported))
    emit(Opcode.loadWord, Offset.number)
    jump(Opcode.jumpIfAtLeast, Architecture.foreignCallBit, ifTrue: 0, ifFalse: 1)
    emit(Opcode.returnConstant, Action.fail(KernelError.notSupported))
    let blocks = rules.sorted { $0.key < $1.key }.map {
      let block = Self.block(for: $0.value)
      return Numbered(
        number: UInt32($0.key),
        block: refused.errors[$0.key] == nil ? block : block.map(Self.trapping))
    }
    instructions += Self.search(blocks[...])
  }

  /// The instructions for one system call.
  private struct Numbered {
    var number: UInt32
    var block: [sock_filter]
  }

  /// The same instruction, but for one that shows a call.
  private static func trapping(_ instruction: sock_filter) -> sock_filter {
    guard instruction.code == Opcode.returnConstant, instruction.k == Action.trace else {
      return instruction
    }
    return sock_filter(code: Opcode.returnConstant, jt: 0, jf: 0, k: Action.trap)
  }

  /// The largest number of system call numbers that are compared one after the other.
  private static let chainLength = 3

  /// Finds the block of the call whose number is loaded, by halves: the cost of a call whose
  /// arguments are compared hardly depends on the number of other rules.
  private static func search(_ blocks: ArraySlice<Numbered>) -> [sock_filter] {
    guard blocks.count > chainLength else {
      // Lengths of blocks are far below 255, the most that a conditional jump can skip.
      return blocks.flatMap {
        [
          sock_filter(
            code: Opcode.jumpIfEqual, jt: 0, jf: UInt8($0.block.count), k: $0.number)
        ] + $0.block
      } + [sock_filter(code: Opcode.returnConstant, jt: 0, jf: 0, k: Action.allow)]
    }
    let middle = blocks.startIndex + blocks.count / 2
    let lower = search(blocks[..<middle])
    let isNear = lower.count <= UInt8.max
    let branch = sock_filter(
      code: Opcode.jumpIfAtLeast, jt: isNear ? UInt8(lower.count) : 0, jf: isNear ? 0 : 1,
      k: blocks[middle].number)
    let jump = sock_filter(code: Opcode.jump, jt: 0, jf: 0, k: UInt32(lower.count))
    return [branch] + (isNear ? [] : [jump]) + lower + search(blocks[middle...])
  }

  private static func block(for rule: FilterRule) -> [sock_filter] {
    let trace = sock_filter(code: Opcode.returnConstant, jt: 0, jf: 0, k: Action.trace)
    let allow = sock_filter(code: Opcode.returnConstant, jt: 0, jf: 0, k: Action.allow)
    func load(_ offset: UInt32) -> sock_filter {
      sock_filter(code: Opcode.loadWord, jt: 0, jf: 0, k: offset)
    }
    func branch(_ code: UInt16, _ value: UInt32, _ ifTrue: UInt8, _ ifFalse: UInt8) -> sock_filter {
      sock_filter(code: code, jt: ifTrue, jf: ifFalse, k: value)
    }
    switch rule {
    case .trace:
      return [trace]
    case .traceIfPointer(let argument):
      return [
        load(Offset.low(argument)), branch(Opcode.jumpIfEqual, 0, 0, 2),
        load(Offset.high(argument)), branch(Opcode.jumpIfEqual, 0, 1, 0), trace, allow,
      ]
    case .traceIfPositive(let argument):
      return [
        load(Offset.low(argument)), branch(Opcode.jumpIfSet, 0x8000_0000, 2, 0),
        branch(Opcode.jumpIfEqual, 0, 1, 0), trace, allow,
      ]
    case .traceIfNoneSet(let argument, let bits):
      return [
        load(Offset.low(argument)), branch(Opcode.jumpIfSet, bits, 1, 0), trace, allow,
      ]
    case .traceIfAmong(let conditions):
      // Each condition jumps over an `allow` to the next one; behind the last one stands `trace`.
      return conditions.flatMap { condition in
        let count = condition.values.count
        return [load(Offset.low(condition.argument))]
          + condition.values.enumerated().map { index, value in
            branch(Opcode.jumpIfEqual, value, UInt8(count - index), 0)
          } + [allow]
      } + [trace]
    case .traceIfAnySet(let argument, let bits):
      return [load(Offset.low(argument)), branch(Opcode.jumpIfSet, bits, 0, 1), trace, allow]
    case .traceTimedFutex:
      return timedFutexBlock(allow: allow)
    case .traceClockRead:
      // The clocks of ClockKind; the rest are CPU-time and dynamic clocks.
      let clocks: [UInt32] = [0, 1, 4, 5, 6, 7, 8, 9, 11]
      var block = [
        load(Offset.low(2)),
        branch(
          Opcode.jumpIfEqual, UInt32(SCENARIO_REAL_CLOCK_COOKIE), UInt8(clocks.count) + 1, 0),
        load(Offset.low(0)),
      ]
      for (index, clock) in clocks.enumerated() {
        block.append(branch(Opcode.jumpIfEqual, clock, UInt8(clocks.count - index), 0))
      }
      return block + [allow, trace]
    case .refuseForeignSockets:
      return SocketCreation.block
    case .traceIfEither(let first, let second):
      return Self.joined(Self.block(for: first), Self.block(for: second))
    case .answerPathOptions(let rule):
      return PathOptions.block + (rule.map { Self.block(for: $0) } ?? [allow])
    }
  }

  /// Joins two blocks: the second runs where the first would allow a call.
  private static func joined(_ first: [sock_filter], _ second: [sock_filter]) -> [sock_filter] {
    first.enumerated().map { index, instruction in
      guard instruction.code == Opcode.returnConstant, instruction.k == Action.allow else {
        return instruction
      }
      return sock_filter(
        code: Opcode.jump, jt: 0, jf: 0, k: UInt32(first.count - index - 1))
    } + second
  }

  private static func timedFutexBlock(allow: sock_filter) -> [sock_filter] {
    // FUTEX_WAIT, LOCK_PI, WAIT_BITSET, WAIT_REQUEUE_PI, LOCK_PI2 of `linux/futex.h`.
    let operations: [UInt32] = [0, 6, 9, 11, 13]
    var block = [
      sock_filter(code: Opcode.loadWord, jt: 0, jf: 0, k: Offset.low(1)),
      sock_filter(code: Opcode.and, jt: 0, jf: 0, k: 127),
    ]
    for (index, operation) in operations.enumerated() {
      let skip = UInt8(operations.count - index)
      block.append(
        sock_filter(code: Opcode.jumpIfEqual, jt: skip, jf: 0, k: operation))
    }
    return block + [allow] + Self.block(for: .traceIfPointer(argument: 3))
  }

  // MARK: - Instructions

  private mutating func emit(_ code: UInt16, _ value: UInt32) {
    instructions.append(sock_filter(code: code, jt: 0, jf: 0, k: value))
  }

  private mutating func jump(_ code: UInt16, _ value: UInt32, ifTrue: UInt8, ifFalse: UInt8) {
    instructions.append(sock_filter(code: code, jt: ifTrue, jf: ifFalse, k: value))
  }

  /// `linux/bpf_common.h`, put together as the kernel's macros do.
  enum Opcode {
    static let loadWord: UInt16 = 0x20
    static let and: UInt16 = 0x54
    static let jump: UInt16 = 0x05
    static let jumpIfEqual: UInt16 = 0x15
    static let jumpIfAtLeast: UInt16 = 0x35
    static let jumpIfSet: UInt16 = 0x45
    static let returnConstant: UInt16 = 0x06
  }

  /// Results, by `linux/seccomp.h`.
  enum Action {
    static let allow: UInt32 = 0x7fff_0000
    static let trace: UInt32 = 0x7ff0_0000
    static let trap: UInt32 = 0x0003_0000 | UInt32(SCENARIO_TRAP_COOKIE)

    static func fail(_ error: Int) -> UInt32 { 0x0005_0000 | UInt32(error) }
  }

  /// Offsets in `struct seccomp_data`.
  enum Offset {
    static let number: UInt32 = 0
    static let architecture: UInt32 = 4

    static func low(_ argument: Int) -> UInt32 { 16 + 8 * UInt32(argument) }
    static func high(_ argument: Int) -> UInt32 { 20 + 8 * UInt32(argument) }
  }
}
