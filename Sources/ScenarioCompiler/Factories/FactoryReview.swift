internal import Foundations
internal import OrderedCollections
internal import ScenarioModel

/// Reviews factories when all scenarios of a file are planned.
struct FactoryReview {
  /// The factories of the file, also those of single scenarios.
  let definitions: [FactoryDefinition]
  /// Factories of other files that these may build from; they are for others as well.
  var shared: [FactoryDefinition] = []
  /// The factories and traits that scenarios have built from.
  let use: FactoryUse
  /// The file that contains the factories.
  var context = EvaluationContext()

  /// The maximum number of objects that are built for the review: enough to go once around any
  /// circle that is one.
  private static let objectLimit = 100_000

  /// The mistakes in factories and traits that no scenario uses, whatever `with` says: circles of
  /// fields and objects, missing files, schemas and regular expressions that cannot be used.
  ///
  /// They are built once, aside: no sequence of a scenario is drawn for it. Other mistakes may be
  /// those of an object that needs its `with`.
  var mistakes: [Diagnostic] {
    var evaluator = DataEvaluator(
      factories: definitions + shared, builds: [], seed: 0, context: context)
    evaluator.objectLimit = Self.objectLimit
    for factory in definitions {
      let name = factory.name.value
      var variants = factory.traits.map(\.name)
        .filter { !use.traits.contains("\(name).\($0.value)") }.map { [$0] }
      if !use.factories.contains(name) { variants.insert([], at: 0) }
      for traits in variants {
        evaluator.isAborted = false
        let request = BuildRequest(factory: factory.name, traits: traits)
        let range = traits.first?.range ?? factory.name.range
        _ = evaluator.build(request, at: range, in: EvaluationSite.build.at("review"))
      }
    }
    return evaluator.diagnostics.list.filter(\.isSure)
  }

  /// Warnings of factories, traits and params that nothing uses.
  var unused: [Diagnostic] {
    var result: [Diagnostic] = []
    for factory in definitions {
      let name = factory.name.value
      guard use.factories.contains(name) else {
        result.append(warning("the factory \"\(name)\" is not used", at: factory.name.range))
        continue
      }
      for trait in factory.traits where !use.traits.contains("\(name).\(trait.name.value)") {
        let message = "the trait \"\(trait.name.value)\" of \"\(name)\" is not used"
        result.append(warning(message, at: trait.name.range))
      }
      guard !factory.params.isEmpty else { continue }
      let heirs = definitions.filter { descends($0, from: name) }
      let names = heirs.reduce(into: Set<String>()) { $0.formUnion($1.namesInExpressions) }
      for param in factory.params where !names.contains(param.key.value) {
        let message = "the param \"\(param.key.value)\" of \"\(name)\" is not used by any field"
        result.append(warning(message, at: param.key.range))
      }
    }
    return result
  }

  private func warning(_ message: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(message, code: .unused, at: range, help: "take it out, or use it")
  }

  private func descends(_ factory: FactoryDefinition, from name: String) -> Bool {
    var current: FactoryDefinition? = factory
    var seen: Set<String> = []
    while let own = current, seen.insert(own.name.value).inserted {
      if own.name.value == name { return true }
      let parent = own.parent?.value
      current = definitions.first { candidate in
        candidate.name.value == parent || candidate.aliases.contains { $0.value == parent }
      }
    }
    return false
  }
}

extension Diagnostic {
  /// True if it is a mistake of any object that holds what it is about.
  fileprivate var isSure: Bool {
    switch code {
    case .missingFile, .badJSON, .badSchema, .badRegularExpression, .badRange: true
    default: isCircle
    }
  }

  /// True if it reports a circle.
  private var isCircle: Bool {
    severity == .error
      && (message.contains("depends on itself: ") || message.hasPrefix("objects nest deeper than "))
  }
}

extension FactoryDefinition {
  /// The names that expressions of the factory ask for, bare or behind `self`.
  fileprivate var namesInExpressions: Set<String> {
    var names: Set<String> = []
    var pending = (fields + params).map(\.value)
    for trait in traits { pending += (trait.fields + trait.params).map(\.value) }
    for value in enums.flatMap(\.values) { pending.append(value.value) }
    for rule in after {
      switch rule {
      case .set(let fields): pending += fields.map(\.value)
      case .assert(let node): pending.append(node)
      }
    }
    while let node = pending.popLast() {
      pending += node.parts
      guard case .template(let template) = node.content else { continue }
      for (root, step) in template.firstSteps {
        // Objects that are built inside may ask for the one around them.
        names.insert(["self", "parent"].contains(root) ? step ?? root : root)
      }
    }
    return names
  }
}

extension DataNode {
  /// The nodes that the node is made of.
  var parts: [DataNode] {
    switch content {
    case .literal, .template: return []
    case .list(let elements): return elements
    case .map(let fields): return fields.map(\.value)
    case .sequence(let rule): return [rule.value].compactMap { $0 }
    case .build(let request):
      let overrides = request.overrides + request.each.flatMap(\.overrides)
      return overrides.map(\.value) + [request.count].compactMap { $0 }
    case .generator(let generator):
      switch generator {
      case .values(let nodes, _): return nodes
      case .pick(let choices): return choices.map(\.value)
      case .choice(let source): return [source]
      case .maybe(_, let then, let otherwise): return [then] + [otherwise].compactMap { $0 }
      case .list(let count, let element): return [count, element]
      case .encoded(let node, _): return [node]
      case .merge(let node, let base), .append(let node, let base):
        return [node] + [base].compactMap { $0 }
      case .mutate(let rule): return [rule.source]
      case .next, .integer, .number, .text, .bool, .uuid, .time, .match, .fake, .schema, .file,
        .omit, .raw:
        return []
      }
    }
  }
}
