internal import ScenarioModel

extension Vocabulary {
  static let explore = [
    "budget", "by", "errors", "faults", "ignore", "leaks", "modes", "points", "save", "startup",
    "then", "where",
  ]
  static let explorePoint = ["function", "in"]
  static let exploreBudget = ["runs", "time"]
  static let exploreLeaks = ["accept", "grace"]
  static let processCounts = ProcessCount.allCases.map(\.rawValue)
}
