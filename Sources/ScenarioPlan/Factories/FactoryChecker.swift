internal import ScenarioModel

/// Finds names that nobody knows in factories, also in those that no scenario builds from.
///
/// A name counts as known if any trait brings it in; whether the wanted traits do is told when an
/// object is built.
struct FactoryChecker {
  let table: FactoryTable
  let builds: [String]
  var diagnostics: DiagnosticBag
  private var pending: [(node: DataNode, fields: [String])] = []

  init(table: FactoryTable, builds: [String], diagnostics: DiagnosticBag) {
    self.table = table
    self.builds = builds
    self.diagnostics = diagnostics
  }

  mutating func check() {
    for factory in table.all {
      for trait in factory.traits {
        do throws(Diagnostic) {
          _ = try factory.expand([trait.name] + trait.traits)
        } catch {
          diagnostics.report(error)
        }
      }
      let fields = factory.allFieldNames
      for field in factory.fields + factory.traits.flatMap(\.fields) {
        pending.append((field.value, fields))
      }
    }
    while let (node, fields) = pending.popLast() { check(node, fields) }
  }

  private mutating func check(_ node: DataNode, _ fields: [String]) {
    switch node.content {
    case .literal, .sequence: break
    case .list(let elements): pending += elements.map { ($0, fields) }
    case .map(let members): pending += members.map { ($0.value, fields) }
    case .template(let template):
      for case .expression(let expression) in template.segments { check(expression, fields) }
    case .build(let request): check(request)
    }
  }

  private mutating func check(_ request: BuildRequest) {
    do throws(Diagnostic) {
      let factory = try table.factory(request.factory)
      _ = try factory.expand(request.traits)
      for field in request.overrides where !factory.allFieldNames.contains(field.key.value) {
        _ = try DataEvaluator.override(field, of: factory, names: factory.allFieldNames)
      }
    } catch {
      diagnostics.report(error)
    }
    guard let factory = try? table.factory(request.factory) else { return }
    pending += request.overrides.map { ($0.value, factory.allFieldNames) }
  }

  private mutating func check(_ expression: Expression, _ fields: [String]) {
    var open = [expression]
    while let expression = open.popLast() {
      switch expression {
      case .literal: break
      case .call(let function, let arguments):
        if ExpressionFunction(rawValue: function.value) == nil {
          diagnostics.report(ExpressionFunction.unknown(function))
        }
        open += arguments
      case .path(let root, let steps):
        check(root, steps, fields)
      }
    }
  }

  private mutating func check(
    _ root: Located<String>, _ steps: [PathStep], _ fields: [String]
  ) {
    guard !fields.contains(root.value) else { return }
    switch root.value {
    case "seed", "dir", "request": break
    case "build":
      if case .key(let name)? = steps.first, builds.contains(name) { return }
      diagnostics.report(ExpressionNames.unknownBuild(steps, builds, at: root.range))
    default:
      diagnostics.report(ExpressionNames.unknown(root, fields: fields, .none))
    }
  }
}
