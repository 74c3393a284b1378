internal import Foundations

/// An entry of `blocks:`: parts of scenarios under a name, with parameters.
struct BlockDefinition {
  /// The part of a file that a block has, which decides where it is used.
  enum Part: String, CaseIterable {
    case steps
    case expect
    case target
    case clock
    case responses

    /// The way to insert it.
    func example(of block: String) -> String {
      switch self {
      case .steps, .responses: "\(rawValue): [ { block: \(block) } ]"
      case .expect, .target, .clock: "\(rawValue): { block: \(block) }"
      }
    }
  }

  /// A parameter; one without a default must be given.
  struct Parameter {
    var name: Located<String>
    var fallback: YAMLNode?
  }

  /// The name.
  var name: Located<String>
  /// `params:`.
  var parameters: [Parameter] = []
  /// The content, by part.
  var parts: [Part: YAMLNode] = [:]
}

extension ScenarioDecoder {
  /// Reads a block; `nil`, and a report, if it is none.
  mutating func decodeBlockDefinition(
    _ name: Located<String>, _ node: YAMLNode
  ) -> BlockDefinition? {
    guard checkFieldKey(name) else { return nil }
    let subject = "the block \"\(name.value)\""
    guard let reader = mapping(node, as: Grammar.block, subject: subject) else { return nil }
    var block = BlockDefinition(name: name)
    if let params = reader["params"] { block.parameters = decodeBlockParameters(params) }
    for part in BlockDefinition.Part.allCases {
      if let node = reader[part.rawValue] { block.parts[part] = node }
    }
    if block.parts.isEmpty, reader.unknownCount == 0 {
      report(
        "\(subject) is empty", code: .empty, at: name.range,
        help: "add one of: \(BlockDefinition.Part.allCases.map(\.rawValue).joined(separator: ", "))"
      )
    }
    return block
  }

  /// Decodes `params: [user, password]`, or `params: { user: guest }` with default values.
  private mutating func decodeBlockParameters(_ node: YAMLNode) -> [BlockDefinition.Parameter] {
    if case .mapping(let members) = node.content {
      return members.map {
        BlockDefinition.Parameter(name: $0.key, fallback: $0.value.isAbsent ? nil : $0.value)
      }
    }
    return decodeTexts(node, "params").map { BlockDefinition.Parameter(name: $0) }
  }
}
