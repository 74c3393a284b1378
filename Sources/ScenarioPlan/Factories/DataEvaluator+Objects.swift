internal import OrderedCollections
internal import ScenarioModel

/// An object under construction.
struct ObjectState {
  var factory: String
  /// What each field is made from, everything that wins already in its place.
  var definitions: OrderedDictionary<String, DataNode>
  /// What only the run knows, and its fields may ask for.
  var runNames = DataPlace.RunNames.none
  var slots: [String: DataEvaluator.Slot] = [:]
}

extension DataEvaluator {
  /// Builds one object: own fields, then traits in order, then `with`.
  ///
  /// In a reply its fields may ask for the request, so that the object is finished when one comes.
  mutating func build(
    _ request: BuildRequest, at range: SourceRange, in place: DataPlace
  ) -> PlannedData? {
    guard associationDepth < Self.associationLimit else {
      reportEndlessAssociation(at: range)
      return nil
    }
    guard objects.count < Self.objectLimit else {
      abort("the scenario builds more than \(Self.objectLimit) objects", at: range)
      return nil
    }
    guard let definitions = definitions(of: request) else { return nil }
    associationDepth += 1
    defer { associationDepth -= 1 }
    let object = objects.count
    var state = ObjectState(factory: request.factory.value, definitions: definitions)
    if case .request = place.runNames { state.runNames = place.runNames }
    objects.append(state)
    var members: OrderedDictionary<String, PlannedData> = [:]
    var isComplete = true
    for (name, node) in definitions {
      let value = fieldValue(name, of: object, usedAt: node.range)
      if let value { members[name] = value }
      isComplete = isComplete && value != nil
    }
    // Nobody can ask for the fields any more; only the place in the list stays taken.
    objects[object] = ObjectState(factory: request.factory.value, definitions: [:])
    return isComplete ? .folding(members) : nil
  }

  /// The value of a field, evaluated when it is first asked for.
  mutating func fieldValue(
    _ name: String, of object: Int, usedAt range: SourceRange
  ) -> PlannedData? {
    switch objects[object].slots[name] {
    case .done(let value): return value
    case .failed: return nil
    case .running:
      reportCycle(Self.label(objects[object].factory, name), object, at: range)
      return nil
    case nil: break
    }
    guard let node = objects[object].definitions[name] else { return nil }
    let label = Self.label(objects[object].factory, name)
    objects[object].slots[name] = .running
    frames.append(Frame(label: label, object: object, range: node.range))
    let place = DataPlace(object: object, owner: label, runNames: objects[object].runNames)
    let value = evaluate(node, in: place)
    frames.removeLast()
    objects[object].slots[name] = value.map(Slot.done) ?? .failed
    return value
  }

  /// The value of an object of `build:`, built when it is first asked for.
  mutating func buildValue(_ name: String, usedAt range: SourceRange) -> Value? {
    switch buildSlots[name] {
    case .done(let value): return value.literal
    case .failed: return nil
    case .running:
      reportCycle("build.\(name)", nil, at: range)
      return nil
    case nil: break
    }
    guard let field = builds[name] else { return nil }
    buildSlots[name] = .running
    frames.append(Frame(label: "build.\(name)", object: nil, range: field.key.range))
    let value = evaluate(field.value, in: .build)?.literal
    frames.removeLast()
    buildSlots[name] = value.map { .done(.value($0)) } ?? .failed
    return value
  }

  private static func label(_ factory: String, _ field: String) -> String {
    "\(factory).\(field)"
  }

  // MARK: - Definitions

  private mutating func definitions(
    of request: BuildRequest
  ) -> OrderedDictionary<String, DataNode>? {
    do throws(Diagnostic) {
      let factory = try factories.factory(request.factory)
      let traits = try factory.expand(request.traits)
      warnOfRepeatedTraits(request)
      var definitions: OrderedDictionary<String, DataNode> = [:]
      for field in factory.fields + traits.flatMap(\.fields) {
        definitions[field.key.value] = field.value
      }
      guard apply(request.overrides, to: &definitions, of: factory) else { return nil }
      return definitions
    } catch {
      diagnostics.report(error)
      return nil
    }
  }

