extension Vocabulary {
  static let chaos = [
    "apply", "call", "function", "in", "name", "process", "provide", "when", "where",
  ]
  static let chaosWhere = [
    "args", "caller", "fd", "flags", "host", "offset", "path", "port", "process", "size", "thread",
  ]
  static let chaosWhen = [
    "after", "during", "every", "from", "nth", "on", "probability", "times", "until",
  ]
  static let chaosEvent = ["nth", "reply"]
  /// The providers that are written as maps.
  static let chaosProviders = [
    "compute", "constant", "corrupt", "delay", "error", "exec", "exit", "kill", "match", "random",
    "restart", "sequence", "short", "signal", "stop",
  ]
  /// Those that are words.
  static let chaosProviderWords = ["hang", "kill", "lie", "nil", "original", "restart"]
  static let chaosProviderCompanions = ["else", "errno", "then"]
  static let chaosProvide = chaosProviders + chaosProviderCompanions
  static let chaosCompute = ["args", "result"]
  static let chaosRandom = ["error"]
  static let chaosRestart = ["after"]
  static let chaosSignal = ["at", "send"]
  static let chaosBranch = ["provide", "where"]
  static let chaosAmount = ["bytes", "fraction"]
  static let chaosCorrupt = ["at", "flip_bits", "truncate", "zero"]
  static let chaosCondition = ChaosCount.allCases.map(\.rawValue)
  static let chaosApplication = ["name", "seed"]
}
