internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension DataEvaluator {
  typealias Definitions = OrderedDictionary<String, FieldDefinition>

  /// Plans the objects of one place, when the first is built.
  mutating func plan(
    _ request: BuildRequest, variant: Int?, at range: SourceRange, in place: EvaluationSite
  ) -> ObjectPlan? {
    let site = Site(
      plan: place.frame.map { ObjectIdentifier($0.plan) }, slot: place.slot, range: range,
      overrides: request.overrides.count, variant: variant ?? -1)
    if let known = plans[site] { return known }
    let made = makePlan(request, variant: variant.map { request.each[$0] })
    plans[site] = .some(made)
    return made
  }

  private mutating func makePlan(
    _ request: BuildRequest, variant: BuildRequest.Variant?
  ) -> ObjectPlan? {
    do throws(Diagnostic) {
      let factory = try factories.factory(request.factory)
      use.factories.formUnion(factory.chain.map(\.name.value))
      let asked = request.traits + (variant?.traits ?? [])
      let traits = try factory.expand(asked)
      diagnostics.warnOfRepeatedTraits(asked)
      record(traits, of: factory)
      var construct = factory.construct
      var definitions = try base(of: factory, construct: &construct)
      for trait in traits {
        add(trait, of: factory, isDefault: false, to: &definitions, &construct)
      }
      construct = request.construct ?? construct
      if let own = request.construct?.base { addBase(own, to: &definitions, of: factory) }
      let hidden = ReadonlyRule(
        names: factory.readonly, isLifted: request.allowsReadonly || context.allowsReadonly)
      let overrides = request.overrides + (variant?.overrides ?? [])
      guard apply(overrides, to: &definitions, of: factory, hidden) else { return nil }
      for type in factory.types { definitions[type.field.value]?.kind = type.kind.value }
      let arguments = construct?.arguments ?? []
      for name in arguments where definitions[name.value]?.isParam != false {
        throw Self.unknownField(name, of: factory, names: Self.fieldNames(definitions))
      }
      return ObjectPlan(
        factory: factory.name, definitions: definitions, arguments: arguments.map(\.value),
        after: factory.after + (try defaultTraits(of: factory)).flatMap(\.after)
          + traits.flatMap(\.after),
        schema: factory.schema)
    } catch {
      diagnostics.report(error)
      return nil
    }
  }

  private func defaultTraits(of factory: ResolvedFactory) throws(Diagnostic) -> [TraitDefinition] {
    var traits: [TraitDefinition] = []
    for definition in factory.chain { traits += try factory.expand(definition.defaultTraits) }
    return traits
  }

  // MARK: - Layers

  /// Adds a factory's own layers: what it extends, its default traits, its own fields.
  private mutating func base(
    of factory: ResolvedFactory, construct: inout ConstructRule?
  ) throws(Diagnostic) -> Definitions {
    var definitions: Definitions = [:]
    if let from = construct?.base { addBase(from, to: &definitions, of: factory) }
    for (name, param) in factory.params {
      definitions[name] = FieldDefinition(
        node: param.field.value, owner: "\(param.owner).\(name)", setter: .base(param.owner),
        range: param.field.key.range, isParam: true)
    }
    for definition in factory.chain {
      let inherited = definitions
      let defaults = try factory.expand(definition.defaultTraits)
      record(defaults, of: factory)
      for trait in defaults {
        add(trait, of: factory, isDefault: true, to: &definitions, &construct)
      }
      let name = definition.name.value
      for field in definition.fields {
        add(field, owner: name, .base(name), to: &definitions)
      }
      guard !defaults.isEmpty else { continue }
      // A trait's new keys stand behind the fields that it is a variant of.
      var ordered = inherited
      for field in definition.fields { ordered[field.key.value] = definitions[field.key.value] }
      for (key, value) in definitions { ordered[key] = value }
      definitions = ordered
    }
    return definitions
  }

  /// The keys of a map that objects begin with are fields below all others.
  private mutating func addBase(
    _ node: DataNode, to definitions: inout Definitions, of factory: ResolvedFactory
  ) {
    guard let data = evaluate(node, in: EvaluationSite.build.at("factory.\(factory.name)")).data
    else {
      return
    }
    guard case .value(.map(let members)) = data else {
      diagnostics.report(
        "\"from\" of an object must be a map, not \(data.kindWithArticle)", code: .badConstruct,
        at: node.range,
        help: "write a map, or { $file: FILE.json } with a file that contains one")
      return
    }
    for (name, value) in members where definitions[name] == nil {
      definitions[name] = FieldDefinition(
        node: DataNode(.literal(value), at: node.range), owner: "\(factory.name).\(name)",
        setter: .from, range: node.range)
    }
  }

  private func add(
    _ trait: TraitDefinition, of factory: ResolvedFactory, isDefault: Bool,
    to definitions: inout Definitions, _ construct: inout ConstructRule?
  ) {
    let owner = factory.traitOwners[trait.name.value] ?? factory.name
    let setter = FieldSetter.trait(trait.name.value, isDefault: isDefault)
    for param in trait.params { add(param, owner: owner, setter, to: &definitions) }
    for field in trait.fields { add(field, owner: owner, setter, to: &definitions) }
    if let own = trait.construct { construct = own }
  }

  private func add(
    _ field: DataField, owner: String, _ setter: FieldSetter, to definitions: inout Definitions
  ) {
    let name = field.key.value
    let previous = definitions[name]
    definitions[name] = FieldDefinition(
      node: field.value.over(previous?.node), owner: "\(owner).\(name)", setter: setter,
      range: field.key.range, isParam: previous?.isParam ?? false, over: previous)
  }

  private mutating func record(_ traits: [TraitDefinition], of factory: ResolvedFactory) {
    for trait in traits {
      let owner = factory.traitOwners[trait.name.value] ?? factory.name
      use.traits.insert("\(owner).\(trait.name.value)")
    }
  }

  // MARK: - With

  /// Fields that `with` must not set.
  struct ReadonlyRule {
    var names: [Located<String>]
    var isLifted: Bool
  }

  /// Plain keys first, so that a path reaches into what a plain key of the same `with` has set.
  private mutating func apply(
    _ overrides: [DataField], to definitions: inout Definitions, of factory: ResolvedFactory,
    _ readonly: ReadonlyRule
  ) -> Bool {
    var isComplete = true
    var deep: [DeepOverride] = []
    for field in overrides {
      do throws(Diagnostic) {
        let override = try Self.override(
          field, of: factory, names: definitions.keys.elements, allowsExtra: factory.allowsExtra)
        try Self.check(override, readonly, of: factory)
        if override.steps.isEmpty {
          let previous = definitions[override.reached]
          definitions[override.reached] = FieldDefinition(
            node: field.value.over(previous?.node),
            owner: "\(factory.name).\(override.reached)", setter: .with(field.key.value),
            range: field.key.range, isParam: previous?.isParam ?? false, over: previous)
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
        guard var definition = definitions[override.reached] else { continue }
        definition.node = try definition.node.applying(override, setter: definition.setter.text)
        definition.parts.append((override.steps, override.key))
        definitions[override.reached] = definition
      } catch {
        diagnostics.report(error)
        isComplete = false
      }
    }
    return isComplete
  }

  private static func check(
    _ override: DeepOverride, _ rule: ReadonlyRule, of factory: ResolvedFactory
  ) throws(Diagnostic) {
    guard !rule.isLifted, let place = rule.names.first(where: { $0.value == override.reached })
    else { return }
    throw Diagnostic(
      "\"\(override.reached)\" of the factory \"\(factory.name)\" is readonly",
      code: .readonlyField, at: override.key.range,
      help: "remove it, or write allow_readonly: true next to $build",
      notes: [.init("it is declared readonly here", at: place.range)])
  }

  /// Reads a key of `with`; `reached` is the field that it begins with.
  static func override(
    _ field: DataField, of factory: ResolvedFactory, names: [String], allowsExtra: Bool
  ) throws(Diagnostic) -> DeepOverride {
    if names.contains(field.key.value) {
      return DeepOverride(
        key: field.key, steps: [], reached: field.key.value, value: field.value)
    }
    let steps: [PathStep]
    do throws(PatternError) {
      steps = try JSONPath(relative: field.key.value).steps
    } catch {
      throw Diagnostic(error.message, code: .badPath, at: field.key.range, help: error.help)
    }
    if case .key(let name)? = steps.first, names.contains(name) || allowsExtra && steps.count == 1 {
      return DeepOverride(
        key: field.key, steps: steps.dropFirst(), reached: name, value: field.value)
    }
    var word = field.key.value
    if case .key(let first)? = steps.first { word = first }
    throw unknownField(Located(word, at: field.key.range), of: factory, names: names)
  }

  private static func fieldNames(_ definitions: Definitions) -> [String] {
    definitions.filter { !$0.value.isParam }.map(\.key)
  }

  static func unknownField(
    _ name: Located<String>, of factory: ResolvedFactory, names: [String]
  ) -> Diagnostic {
    let trait = factory.traits.values.first { trait in
      trait.fields.contains { $0.key.value == name.value }
    }
    var help = Suggestion.help(for: name.value, in: names, label: "its fields")
    if let trait {
      help =
        "the trait \"\(trait.name.value)\" defines it: write traits: [\(trait.name.value)]; \(help)"
    }
    return Diagnostic(
      "the factory \"\(factory.name)\" has no field \"\(name.value)\"", code: .unknownField,
      at: name.range, help: help)
  }
}

extension DiagnosticBag {
  /// Warns of traits that are named more than once in a list.
  mutating func warnOfRepeatedTraits(_ traits: [Located<String>]) {
    var seen: Set<String> = []
    for trait in traits where !seen.insert(trait.value).inserted {
      report(
        "duplicate trait \"\(trait.value)\": only the last one applies",
        code: .repeatedTrait, at: trait.range, help: "remove one of them")
    }
  }
}

extension DataNode {
  /// The node, where it builds upon what the field would be without it, with that in place.
  fileprivate func over(_ previous: DataNode?) -> DataNode {
    switch content {
    case .generator(.merge(let node, over: nil)):
      DataNode(.generator(.merge(node, over: previous)), at: range)
    case .generator(.append(let node, to: nil)):
      DataNode(.generator(.append(node, to: previous)), at: range)
    default: self
    }
  }
}
