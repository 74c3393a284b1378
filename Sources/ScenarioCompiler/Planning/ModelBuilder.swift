package import Foundations
internal import OrderedCollections
package import ScenarioModel
internal import ScenarioPlan

/// A part of a model that holds no others, and where it comes from.
package struct ExplainedLeaf: Sendable, Hashable {
  /// The path in the model: `address.city`, `tags[0]`; empty for a model that is one value.
  package var path: String
  /// The value.
  package var value: Value
  /// Its setter: `base user`, `trait admin`, `with address.city`.
  package var setter: String
  /// The place of its definition.
  package var range: SourceRange?
  /// The number of the sequence, or the random number that was drawn for it.
  package var draw: String?
}

/// One model of a scenario, built by itself.
package struct BuiltModel: Sendable {
  /// The model.
  package var value: Value
  /// Its leaves, explained if that was wanted.
  package var leaves: [ExplainedLeaf]
  /// The arguments of `construct`, in order; empty for a model that has none.
  package var arguments: [(field: String, value: Value)] = []
  /// The number of times that it was built.
  package var count: Int
}

/// Builds single models, as `scenario build` does.
package enum ModelBuilder {
  /// Builds an object of `build:`, or one of a factory, as the scenario would see it.
  ///
  /// - Parameters:
  ///   - name: The object's or the factory's name.
  ///   - file: The file that knows it.
  ///   - scenario: The scenario; `nil` is the first that knows the name.
  ///   - count: How many objects of a factory to build into a list; `nil` is one and no list.
  ///   - explains: Whether the leaves are explained.
  ///   - times: How often to build, for those who measure; only the last model is kept.
  package static func build(
    _ name: String, of file: ScenarioFile, scenario: String? = nil, count: Int? = nil,
    explains: Bool = false, times: Int = 1, options: PlannerOptions
  ) -> (model: BuiltModel?, diagnostics: [Diagnostic]) {
    var bag = DiagnosticBag()
    let cases = Planner.cases(of: file, &bag)
    guard !bag.hasErrors else { return (nil, bag.sorted(byFiles: [file.path])) }
    let entries = cases.map(\.entry)
    let names = Set(entries.map(\.name.value) + cases.compactMap(\.row?.scenario))
    if let scenario, !names.contains(scenario) {
      let help = Suggestion.help(
        for: scenario, in: names, label: "its scenarios")
      return (
        nil,
        [
          Diagnostic(
            "unknown scenario \"\(scenario)\"", code: .badArguments, at: nil, help: help)
        ]
      )
    }
    let candidates = entries.enumerated().filter {
      scenario == nil || $0.element.name.value == scenario
        || cases[$0.offset].row?.scenario == scenario
    }
    let chosen = candidates.first { $0.element.body.knows(name) }
    guard let (index, entry) = chosen.map({ ($0.offset, $0.element) }) else {
      let known = Set(candidates.flatMap { $0.element.body.modelNames })
      let help = Suggestion.help(for: name, in: known, label: "objects and factories")
      return (
        nil,
        [
          Diagnostic(
            "unknown object or factory \"\(name)\"", code: .badArguments, at: nil, help: help)
        ]
      )
    }
    var evaluator = DataEvaluator(
      factories: entry.body.factories, builds: entry.body.builds,
      seed: options.seed ?? entry.body.seed?.value ?? 0,
      context: EvaluationContext(
        file: file.path, folder: file.pathFolder ?? PathText.folder(of: file.path),
        case: cases[index], index: index, options, shared: file.shared.files))
    var checker = FactoryChecker(
      table: evaluator.factories, builds: evaluator.builds.keys.elements,
      sequences: entry.body.sequences.map(\.name.value), diagnostics: evaluator.diagnostics)
    checker.check()
    evaluator.diagnostics = checker.diagnostics
    if explains { evaluator.explanation = DataExplanation() }
    let result = evaluator.model(name, count: count, times: times)
    let diagnostics = evaluator.diagnostics.sorted(byFiles: [file.path])
    guard let value = result?.value, !evaluator.diagnostics.hasErrors else {
      return (nil, diagnostics)
    }
    let arguments = evaluator.arguments(ofModel: name, count: count, value)
    let leaves = value.leaves.map { path, leaf in
      let separator = path.isEmpty || path.hasPrefix("[") ? "" : "."
      let origin = evaluator.explanation?.origin(of: (result?.root ?? "") + separator + path)
      return ExplainedLeaf(
        path: path, value: leaf,
        setter: [origin?.setter, place(of: path, among: arguments)].compactMap(\.self)
          .joined(separator: ", "),
        range: origin?.range,
        draw: origin?.draw)
    }
    var model = BuiltModel(value: value, leaves: explains ? leaves : [], count: times)
    model.arguments = arguments
    return (model, diagnostics)
  }

  /// `argument 1` for a path in a field that is one.
  private static func place(
    of path: String, among arguments: [(field: String, value: Value)]
  ) -> String? {
    let field = path.prefix { $0 != "." && $0 != "[" }
    return arguments.firstIndex { $0.field == field }.map { "argument \($0 + 1)" }
  }
}

extension DataEvaluator {
  /// The model, and what its address begins with.
  fileprivate mutating func model(
    _ name: String, count: Int?, times: Int
  ) -> (value: Value, root: String)? {
    if builds[name] != nil, count == nil, times == 1 {
      // As in a run: what is drawn depends on the objects before it.
      buildAll()
      return buildValue(name, usedAt: SourceRange(file: context.file, line: 1, column: 1))
        .map { ($0, "build.\(name)") }
    }
    let node = modelNode(name, count: count)
    var value: Value?
    for _ in 0..<max(1, times) {
      objectCount = 0
      elementCount = 0
      value = data(node, in: EvaluationSite.build.at(name))?.literal
      guard value != nil else { return nil }
    }
    return value.map { ($0, name) }
  }
}

extension DataEvaluator {
  /// Returns the data that a model is made from.
  private func modelNode(_ name: String, count: Int?) -> DataNode {
    let place = SourceRange(file: context.file, line: 1, column: 1)
    var request = BuildRequest(factory: Located(name, at: place))
    request.count = count.map { DataNode(.literal(.integer(Int64($0))), at: place) }
    return builds[name]?.value ?? DataNode(.build(request), at: place)
  }

  /// The arguments by which `construct` makes a model that is one object.
  fileprivate mutating func arguments(
    ofModel name: String, count: Int?, _ value: Value
  ) -> [(field: String, value: Value)] {
    let node = modelNode(name, count: count)
    guard case .build(let request) = node.content, request.count == nil,
      case .map(let members) = value,
      let plan = plan(request, variant: nil, at: node.range, in: EvaluationSite.build.at(name))
    else { return [] }
    return plan.arguments.map { plan.names[$0] }.compactMap { field in
      members[field].map { (field, $0) }
    }
  }
}

extension ScenarioBody {
  fileprivate var modelNames: [String] {
    builds.map(\.key.value) + factories.map(\.name.value)
      + factories.flatMap(\.aliases).map(\.value)
  }

  fileprivate func knows(_ name: String) -> Bool { modelNames.contains(name) }
}
