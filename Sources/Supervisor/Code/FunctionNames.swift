internal import ScenarioPlan

/// The names of functions that symbols are compared with, many times over.
struct FunctionNames {
  private var namesByLength: [Int: [[UInt8]]] = [:]
  private var patterns: [FunctionNamePattern] = []
  private var exceptions: [FunctionNamePattern] = []

  /// - Parameter exceptions: names that the patterns among `names` do not stand for.
  init(_ names: [String], except exceptions: [String] = []) {
    for name in Set(names) {
      let pattern = FunctionNamePattern(name)
      if pattern.hasAsterisk {
        patterns.append(pattern)
      } else {
        namesByLength[name.utf8.count, default: []].append(Array(name.utf8))
      }
    }
    self.exceptions = exceptions.map { FunctionNamePattern($0) }
  }

  /// Returns whether it is one of the names.
  func contains(_ name: some RandomAccessCollection<UInt8>) -> Bool {
    if let names = namesByLength[name.count], names.contains(where: { $0.elementsEqual(name) }) {
      return true
    }
    guard !patterns.isEmpty, patterns.contains(where: { $0.matches(name) }) else { return false }
    return !exceptions.contains { $0.matches(name) }
  }

  func contains(_ name: String) -> Bool { contains(Array(name.utf8)) }
}
