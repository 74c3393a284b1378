package import Foundations

/// The names with which every expression can begin; fields of the same name are reached by `self`.
package enum ExpressionRoot: String, CaseIterable, Sendable {
  /// Objects of `build:`.
  case build
  /// Variables of the target.
  case env
  /// The scenario's own time.
  case clock
  /// The scenario itself.
  case scenario
  /// The seed that random values derive from.
  case seed
  /// The request that a reply is for.
  case request
  /// The state that responses share, as it was before the request.
  case state
  /// The case's directory.
  case dir
  /// The row of the scenario's matrix.
  case matrix
  /// The captures of steps.
  case capture
  /// The variables that are given for the run.
  case vars
  /// Values that no report shows.
  case secrets
  /// The targets that are hosts.
  case targets
  /// The object that the expression belongs to.
  case object = "self"
  /// The object around that one.
  case parent
  /// The number of a sequence, or of the object among those of its factory.
  case n
  /// The place in the list around, from 0.
  case index
  /// The number of elements of that list.
  case count

  /// True if a field of the same name takes it, but in the definition of that field itself.
  ///
  /// These are common names of fields; all others keep their meaning everywhere.
  package var yieldsToFields: Bool { self == .n || self == .index || self == .count }

  /// The parts of a request that are text.
  private static let requestTexts: Set<String> = ["body", "method", "url"]

  /// The kinds that a path from here can have.
  package func kinds(_ steps: [PathStep]) -> ValueKinds {
    switch self {
    case .seed, .n, .index, .count: return .integer
    case .env, .dir, .capture, .secrets, .targets: return .text
    case .clock: return steps.first == .key("unix") ? .integer : .text
    case .scenario:
      return [.key("index"), .key("seed")].contains(steps.first) ? .integer : .text
    case .request:
      switch steps.first {
      case .key("count"): return .integer
      case .key(let name) where RequestNames.maps.contains(name):
        return steps.count == 1 ? .map : .text
      case .key(let name): return Self.requestTexts.contains(name) ? .text : .any
      default: return .any
      }
    case .build, .object, .parent, .matrix, .vars, .state: return .any
    }
  }
}
