package import Foundations
internal import OrderedCollections
package import ScenarioModel

/// One way to build a factory's objects, and whether that works by itself.
package struct LintedVariant: Sendable, Hashable {
  /// The factory.
  package var factory: String
  /// The trait, or the value of an enumeration; `nil` for the factory alone.
  package var trait: String?
  /// True if nothing is wrong with it.
  package var isWell: Bool
}

/// Builds every factory of a file once, and once with each of its traits, to see whether all can be built.
///
/// They are built aside: no sequence of a scenario is drawn for it.
package enum FactoryLint {
  /// Builds them all.
  package static func lint(
    _ file: ScenarioFile, options: PlannerOptions
  ) -> (variants: [LintedVariant], diagnostics: [Diagnostic]) {
    var bag = DiagnosticBag()
    let cases = Planner.cases(of: file, &bag)
    var seen: Set<SourceRange> = []
    var variants: [LintedVariant] = []
    for (index, one) in cases.enumerated() {
      let factories = one.body.factories.filter { seen.insert($0.name.range).inserted }
      guard !factories.isEmpty else { continue }
      var evaluator = DataEvaluator(
        factories: one.body.factories, builds: one.body.builds,
        seed: options.seed ?? one.body.seed?.value ?? 0, diagnostics: bag,
        context: EvaluationContext(
          file: file.path, folder: file.pathFolder ?? PathText.folder(of: file.path), case: one,
          index: index, options, shared: file.shared.files))
      for factory in factories { lint(factory, &evaluator, &variants) }
      bag = evaluator.diagnostics
    }
    return (variants, bag.sorted(byFiles: [file.path]))
  }

  private static func lint(
    _ factory: FactoryDefinition, _ evaluator: inout DataEvaluator,
    _ variants: inout [LintedVariant]
  ) {
    let name = factory.name.value
    var traits: [Located<String>] = []
    do throws(Diagnostic) {
      traits = try evaluator.factories.factory(factory.name).traits.values.map(\.name)
    } catch {
      evaluator.diagnostics.report(error)
      variants.append(LintedVariant(factory: name, trait: nil, isWell: false))
      return
    }
    for trait in [nil] + traits.map(Optional.some) {
      evaluator.isAborted = false
      let errors = evaluator.diagnostics.errorCount
      let request = BuildRequest(factory: factory.name, traits: trait.map { [$0] } ?? [])
      let outcome = evaluator.build(
        request, at: trait?.range ?? factory.name.range,
        in: EvaluationSite.build.at("lint.\(name).\(trait?.value ?? "")"))
      var isWell = evaluator.diagnostics.errorCount == errors
      if case .failed = outcome { isWell = false }
      variants.append(LintedVariant(factory: name, trait: trait?.value, isWell: isWell))
    }
  }
}
