internal import ScenarioModel

extension Vocabulary {
  static let chaos = [
    "apply", "call", "disk", "except", "function", "in", "link", "name", "process", "provide",
    "when", "where",
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
    "compute", "constant", "corrupt", "delay", "error", "exec", "exit", "free", "kill", "match",
    "quota", "random", "restart", "sequence", "short", "signal", "stop",
  ]
  /// Those that are words.
  static let chaosProviderWords = [
    "full", "hang", "kill", "lie", "nil", "original", "read_only", "restart",
  ]
  static let chaosProviderCompanions = [
    "else", "errno", "files", "lose", "metadata", "then", "torn",
  ]
  static let chaosProvide = chaosProviders + chaosProviderCompanions
  /// Toxiproxy's toxics and what each of them has, the one that may stand alone first.
  static let toxicAttributes = [
    "bandwidth": ["rate"], "latency": ["latency", "jitter"], "limit_data": ["bytes"],
    "reset_peer": ["timeout", "bytes"], "slicer": ["average_size", "size_variation", "delay"],
    "slow_close": ["delay"], "timeout": ["timeout"],
  ]
  static let toxics = toxicAttributes.keys.sorted()
  /// What goes wrong on a link.
  static let linkFaults = toxics + ["dns", "down", "tls"]
  static let linkNameAnswer = ["answer"]
  static let chaosCompute = ["args", "bytes", "result"]
  static let chaosExec = ["at", "command"]
  static let chaosRandom = ["error"]
  static let chaosRestart = ["after"]
  static let chaosSignal = ["at", "send"]
  static let chaosBranch = ["provide", "where"]
  static let chaosAmount = ["bytes", "fraction"]
  static let chaosCorrupt = ["at", "flip_bits", "truncate", "zero"]
  static let chaosCondition = ChaosCount.allCases.map(\.rawValue)
  static let chaosApplication = ["name", "seed"]
}
