internal import FaultEngine
internal import Foundations
internal import ScenarioPlan

/// The context of a function's call: its arguments, and its caller.
///
/// The meaning of the arguments is unknown.
struct FunctionContext: ThreadFacts {
  let tracee: Tracee
  let kernel: any FaultKernel
  private let arguments: [UInt64]
  private let memory: CallerMemory
  private let returnAddress: UInt64

  init?(of tracee: Tracee, _ call: FunctionCall, _ memory: CallerMemory, _ kernel: any FaultKernel)
  {
    guard tracee.process.memory != nil else { return nil }
    self.tracee = tracee
    self.kernel = kernel
    self.memory = memory
    returnAddress = call.caller
    arguments = call.arguments
  }

  func argument(_ index: Int) -> UInt64 {
    arguments.indices.contains(index) ? arguments[index] : 0
  }

  func caller() -> String? {
    // The list of mappings takes a thousand times as long to read.
    if let known = tracee.process.program.functions?.callers[returnAddress] { return known }
    guard let file = memory.place(of: returnAddress)?.file else { return nil }
    tracee.process.program.functions?.callers[returnAddress] = file
    return file
  }
}

/// The values that `compute:` may use of a function's call.
struct FunctionComputation: ComputationScope {
  let arguments: [UInt64]
  let memory: CallerMemory
  let occurrence: Int64
  var result: Int64 = 0
  /// The size; always 0, as the meaning of a function's arguments is unknown.
  var size: Int64 { 0 }

  func argument(_ index: Int) -> Int64 {
    arguments.indices.contains(index) ? Int64(bitPattern: arguments[index]) : 0
  }

  func byte(at address: UInt64) -> Int64 {
    memory.bytes(1, at: address).first.map(Int64.init) ?? 0
  }
}
