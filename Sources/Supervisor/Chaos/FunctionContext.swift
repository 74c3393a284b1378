internal import FaultEngine
internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

/// What can be known of a function's call: its arguments, and who makes it.
struct FunctionContext: ChaosFacts {
  private let arguments: [UInt64]
  private var process: SyscallContext
  private let memory: CallerMemory
  private let returnAddress: UInt64
  private let maker: TargetProcess

  init?(
    of tracee: Tracee, _ registers: Registers, _ call: FunctionCall, _ memory: CallerMemory,
    _ faults: FaultInjector
  ) {
    let described = FaultRules.Call(
      index: 0, name: call.function, subjects: [], traits: .of(call.function))
    guard let process = SyscallContext(of: tracee, registers, described, faults) else { return nil }
    self.process = process
    self.memory = memory
    returnAddress = call.caller
    maker = tracee.process
    arguments = call.arguments
  }

  func argument(_ index: Int) -> UInt64 {
    arguments.indices.contains(index) ? arguments[index] : 0
  }

  var processOrdinal: Int { process.processOrdinal }
  var lineage: [UInt32] { process.lineage }

  mutating func program() -> String { process.program() }
  mutating func threadName() -> String { process.threadName() }
  mutating func elapsed() -> Nanoseconds { process.elapsed() }
  mutating func wall() -> WallInstant { process.wall() }
  func caller() -> String? {
    // The list of mappings takes a thousand times as long to read.
    if let known = maker.functions?.callers[returnAddress] { return known }
    guard let file = memory.place(of: returnAddress)?.file else { return nil }
    maker.functions?.callers[returnAddress] = file
    return file
  }

  // Nobody knows what the arguments of a function mean.
  func paths() -> [String] { [] }
  func descriptorKind() -> DescriptorKind? { nil }
  func host() -> String? { nil }
  func port() -> Int64? { nil }
  func size() -> Int64? { nil }
  func offset() -> Int64? { nil }
  func flags() -> UInt64? { nil }
}

/// What `compute:` may ask about a function's call.
struct FunctionComputation: ComputationScope {
  let arguments: [UInt64]
  let memory: CallerMemory
  let occurrence: Int64
  var result: Int64 = 0
  /// Nobody knows what a function is about.
  var size: Int64 { 0 }

  func argument(_ index: Int) -> Int64 {
    arguments.indices.contains(index) ? Int64(bitPattern: arguments[index]) : 0
  }

  func byte(at address: UInt64) -> Int64 {
    memory.bytes(1, at: address).first.map(Int64.init) ?? 0
  }
}
