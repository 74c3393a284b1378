package import Foundations
internal import OrderedCollections

extension ValueComparison {
  /// A place where two values disagree.
  package struct Disagreement {
    /// The place as a JSON path, such as `$.user.name`.
    package var path: String
    /// The value that was expected there; `nil` is none.
    package var expected: Value?
    /// The value there; `nil` is none.
    package var actual: Value?
  }

  /// The largest number of places that are looked for.
  private static let placeLimit = 100

  /// The places where two values disagree, in the order of the expected one.
  ///
  /// - Parameter isSubset: whether the actual value may hold more.
  package static func disagreements(
    _ expected: Value, _ actual: Value, isSubset: Bool
  ) -> [Disagreement] {
    var places: [Disagreement] = []
    collect(expected, actual, isSubset, "$", &places)
    return places
  }

  private static func collect(
    _ expected: Value, _ actual: Value, _ isSubset: Bool, _ path: String,
    _ places: inout [Disagreement]
  ) {
    guard places.count < placeLimit else { return }
    switch (expected, actual) {
    case (.map(let wanted), .map(let members)):
      for (key, value) in wanted {
        let place = path + place(of: key, in: members)
        guard let member = members[exact: key] else {
          places.append(Disagreement(path: place, expected: value, actual: nil))
          continue
        }
        collect(value, member, isSubset, place, &places)
      }
      guard !isSubset else { return }
      for (key, value) in members where wanted[exact: key] == nil {
        places.append(
          Disagreement(path: path + place(of: key, in: wanted), expected: nil, actual: value))
      }
    case (.list(let wanted), .list(let elements)) where !isSubset:
      for index in 0..<max(wanted.count, elements.count) {
        let place = "\(path)[\(index)]"
        guard wanted.indices.contains(index), elements.indices.contains(index) else {
          places.append(
            Disagreement(
              path: place, expected: wanted.indices.contains(index) ? wanted[index] : nil,
              actual: elements.indices.contains(index) ? elements[index] : nil))
          continue
        }
        collect(wanted[index], elements[index], isSubset, place, &places)
      }
    default:
      if isSubset {
        guard let missing = missing(expected, in: actual, at: path) else { return }
        places.append(
          Disagreement(path: missing.path, expected: missing.expected, actual: missing.actual))
      } else if !expected.isEqual(to: actual) {
        places.append(Disagreement(path: path, expected: expected, actual: actual))
      }
    }
  }
}