  /// Plain keys first, so that a path reaches into what a plain key of the same `with` has set.
  private mutating func apply(
    _ overrides: [DataField], to definitions: inout OrderedDictionary<String, DataNode>,
    of factory: FactoryDefinition
  ) -> Bool {
    var isComplete = true
    var deep: [DeepOverride] = []
    for field in overrides {
      if definitions[field.key.value] != nil {
        definitions[field.key.value] = field.value
        continue
      }
      do throws(Diagnostic) {
        let override = try Self.override(field, of: factory, names: definitions.keys.elements)
        if override.steps.isEmpty {
          definitions[override.reached] = field.value
        } else {
          deep.append(override)
        }
      } catch {
        diagnostics.report(error)
        isComplete = false
      }
    }
    for override in deep {
      do throws(Diagnostic) {
        definitions[override.reached] = try definitions[override.reached]?.applying(override)
      } catch {
        diagnostics.report(error)
        isComplete = false
      }
    }
    return isComplete
  }

  /// Reads a key of `with` that is no field's plain name; `reached` is the field that it begins
  /// with.
  static func override(
    _ field: DataField, of factory: FactoryDefinition, names: [String]
  ) throws(Diagnostic) -> DeepOverride {
    let steps: [PathStep]
    do throws(PatternError) {
      steps = try JSONPath(relative: field.key.value).steps
    } catch {
      throw Diagnostic(error.message, at: field.key.range, help: error.help)
    }
    guard case .key(let name)? = steps.first, names.contains(name) else {
      var word = field.key.value
      if case .key(let first)? = steps.first { word = first }
      throw unknownField(Located(word, at: field.key.range), of: factory, names: names)
    }
    return DeepOverride(
      key: field.key, steps: steps.dropFirst(), reached: name, value: field.value)
  }

  private static func unknownField(
    _ name: Located<String>, of factory: FactoryDefinition, names: [String]
  ) -> Diagnostic {
    let traits = factory.traits.filter { trait in
      trait.fields.contains { $0.key.value == name.value }
    }
    var help = Suggestion.help(for: name.value, in: names, label: "its fields")
    if let trait = traits.first {
      help =
        "the trait \"\(trait.name.value)\" has it: write traits: [\(trait.name.value)]; \(help)"
    }
    return Diagnostic(
      "the factory \"\(factory.name.value)\" has no field \"\(name.value)\"", at: name.range,
      help: help)
  }

  private mutating func warnOfRepeatedTraits(_ request: BuildRequest) {
    for (index, trait) in request.traits.enumerated()
    where request.traits[..<index].contains(where: { $0.value == trait.value }) {
      diagnostics.report(
        Diagnostic(
          "the trait \"\(trait.value)\" stands twice; it applies at its last place",
          at: trait.range, help: "leave one of them out", severity: .warning))
    }
  }

  // MARK: - Circles

  private mutating func reportCycle(_ label: String, _ object: Int?, at range: SourceRange) {
    let start =
      frames.lastIndex { $0.label == label && $0.object == object } ?? frames.startIndex
    let circle = frames[start...]
    let names = circle.map(\.label) + [label]
    diagnostics.report(
      Diagnostic(
        "\"\(label)\" depends on itself: \(names.joined(separator: " → "))", at: range,
        help: "give one of them a value that does not name the next",
        notes: circle.map { .init("\"\($0.label)\" is defined here", at: $0.range) }))
  }

  private mutating func reportEndlessAssociation(at range: SourceRange) {
    var labels: OrderedSet<String> = []
    var notes: [Diagnostic.Note] = []
    for frame in frames.reversed() {
      guard labels.append(frame.label).inserted else { break }
      notes.append(.init("\"\(frame.label)\" builds the next object here", at: frame.range))
    }
    let chain = Array(labels.reversed()) + (labels.last.map { [$0] } ?? [])
    let field = labels.last.map { $0.split(separator: ".").last ?? "" } ?? ""
    abort(
      "objects nest deeper than \(Self.associationLimit): \(chain.joined(separator: " → "))",
      at: range, help: "end the circle where it is built, as in with: { \(field): null }",
      notes: notes.reversed())
  }
}
