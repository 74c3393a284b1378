internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// Finds what can never work in factories, also in those that no scenario uses.
///
/// A name counts as known if any trait brings it in; whether the wanted traits do is reported when
/// an object is built.
struct FactoryChecker {
  var table: FactoryTable
  let builds: ExpressionFields
  let sequences: KnownNames
  var diagnostics: DiagnosticBag
  /// Data, and the names that its expressions can use.
  private var pending: [(node: DataNode, fields: ExpressionFields)] = []

  init(
    table: FactoryTable, builds: [String], sequences: [String] = [], diagnostics: DiagnosticBag
  ) {
    self.table = table
    self.builds = ExpressionFields(builds)
    self.sequences = KnownNames(sequences)
    self.diagnostics = diagnostics
  }

  mutating func check() {
    for mistake in table.ambiguousAliases { diagnostics.report(mistake) }
    for factory in table.all {
      do throws(Diagnostic) {
        check(factory, try table.factory(factory.name))
      } catch {
        diagnostics.report(error)
        // Which names it would have is not known; everything else is reported all the same.
        addData(of: factory, names: ExpressionFields([ResolvedFactory.anyName]))
      }
    }
    while let (node, fields) = pending.popLast() { check(node, fields) }
  }

  // MARK: - Factories

  private mutating func check(_ factory: FactoryDefinition, _ resolved: ResolvedFactory) {
    for trait in factory.traits {
      expand([trait.name] + trait.traits, resolved)
      diagnostics.warnOfRepeatedTraits(trait.traits)
    }
    expand(factory.defaultTraits, resolved)
    diagnostics.warnOfRepeatedTraits(factory.defaultTraits)
    checkPaths(factory, resolved)
    checkNames(factory, resolved)
    addData(of: factory, names: ExpressionFields(resolved.visibleNames))
  }

  /// Adds all data of a factory, whose expressions can use these names.
  private mutating func addData(of factory: FactoryDefinition, names: ExpressionFields) {
    let fields = factory.fields + factory.params + factory.traits.flatMap { $0.fields + $0.params }
    pending += (fields + factory.enums.flatMap(\.values)).map { ($0.value, names) }
    for rule in factory.after + factory.traits.flatMap(\.after) {
      switch rule {
      case .set(let fields): pending += fields.map { ($0.value, names) }
      case .assert(let node): pending.append((node, names))
      }
    }
  }

  private mutating func expand(_ names: [Located<String>], _ factory: ResolvedFactory) {
    do throws(Diagnostic) {
      _ = try factory.expand(names)
    } catch {
      diagnostics.report(error)
    }
  }

  /// Keys of traits that look like paths into a field, and would be fields beside it.
  private mutating func checkPaths(_ factory: FactoryDefinition, _ resolved: ResolvedFactory) {
    let own = Set(resolved.chain.flatMap(\.fields).map(\.key.value))
    for field in factory.traits.flatMap(\.fields)
    where field.key.value.isPathIntoField && !own.contains(field.key.value) {
      guard let path = try? JSONPath(relative: field.key.value),
        case .key(let name)? = path.steps.first, own.contains(name)
      else { continue }
      diagnostics.report(
        "\"\(field.key.value)\" is a separate field here, not a part of \"\(name)\"",
        code: .badPath, at: field.key.range,
        help: "write \(name): { $merge: { … } }; paths are allowed only in \"with\" and \"set\"")
    }
  }

  /// Reports names of fields that are outside of `fields`, and names that mean two things.
  private mutating func checkNames(_ factory: FactoryDefinition, _ resolved: ResolvedFactory) {
    let fields = resolved.allFieldNames
    let hasBase = factory.construct?.base != nil || resolved.construct?.base != nil
    if !hasBase {
      let arguments = factory.construct?.arguments ?? []
      for name in arguments + factory.readonly + factory.types.map(\.field)
      where !fields.contains(name.value) && !resolved.params.keys.contains(name.value) {
        diagnostics.report(DataEvaluator.unknownField(name, of: resolved, names: fields))
      }
    }
    for param in factory.params {
      let fields = resolved.chain.flatMap(\.fields)
      guard let field = fields.first(where: { $0.key.value == param.key.value }) else { continue }
      diagnostics.report(
        Diagnostic(
          "\"\(param.key.value)\" is a param and a field of \"\(factory.name.value)\"",
          code: .duplicateName, at: param.key.range, help: "give one of them another name",
          notes: [.init("the field is defined here", at: field.key.range)]))
    }
    var places: [String: SourceRange] = [:]
    for trait in factory.traits { places[trait.name.value] = trait.name.range }
    for value in factory.enums.flatMap(\.values) {
      if let other = places[value.key.value] {
        diagnostics.report(
          Diagnostic(
            "\"\(value.key.value)\" is the name of two traits of \"\(factory.name.value)\"",
            code: .duplicateName, at: value.key.range,
            help: "rename it: every value of \"enums\" is a trait",
            notes: [.init("the other one is here", at: other)]))
      }
      places[value.key.value] = value.key.range
    }
    for type in factory.types {
      for field in factory.fields + factory.traits.flatMap(\.fields)
      where field.key.value == type.field.value {
        guard case .literal(let value) = field.value.content,
          let mistake = type.kind.value.mistake(in: value)
        else { continue }
        diagnostics.report(
          Diagnostic(
            "\"\(factory.name.value).\(field.key.value)\" cannot be \(value.excerpt()): \(mistake)",
            code: .wrongFieldType, at: field.value.range,
            help: "write such a value, or change \"types\""))
      }
    }
  }

