internal import Foundations
internal import ScenarioModel

/// The rest of a file with errors: its scenarios without errors.
struct BrokenFile {
  let file: ScenarioFile
  /// The keys of the file's top with errors behind them.
  private let sections: Set<String>

  /// `nil` if no scenario is left, or if anything may be missing.
  init?(_ file: ScenarioFile, _ diagnostics: [Diagnostic]) {
    guard !file.shared.isPartial else { return nil }
    let errors = diagnostics.filter { $0.severity == .error && $0.range?.file == file.path }
    let lines = Set(errors.compactMap { $0.range?.line }).sorted()
    var rest = file
    // Aliases aside, scenarios and sections follow one another, so that one walk along the lines finds all.
    rest.scenarios.removeAll { $0.spans(anyOf: lines) }
    let scenarios = LineRanges(
      file.scenarios.map { $0.range.line...max($0.range.line, $0.lastLine) })
    let places = LineRanges(file.sections.map(\.lines))
    var sections: Set<String> = []
    for line in lines where scenarios.first(around: line) == nil {
      // What says nothing of its place may be missing anywhere, and so may what an unknown key was meant to be.
      guard let section = places.first(around: line) else { return nil }
      sections.insert(file.sections[section].key)
    }
    guard rest.scenarios.isEmpty == file.scenarios.isEmpty else { return nil }
    self.file = rest
    self.sections = sections
  }

  /// Returns whether a mistake that was found in the rest is one, whatever the broken parts say.
  func holds(_ diagnostic: Diagnostic) -> Bool {
    // Which scenarios are there to be selected is not known.
    diagnostic.severity == .error && diagnostic.code != .badArguments
      && !sections.contains { diagnostic.code.mayFollow(fromBroken: $0) }
  }
}

extension ScenarioEntry {
  /// Returns whether one of several lines, in order, is among the entry's own.
  fileprivate func spans(anyOf lines: [Int]) -> Bool {
    var (low, high) = (0, lines.count)
    while low < high {
      let middle = (low + high) / 2
      if lines[middle] < range.line { low = middle + 1 } else { high = middle }
    }
    return low < lines.count && lines[low] <= lastLine
  }
}

/// Stretches of lines in which places are looked up.
private struct LineRanges {
  private let ranges: [ClosedRange<Int>]
  /// The ranges in the order of their first lines.
  private let order: [Int]
  /// The last line of each one in that order and all before it.
  private var reach: [Int] = []

  init(_ ranges: [ClosedRange<Int>]) {
    self.ranges = ranges
    order = ranges.indices.sorted { (ranges[$0].lowerBound, $0) < (ranges[$1].lowerBound, $1) }
    for index in order { reach.append(max(reach.last ?? 0, ranges[index].upperBound)) }
  }

  /// Returns the index of the first-given range around a line; `nil` if there is none.
  func first(around line: Int) -> Int? {
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[order[middle]].lowerBound <= line { low = middle + 1 } else { high = middle }
    }
    var found: Int?
    while low > 0, reach[low - 1] >= line {
      low -= 1
      if ranges[order[low]].contains(line) { found = min(found ?? order[low], order[low]) }
    }
    return found
  }
}
