internal import Foundations

extension GraphQLDocument {
  /// Finds the document's errors by the rules of section 5, in the order of the document.
  package func errors(in schema: GraphQLSchema) -> [GraphQLError] {
    var validator = GraphQLValidator(document: self, schema: schema)
    validator.validate()
    return validator.sortedErrors
  }
}

/// The rules of a document (specification of October 2021, section 5).
struct GraphQLValidator {
  /// A use of a variable, with the type that is expected there.
  struct Usage {
    var name: String
    var location: GraphQLLocation
    var type: GraphQLTypeReference?
    /// True if the place has a default of its own.
    var hasDefault: Bool
  }

  /// The summary of an operation or a fragment, fragments within not followed.
  struct Summary {
    var usages: [Usage] = []
    var spreads: [GraphQLSpread] = []
    /// The depth of its own selections.
    var depth = 0
    /// The depth at which each fragment is spread within them.
    var spreadDepths: [String: Int] = [:]
  }

  let document: GraphQLDocument
  let schema: GraphQLSchema
  let fragments: [String: GraphQLFragment]
  private var errors: [GraphQLError] = []
  /// The summary of the definition that is walked through.
  var summary = Summary()
  /// The walk's depth in the selections of that definition.
  var depth = 0
  private var fragmentSummaries: [String: Summary] = [:]
  /// The depth of each fragment, those within it followed.
  private var fragmentDepths: [String: Int] = [:]
  /// The number of steps that are left for following fragments, of all operations together.
  private var remainingSteps = GraphQLLimits.steps
  private var mergeBudget = GraphQLFieldMerge.budget

