package import Foundations
internal import OrderedCollections
import Synchronization

/// The names that a run knows outside of replies: the case's directory, and the captures of steps.
package struct CaseScope: RunScope, Sendable {
  /// The absolute path of the case's directory.
  package var directory: String
  /// The captures of steps.
  package var captures: CapturedValues
  /// The comparison of texts with snapshots; `nil` where there are none.
  package var snapshots: (any SnapshotComparing)?
  /// The addresses of targets, by the targets' names.
  package var targetAddresses: [String: String] = [:]
  /// True for what is expected of a case.
  package var isExpectation = false
  /// True if the text that is judged was not UTF-8.
  package var isRepaired = false

  /// Creates a scope.
  package init(directory: String, captures: CapturedValues = CapturedValues()) {
    self.directory = directory
    self.captures = captures
  }

  /// The directory as the root `dir`, what was captured as `capture`, what steps have built as `build`.
  package func value(of root: String) -> Value? {
    switch root {
    case "dir": .string(directory)
    case "capture": captures.value
    case "build": captures.builtValue
    case "secrets": captures.secrets
    case "targets":
      .map(
        OrderedDictionary(
          uniqueKeysWithValues: targetAddresses.sorted { $0.key < $1.key }.map {
            ($0.key, .map(["address": .string($0.value)]))
          }))
    default: nil
    }
  }

  /// Returns the mismatch of a text with a snapshot of the case; `nil` if there is none.
  package func mismatch(
    of text: String, with snapshot: PlannedSnapshot, at range: SourceRange
  ) -> Mismatch? {
    guard let snapshots else {
      return Mismatch(
        message: "expected a snapshot, of which nothing is known here", actual: "", range: range)
    }
    return snapshots.mismatch(of: text, with: snapshot, at: range)
  }
}

/// The captures of the steps of one case, by name, and the secrets that it may use.
///
/// Steps write; the mock server reads from its own thread when it makes a reply.
package final class CapturedValues: Sendable {
  private let values = Mutex<OrderedDictionary<String, Value>>([:])
  private let builds = Mutex<OrderedDictionary<String, Value>>([:])
  /// The secrets as one map.
  let secrets: Value

  /// Creates a store that holds secrets alone.
  package init(secrets: [String: String] = [:]) {
    self.secrets = .map(
      OrderedDictionary(
        uniqueKeysWithValues: secrets.sorted { $0.key < $1.key }.map { ($0, .string($1)) }))
  }

  /// The values as one map.
  var value: Value { .map(values.withLock { $0 }) }

  /// The builds of steps, as one map.
  var builtValue: Value { .map(builds.withLock { $0 }) }

  /// Keeps a value that a step has built; the last one of a name counts.
  package func keep(_ value: Value, asBuild name: String) {
    builds.withLock { $0[name] = value }
  }

  /// Keeps a value; the last one of a name counts.
  package func keep(_ value: Value, as name: String) {
    values.withLock { $0[name] = value }
  }
}
