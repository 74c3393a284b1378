internal import Foundations
internal import OrderedCollections
internal import ScenarioModel

extension DataNode {
  /// The value of data in which nothing is computed, which messages call by the subject.
  ///
  /// - Throws: Where something is.
  func plainValue(
    of subject: String, code: DiagnosticCode
  ) throws(Diagnostic) -> Value {
    switch content {
    case .literal(let value): return value
    case .list(let nodes):
      var values: [Value] = []
      for node in nodes { values.append(try node.plainValue(of: subject, code: code)) }
      return .list(values)
    case .map(let fields):
      var members: OrderedDictionary<String, Value> = [:]
      for field in fields {
        members[field.key.value] = try field.value.plainValue(of: subject, code: code)
      }
      return .map(members)
    case .template, .sequence, .generator, .build:
      throw Diagnostic(
        "\(subject) cannot contain an expression or a generator", code: code, at: range,
        help: "write a fixed value; expressions elsewhere can use it")
    }
  }
}
