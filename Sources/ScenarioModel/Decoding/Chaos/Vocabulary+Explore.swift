extension Vocabulary {
  static let explore = [
    "budget", "by", "errors", "faults", "ignore", "modes", "points", "save", "then", "where",
  ]
  static let explorePoint = ["function", "in"]
  static let exploreBudget = ["runs", "time"]
  static let processCounts = ProcessCount.allCases.map(\.rawValue)
}
