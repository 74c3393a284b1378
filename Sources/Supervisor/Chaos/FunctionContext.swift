internal import FaultEngine
internal import Foundations
internal import ScenarioPlan

/// What can be known of a function's call: its arguments, and who makes it.
///
/// Nobody knows what the arguments mean.
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
