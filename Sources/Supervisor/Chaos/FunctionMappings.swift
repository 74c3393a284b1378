internal import Glibc

/// Mappings of code, in which functions may be that are watched.
final class FunctionMappings: Interceptor {
  private let functions: FunctionInjector

  let filterRules: [Int: FilterRule] = [
    SystemCallNumber.mmap: .traceIfAnySet(argument: 2, bits: UInt32(PROT_EXEC))
  ]

  /// - Parameter functions: watches them.
  init(functions: FunctionInjector) {
    self.functions = functions
  }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    functions.recordMapping(of: call.tracee, call.registers)
    return .taken
  }
}
