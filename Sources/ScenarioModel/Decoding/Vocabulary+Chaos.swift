extension Vocabulary {
  static let chaos = [
    "apply", "call", "except", "function", "in", "name", "provide", "when", "where",
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
    "sequence", "short", "signal",
  ]
  /// Those that are words.
  static let chaosProviderWords = ["hang", "kill", "lie", "nil", "original"]
  static let chaosProviderCompanions = ["else", "errno", "then"]
  static let chaosProvide = chaosProviders + chaosProviderCompanions
  static let chaosCompute = ["args", "bytes", "result"]
  static let chaosExec = ["at", "command"]
  static let chaosRandom = ["error"]
  static let chaosSignal = ["at", "send"]
  static let chaosBranch = ["provide", "where"]
  static let chaosAmount = ["bytes", "fraction"]
  static let chaosCorrupt = ["at", "flip_bits", "truncate", "zero"]
  static let chaosCondition = ChaosCount.allCases.map(\.rawValue)
  static let chaosApplication = ["name", "seed"]
}