  // MARK: - Data

  private mutating func check(_ node: DataNode, _ fields: ExpressionFields) {
    switch node.content {
    case .literal: break
    case .sequence(let rule): if let value = rule.value { pending.append((value, fields)) }
    case .list(let elements): pending += elements.map { ($0, fields) }
    case .map(let members): pending += members.map { ($0.value, fields) }
    case .template(let template): check(template, at: node.range, fields)
    case .build(let request): check(request)
    case .generator(let generator): check(generator, fields)
    }
  }

  private mutating func check(_ generator: DataGenerator, _ fields: ExpressionFields) {
    switch generator {
    case .values(let nodes, _): pending += nodes.map { ($0, fields) }
    case .pick(let choices): pending += choices.map { ($0.value, fields) }
    case .choice(let source): pending.append((source, fields))
    case .maybe(_, let then, let otherwise):
      pending += [then, otherwise].compactMap { $0 }.map { ($0, fields) }
    case .list(let count, let element): pending += [(count, fields), (element, fields)]
    case .encoded(let node, _): pending.append((node, fields))
    case .merge(let node, let base), .append(let node, let base):
      pending += [node, base].compactMap { $0 }.map { ($0, fields) }
    case .next(let name):
      guard !sequences.contains(name.value) else { break }
      diagnostics.report(
        "unknown sequence \"\(name.value)\"", code: .unknownSequence, at: name.range,
        help: sequences.help(for: name.value, label: "known \"sequences\""))
    case .fake(let request):
      let fake = FakeValue(rawValue: request.name.value)
      if let mistake = fake.map({ $0.mistake(in: request) }) ?? FakeValue.unknown(request.name) {
        diagnostics.report(mistake)
      }
    case .match(let pattern):
      _ = diagnostics.catching(as: .badRegularExpression, at: pattern.range) {
        () throws(PatternError) in
        try MatchingText(pattern.value)
      }
    case .mutate(let rule): pending.append((rule.source, fields))
    case .integer, .number, .text, .bool, .uuid, .time, .schema, .file, .omit, .raw: break
    }
  }

  private mutating func check(_ request: BuildRequest) {
    do throws(Diagnostic) {
      let factory = try table.factory(request.factory)
      let names = factory.visibleNames
      let hasBase = factory.construct?.base != nil
      for variant in [BuildRequest.Variant(traits: request.traits, overrides: request.overrides)]
        + request.each
      {
        expand(variant.traits, factory)
        for field in variant.overrides where !names.contains(field.key.value) && !hasBase {
          do throws(Diagnostic) {
            _ = try DataEvaluator.override(
              field, of: factory, names: names, allowsExtra: factory.allowsExtra)
          } catch {
            diagnostics.report(error)
          }
        }
        let own = variant.overrides.map(\.key.value)
        let reached = ExpressionFields(names + own)
        pending += variant.overrides.map { ($0.value, reached) }
      }
      if let count = request.count { pending.append((count, ExpressionFields(names))) }
    } catch {
      diagnostics.report(error)
    }
  }

  // MARK: - Expressions

  private mutating func check(
    _ template: Template, at range: SourceRange, _ fields: ExpressionFields
  ) {
    for case .expression(let expression) in template.segments {
      var found: [Diagnostic] = []
      let builds = builds
      let kinds = ExpressionChecker.kinds(of: expression, &diagnostics) { root, steps in
        if let mistake = Self.mistake(root, steps, fields, builds) { found.append(mistake) }
        return fields.contains(root.value) ? .any : nil
      }
      for mistake in found { diagnostics.report(mistake) }
      guard template.segments.count > 1, kinds.isDisjoint(with: .inText) else { continue }
      diagnostics.report(
        "\"\(expression.text)\" is \(kinds.described), which cannot be part of a text",
        code: .notText, at: expression.range ?? range,
        help: "select a value inside it, write only the expression, or use json(…)")
    }
  }

  private static func mistake(
    _ root: Located<String>, _ steps: [PathStep], _ fields: ExpressionFields,
    _ builds: ExpressionFields
  ) -> Diagnostic? {
    switch ExpressionRoot(rawValue: root.value) {
    case nil:
      guard !fields.contains(root.value), !fields.contains(ResolvedFactory.anyName) else {
        return nil
      }
      return ExpressionNames.unknown(root, fields: fields, .none, isInObject: true)
    case .build?:
      if case .key(let name)? = steps.first, builds.contains(name) { return nil }
      return ExpressionNames.unknownBuild(steps, builds, at: root.range)
    case .object?:
      guard case .key(let name)? = steps.first else { return nil }
      guard !fields.contains(name), name != "parent", !fields.contains(ResolvedFactory.anyName)
      else { return nil }
      return ExpressionNames.unknownMember(
        of: root, steps, known: fields.known(), label: "its fields")
    default: return nil
    }
  }
}
