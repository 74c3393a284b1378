internal import ScenarioEvents

/// The cases of a run in the plan's order; none is copied, as there may be tens of thousands.
struct OrderedCases: RandomAccessCollection {
  private let records: [CaseRecord]
  /// The index of each of them among the records; `nil` where those are in order.
  private let places: [Int]?

  /// Orders records by their numbers in the plan; those of one number stay as they are.
  init(_ records: [CaseRecord]) {
    func comesBefore(_ one: Int, _ other: Int) -> Bool {
      (records[one].description.index, one) < (records[other].description.index, other)
    }
    let isOrdered = records.indices.dropFirst().allSatisfy { comesBefore($0 - 1, $0) }
    self.records = records
    places = isOrdered ? nil : records.indices.sorted(by: comesBefore)
  }

  var startIndex: Int { 0 }
  var endIndex: Int { records.count }
  subscript(position: Int) -> CaseRecord { records[places?[position] ?? position] }
}