  init(document: GraphQLDocument, schema: GraphQLSchema) {
    self.document = document
    self.schema = schema
    fragments = Dictionary(
      document.fragments.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
  }

  var sortedErrors: [GraphQLError] {
    let sorted = errors.enumerated().sorted { left, right in
      let (leftPlace, rightPlace) = (left.element.locations.first, right.element.locations.first)
      let leftKey = (leftPlace?.line ?? 0, leftPlace?.column ?? 0, left.offset)
      return leftKey < (rightPlace?.line ?? 0, rightPlace?.column ?? 0, right.offset)
    }
    return Array(sorted.map(\.element).prefix(GraphQLLimits.errors))
  }

  /// True if nothing more is reported; then the rest need not be checked.
  var isFull: Bool { errors.count >= GraphQLLimits.errors * 4 }

  mutating func report(_ message: String, at locations: GraphQLLocation...) {
    guard !isFull else { return }
    errors.append(GraphQLError(message, at: locations, code: "GRAPHQL_VALIDATION_FAILED"))
  }

  mutating func append(_ found: [GraphQLError]) {
    for error in found where !isFull {
      errors.append(
        GraphQLError(error.message, at: error.locations, code: "GRAPHQL_VALIDATION_FAILED"))
    }
  }

  // MARK: - Definitions

  mutating func validate() {
    checkOperationNames()
    reportRepeated(document.fragments.map(\.name), "fragment")
    for fragment in document.fragments {
      summary = Summary()
      checkDirectives(fragment.directives, "FRAGMENT_DEFINITION")
      let type = checkCondition(fragment.condition, "Fragment \"\(fragment.name.text)\"")
      check(fragment.selections, on: type)
      // Of two with one name the first is followed, here as everywhere.
      if fragmentSummaries[fragment.name.text] == nil {
        fragmentSummaries[fragment.name.text] = summary
      }
    }
    let isEndless = reportCycles()
    var used: Set<String> = []
    for operation in document.operations { check(operation, isEndless, &used) }
    guard remainingSteps > 0 else {
      return report("The document is too complex: its operations share too many fragments.")
    }
    for fragment in document.fragments where !used.contains(fragment.name.text) {
      report("Fragment \"\(fragment.name.text)\" is never used.", at: fragment.location)
    }
  }

  private mutating func checkOperationNames() {
    reportRepeated(document.operations.compactMap(\.name), "operation")
    guard document.operations.count > 1 else { return }
    for operation in document.operations where operation.name == nil {
      report("This anonymous operation must be the only defined operation.", at: operation.location)
    }
  }

  /// Reports each name that occurs more than once, with all its places.
  mutating func reportRepeated(_ names: [GraphQLName], _ kind: String, prefix: String = "") {
    guard names.count > 1 else { return }
    var places: [String: [GraphQLLocation]] = [:]
    for name in names { places[name.text, default: []].append(name.location) }
    for name in names {
      guard let found = places.removeValue(forKey: name.text), found.count > 1 else { continue }
      append([
        GraphQLError("There can be only one \(kind) named \"\(prefix)\(name.text)\".", at: found)
      ])
    }
  }

  private mutating func check(
    _ operation: GraphQLOperation, _ isEndless: Bool, _ used: inout Set<String>
  ) {
    summary = Summary()
    checkDirectives(operation.directives, operation.kind.rawValue.uppercased())
    checkVariableDefinitions(operation)
    guard let root = schema.root(operation.kind) else {
      return report(
        "Schema is not configured to execute \(operation.kind.rawValue) operation.",
        at: operation.location)
    }
    check(operation.selections, on: root)
    let (usages, reached) = followSpreads(of: summary)
    used.formUnion(reached)
    checkUsages(usages, of: operation)
    guard !isEndless, !isTooDeep(operation), !isFull else { return }
    var merge = GraphQLFieldMerge(schema: schema, fragments: fragments, budget: mergeBudget)
    if operation.kind == .subscription { checkSingleRoot(operation, &merge) }
    append(merge.errors(operation.selections, on: root))
    mergeBudget = merge.budget
  }

  /// Reports an operation that is nested too deeply: fragments are followed by recursion, and those
  /// of such an operation are not followed.
  private mutating func isTooDeep(_ operation: GraphQLOperation) -> Bool {
    let below = summary.spreadDepths.map { $0.value + (fragmentDepths[$0.key] ?? 0) }.max() ?? 0
    guard max(summary.depth, below) > GraphQLLimits.depth else { return false }
    report(
      """
      The operation is nested more than \(GraphQLLimits.depth) levels deep, its fragments included.
      """,
      at: operation.location)
    return true
  }

  /// Section 5.2.3.1.
  private mutating func checkSingleRoot(
    _ operation: GraphQLOperation, _ merge: inout GraphQLFieldMerge
  ) {
    guard let root = schema.root(.subscription) else { return }
    let fields = merge.rootFields(operation.selections, on: root)
    let subject = operation.name.map { "Subscription \"\($0.text)\"" } ?? "Anonymous Subscription"
    if Set(fields.map(\.responseKey)).count > 1 {
      report("\(subject) must select only one top level field.", at: fields[1].location)
    }
    if let field = fields.first(where: { $0.name.text.hasPrefix("__") }) {
      report("\(subject) must not select an introspection top level field.", at: field.location)
    }
  }

  /// Returns the usages of variables, and the fragments, that an operation reaches.
  private mutating func followSpreads(
    of summary: Summary
  ) -> (usages: [Usage], reached: Set<String>) {
    var usages = summary.usages
    var reached: Set<String> = []
    var pending = summary.spreads.map(\.name.text)
    remainingSteps -= usages.count + pending.count
    while remainingSteps > 0, let name = pending.popLast() {
      guard reached.insert(name).inserted, let found = fragmentSummaries[name] else { continue }
      remainingSteps -= found.usages.count + found.spreads.count
      usages += found.usages
      pending += found.spreads.map(\.name.text)
    }
    return (usages, reached)
  }

  /// The fragments that are on a cycle or lead to one: what is left when all others are taken away,
  /// which are measured on the way.
  private mutating func fragmentsTowardsCycles() -> Set<String> {
    var users: [String: [String]] = [:]
    var openCounts: [String: Int] = [:]
    for (name, summary) in fragmentSummaries {
      openCounts[name] = summary.spreads.count { fragmentSummaries[$0.name.text] != nil }
      for spread in summary.spreads { users[spread.name.text, default: []].append(name) }
    }
    var pending = openCounts.filter { $0.value == 0 }.map(\.key)
    var left = Set(openCounts.keys)
    while let name = pending.popLast() {
      left.remove(name)
      let summary = fragmentSummaries[name] ?? Summary()
      let below = summary.spreadDepths.map { $0.value + (fragmentDepths[$0.key] ?? 0) }.max() ?? 0
      fragmentDepths[name] = max(summary.depth, below)
      for user in users[name] ?? [] {
        let count = (openCounts[user] ?? 0) - 1
        openCounts[user] = count
        if count == 0 { pending.append(user) }
      }
    }
    return left
  }

  /// Section 5.5.2.2; each cycle is reported once.
  private mutating func reportCycles() -> Bool {
    let left = fragmentsTowardsCycles()
    var reported: Set<String> = []
    for fragment in document.fragments.filter({ left.contains($0.name.text) })
      .prefix(GraphQLLimits.errors)
    {
      let name = fragment.name.text
      guard !reported.contains(name), let cycle = cycle(through: name, in: left) else { continue }
      reported.formUnion(cycle.map(\.name.text))
      let between = cycle.dropLast().map { "\"\($0.name.text)\"" }.joined(separator: ", ")
      let way = between.isEmpty ? "" : " via \(between)"
      append([
        GraphQLError(
          "Cannot spread fragment \"\(name)\" within itself\(way).", at: cycle.map(\.location))
      ])
    }
    return !left.isEmpty
  }

  /// The shortest way from a fragment back to itself, spread by spread.
  private func cycle(through name: String, in left: Set<String>) -> [GraphQLSpread]? {
    var ways: [String: (from: String, spread: GraphQLSpread)] = [:]
    var pending = [name]
    var position = 0
    while position < pending.count {
      let here = pending[position]
      position += 1
      for spread in fragmentSummaries[here]?.spreads ?? [] where left.contains(spread.name.text) {
        let next = spread.name.text
        guard ways[next] == nil else { continue }
        ways[next] = (here, spread)
        if next == name { break }
        pending.append(next)
      }
    }
    var cycle: [GraphQLSpread] = []
    var current = name
    repeat {
      guard let way = ways[current] else { return nil }
      cycle.append(way.spread)
      current = way.from
    } while current != name
    return cycle.reversed()
  }

  // MARK: - Types of fragments

  /// The type behind `on`, if fields can be selected on it.
  mutating func checkCondition(_ name: GraphQLName, _ subject: String) -> GraphQLType? {
    guard let type = schema.types[name.text] else {
      let hint = Suggestion.closest(to: name.text, in: schema.typeNames).map {
        " Did you mean \"\($0)\"?"
      }
      report("Unknown type \"\(name.text)\".\(hint ?? "")", at: name.location)
      return nil
    }
    guard type.isOutput, !type.isLeaf else {
      report(
        "\(subject) cannot condition on non composite type \"\(name.text)\".", at: name.location)
      return nil
    }
    return type
  }
}
