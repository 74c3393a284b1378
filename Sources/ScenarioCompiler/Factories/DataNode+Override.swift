internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel

/// A path of `with:` that reaches into a field, and the value to set at its end.
struct DeepOverride {
  /// The whole key as written.
  var key: Located<String>
  /// Steps below the field.
  var steps: ArraySlice<PathStep>
  /// The path up to here, for messages.
  var reached: String
  /// The new value.
  var value: DataNode
}

extension DataNode {
  /// The node with what stands at a path replaced; nothing is evaluated.
  ///
  /// A path through `$build` goes into that object's own `with`, so that its other fields follow.
  /// The depth is bounded by the length of the path, which an author wrote on one line.
  func applying(
    _ override: DeepOverride, setter: String = ""
  ) throws(Diagnostic) -> DataNode {
    guard let step = override.steps.first else { return override.value }
    var rest = override
    rest.steps = override.steps.dropFirst()
    rest.reached += step.text
    switch content {
    case .build(var request):
      if request.count != nil {
        guard case .index(let place) = step else {
          throw override.blocked(by: "a list of objects", at: range, setter)
        }
        return DataNode(.build(try request.applying(rest, to: place)), at: range)
      }
      let key = Located(JSONPath.relativeText(override.steps), at: override.key.range)
      request.overrides.append(DataField(key: key, value: override.value))
      return DataNode(.build(request), at: range)
    case .map(let fields):
      return DataNode(.map(try Self.replacing(step, in: fields, rest, override, setter)), at: range)
    case .list(let elements):
      return DataNode(
        .list(try Self.replacing(step, in: elements, rest, override, setter)), at: range)
    case .literal(.map(let members)):
      let fields = members.map { key, value in
        DataField(key: Located(key, at: range), value: DataNode(.literal(value), at: range))
      }
      return try DataNode(.map(fields), at: range).applying(override, setter: setter)
    case .literal(.list(let elements)):
      let nodes = elements.map { DataNode(.literal($0), at: range) }
      return try DataNode(.list(nodes), at: range).applying(override, setter: setter)
    case .literal(let value):
      throw override.blocked(by: value.kindWithArticle, at: range, setter)
    case .generator(.raw(let value)):
      return try DataNode(.literal(value), at: range).applying(override, setter: setter)
    case .generator(.omit):
      throw override.blocked(by: "omitted", at: range, setter)
    case .sequence, .generator:
      throw override.blocked(by: "made by a generator", at: range, setter)
    case .template:
      throw override.blocked(by: "an expression", at: range, setter)
    }
  }

  private static func replacing(
    _ step: PathStep, in fields: [DataField], _ rest: DeepOverride, _ whole: DeepOverride,
    _ setter: String
  ) throws(Diagnostic) -> [DataField] {
    guard case .key(let key) = step,
      let index = fields.firstIndex(where: { $0.key.value == key })
    else {
      throw whole.missing(step, keys: fields.map(\.key.value))
    }
    var fields = fields
    fields[index].value = try fields[index].value.applying(rest, setter: setter)
    return fields
  }

  private static func replacing(
    _ step: PathStep, in elements: [DataNode], _ rest: DeepOverride, _ whole: DeepOverride,
    _ setter: String
  ) throws(Diagnostic) -> [DataNode] {
    guard case .index(let index) = step, elements.indices.contains(index) else {
      throw Diagnostic(
        "\"\(whole.reached)\" is a list of \(elements.count) and has no \"\(step.text)\"",
        code: .badPath, at: whole.key.range,
        help: "write an element from [0] to [\(max(0, elements.count - 1))]")
    }
    var elements = elements
    elements[index] = try elements[index].applying(rest, setter: setter)
    return elements
  }
}

extension DeepOverride {
  fileprivate func blocked(
    by what: String, at place: SourceRange, _ setter: String
  ) -> Diagnostic {
    Diagnostic(
      "the path \"\(key.value)\" goes through \"\(reached)\", which is \(what)", code: .badPath,
      at: key.range,
      help: "set the whole \"\(reached)\"",
      notes: [.init("\"\(reached)\" is set here by \(setter)", at: place)])
  }

  fileprivate func missing(_ step: PathStep, keys: [String]) -> Diagnostic {
    var word = step.text
    if case .key(let key) = step { word = key }
    return Diagnostic(
      "the path \"\(key.value)\" does not exist: \"\(reached)\" has no \"\(word)\"", code: .badPath,
      at: key.range,
      help: Suggestion.help(for: word, in: keys, label: "its keys"))
  }
}

extension BuildRequest {
  /// The request with a path into one object of its list.
  fileprivate func applying(
    _ rest: DeepOverride, to place: Int
  ) throws(Diagnostic) -> BuildRequest {
    guard case .literal(.integer(let count))? = count?.content, place < count else {
      throw Diagnostic(
        "the path \"\(rest.key.value)\" does not exist: the list has no element \(place)",
        code: .badPath, at: rest.key.range,
        help: "elements count from 0, and \"count\" must be a number")
    }
    guard !rest.steps.isEmpty else {
      throw Diagnostic(
        "the path \"\(rest.key.value)\" would replace a whole object of \"$build\"",
        code: .badPath, at: rest.key.range,
        help: "name a field of it, as in \(rest.key.value).FIELD")
    }
    var request = self
    while request.each.count <= place { request.each.append(Variant()) }
    let key = Located(JSONPath.relativeText(rest.steps), at: rest.key.range)
    request.each[place].overrides.append(DataField(key: key, value: rest.value))
    return request
  }
}
