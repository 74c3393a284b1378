internal import Foundations
internal import OrderedCollections
internal import ScenarioModel
internal import ScenarioPlan

/// Makes the rows of a matrix, as GitHub Actions does: combinations, `exclude`, then `include`.
struct MatrixExpansion {
  /// Cases of one scenario.
  static let rowLimit = 10_000

  private typealias Values = OrderedDictionary<String, Value>

  /// A row on the way.
  private struct Combination {
    var values: Values = [:]
    var range: SourceRange?
    var lastLine: Int?

    init() {}

    init(_ row: Matrix.Row) {
      values = Values(row.cells.map { ($0.name.value, $0.value) }) { first, _ in first }
      range = row.range
      lastLine = row.lastLine
    }

    /// Reads a row of a file of its own, so that no line of the scenario's file selects it.
    static func read(_ row: Matrix.Row) -> Combination {
      var combination = Combination(row)
      (combination.range, combination.lastLine) = (nil, nil)
      return combination
    }
  }

  let matrix: Matrix
  let scenario: String

  /// The rows in order; empty after a report.
  func rows(_ diagnostics: inout DiagnosticBag) -> [MatrixRow] {
    // The reason why its file could not be read has been reported.
    if matrix.source != nil, matrix.readPath == nil { return [] }
    guard let count = combinationCount, count <= Self.rowLimit else {
      diagnostics.report(
        "\"matrix\" has more than \(Self.rowLimit) rows", code: .badMatrix, at: matrix.range,
        help: "remove values, or split them among several scenarios")
      return []
    }
    let before = diagnostics.errorCount
    var combinations =
      combined() + matrix.rows.map { matrix.source == nil ? Combination($0) : .read($0) }
    exclude(from: &combinations, &diagnostics)
    include(into: &combinations)
    guard diagnostics.errorCount == before else { return [] }
    guard !combinations.isEmpty else {
      diagnostics.report(
        "\"exclude\" removes every row of \"matrix\"", code: .badMatrix, at: matrix.range,
        help: "remove an entry of \"exclude\"")
      return []
    }
    checkRepetition(combinations, &diagnostics)
    return combinations.map {
      MatrixRow(scenario: scenario, values: $0.values, range: $0.range, lastLine: $0.lastLine)
    }
  }

  /// The largest number of rows; `nil` for more than can be counted.
  private var combinationCount: Int? {
    var count = matrix.axes.isEmpty ? 0 : 1
    for axis in matrix.axes {
      let (product, overflows) = count.multipliedReportingOverflow(by: axis.values.count)
      if overflows { return nil }
      count = product
    }
    let (sum, overflows) = count.addingReportingOverflow(matrix.rows.count + matrix.include.count)
    return overflows ? nil : sum
  }

  /// Returns the combinations of each value with each, the last list running fastest.
  private func combined() -> [Combination] {
    guard !matrix.axes.isEmpty else { return [] }
    var combinations = [Combination()]
    for axis in matrix.axes {
      combinations = combinations.flatMap { combination in
        axis.values.map { value in
          var longer = combination
          longer.values[axis.name.value] = value.value
          return longer
        }
      }
    }
    return combinations
  }

  /// A row goes out that has all values of an entry.
  private func exclude(
    from combinations: inout [Combination], _ diagnostics: inout DiagnosticBag
  ) {
    let names = matrix.axes.map(\.name.value) + matrix.rowNames
    for entry in matrix.exclude {
      var isKnown = true
      for cell in entry.cells where !names.contains(cell.name.value) {
        isKnown = false
        diagnostics.report(
          "\"matrix\" has no list \"\(cell.name.value)\"", code: .badMatrix, at: cell.name.range,
          help: Suggestion.help(for: cell.name.value, in: names, label: "its lists"))
      }
      guard isKnown else { continue }
      let count = combinations.count
      combinations.removeAll { combination in
        entry.cells.allSatisfy { $0.value.isEqual(to: combination.values[$0.name.value] ?? .null) }
      }
      guard combinations.count == count else { continue }
      diagnostics.report(
        "the entry of \"exclude\" matches no row", code: .badMatrix, at: entry.range,
        help: "no remaining row has these values; correct them, or remove the entry")
    }
  }

  /// An entry is added to every combination whose own values it leaves as they are; one that fits none is a
  /// row of its own.
  private func include(into combinations: inout [Combination]) {
    let names = Set(matrix.axes.map(\.name.value) + matrix.rowNames)
    let count = combinations.count
    for entry in matrix.include {
      let fixed = entry.cells.filter { names.contains($0.name.value) }
      var isAdded = false
      for index in 0..<count
      where fixed.allSatisfy({
        $0.value.isEqual(to: combinations[index].values[$0.name.value] ?? .null)
      }) {
        isAdded = true
        for cell in entry.cells where !names.contains(cell.name.value) {
          combinations[index].values[cell.name.value] = cell.value
        }
      }
      if !isAdded { combinations.append(Combination(entry)) }
    }
  }

  private func checkRepetition(
    _ combinations: [Combination], _ diagnostics: inout DiagnosticBag
  ) {
    var places: [[String: Value]: SourceRange?] = [:]
    for combination in combinations {
      let key = Dictionary(uniqueKeysWithValues: combination.values.map { ($0, $1) })
      if let first = places[key] {
        diagnostics.report(
          Diagnostic(
            "\"matrix\" has the same row twice", code: .badMatrix,
            at: combination.range ?? matrix.range,
            help: "remove one: both are the same case",
            notes: first.map { [.init("the first one is here", at: $0)] } ?? []))
      } else {
        places[key] = .some(combination.range)
      }
    }
  }
}

extension Matrix {
  /// The names of the values that the rows of a file have.
  fileprivate var rowNames: [String] {
    source == nil ? [] : Array(OrderedSet(rows.flatMap { $0.cells.map(\.name.value) }))
  }
}
