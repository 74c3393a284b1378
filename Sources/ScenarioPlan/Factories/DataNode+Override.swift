internal import OrderedCollections
internal import ScenarioModel

/// A path of `with:` that reaches into a field, and what is to stand at its end.
struct DeepOverride {
  /// The whole key as written.
  var key: Located<String>
  /// Steps below the field.
  var steps: ArraySlice<PathStep>
  /// How the steps up to here read in messages.
  var reached: String
  /// The new value.
  var value: DataNode
}

extension DataNode {
  /// The node with what stands at a path replaced; nothing is evaluated.
  ///
  /// A path through `$build` goes into that object's own `with`, so that its other fields follow.
  /// The depth is bounded by the length of the path, which an author wrote on one line.
  func applying(_ override: DeepOverride) throws(Diagnostic) -> DataNode {
    guard let step = override.steps.first else { return override.value }
    var rest = override
    rest.steps = override.steps.dropFirst()
    rest.reached += step.text
    switch content {
    case .build(var request):
      let key = Located(JSONPath.relativeText(override.steps), at: override.key.range)
      request.overrides.append(DataField(key: key, value: override.value))
      return DataNode(.build(request), at: range)
    case .map(let fields):
      return DataNode(.map(try Self.replacing(step, in: fields, with: rest, override)), at: range)
    case .list(let elements):
      return DataNode(.list(try Self.replacing(step, in: elements, rest, override)), at: range)
    case .literal(.map(let members)):
      let fields = members.map { key, value in
        DataField(key: Located(key, at: range), value: DataNode(.literal(value), at: range))
      }
      return try DataNode(.map(fields), at: range).applying(override)
    case .literal(.list(let elements)):
      let nodes = elements.map { DataNode(.literal($0), at: range) }
      return try DataNode(.list(nodes), at: range).applying(override)
    case .literal(let value):
      throw override.blocked(by: value.kindWithArticle, at: range)
    case .sequence:
      throw override.blocked(by: "a number of a sequence", at: range)
    case .template:
      throw override.blocked(by: "an expression", at: range)
    }
  }

  private static func replacing(
    _ step: PathStep, in fields: [DataField], with rest: DeepOverride, _ whole: DeepOverride
  ) throws(Diagnostic) -> [DataField] {
    guard case .key(let key) = step,
      let index = fields.firstIndex(where: { $0.key.value == key })
    else {
      throw whole.missing(step, keys: fields.map(\.key.value))
    }
    var fields = fields
    fields[index].value = try fields[index].value.applying(rest)
    return fields
  }

  private static func replacing(
    _ step: PathStep, in elements: [DataNode], _ rest: DeepOverride, _ whole: DeepOverride
  ) throws(Diagnostic) -> [DataNode] {
    guard case .index(let index) = step, elements.indices.contains(index) else {
      throw Diagnostic(
        "\"\(whole.reached)\" is a list of \(elements.count) and has no \"\(step.text)\"",
        at: whole.key.range, help: "elements are written [0] to [\(max(0, elements.count - 1))]")
    }
    var elements = elements
    elements[index] = try elements[index].applying(rest)
    return elements
  }
}

extension DeepOverride {
  fileprivate func blocked(by what: String, at place: SourceRange) -> Diagnostic {
    Diagnostic(
      "the path \"\(key.value)\" leads through \"\(reached)\", which is \(what)", at: key.range,
      help: "give \"\(reached)\" as a whole",
      notes: [.init("\"\(reached)\" is set here", at: place)])
  }

  fileprivate func missing(_ step: PathStep, keys: [String]) -> Diagnostic {
    var word = step.text
    if case .key(let key) = step { word = key }
    return Diagnostic(
      "the path \"\(key.value)\" leads nowhere: \"\(reached)\" has no \"\(word)\"", at: key.range,
      help: Suggestion.help(for: word, in: keys, label: "its keys"))
  }
}
