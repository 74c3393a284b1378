internal import Foundations

/// What another scope knows, with values for the names of a lambda, which hide all others.
struct BoundScope: RunScope {
  let base: any RunScope
  let values: [String: Value]

  func value(of root: String) -> Value? { values[root] ?? base.value(of: root) }

  func mismatch(
    of text: String, with snapshot: PlannedSnapshot, at range: SourceRange
  ) -> Mismatch? {
    base.mismatch(of: text, with: snapshot, at: range)
  }

  var searchLimit: Int { base.searchLimit }
}
