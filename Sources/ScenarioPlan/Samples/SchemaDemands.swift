internal import Foundations
internal import OrderedCollections
internal import Patterns

/// The combined demands of the rules of one subschema.
struct SchemaDemands {
  /// The largest number of subschemas inside each other that are followed.
  static let depthLimit = 40

  var types: Set<String>?
  var choices: [Value]?
  var lower: Double?
  var upper: Double?
  var excludesLower = false
  var excludesUpper = false
  var multiple: Double?
  var least: [JSONMeasure: Int] = [:]
  var most: [JSONMeasure: Int] = [:]
  var pattern: String?
  var format: JSONFormat?
  var prefix: [JSONSubschema] = []
  var element: JSONSubschema?
  var contained: JSONSubschema?
  var contains = 0
  var isUnique = false
  var required: [String] = []
  var members: OrderedDictionary<String, JSONSubschema> = [:]
  /// What the names of other members match, and what these must be.
  var patterns: [(source: String, schema: JSONSubschema)] = []
  /// What members without a rule of their own must be.
  var rest: JSONSubschema?
  /// What names of members must be.
  var names: JSONSubschema?
  var isImpossible = false
  var example: Value?

  /// Returns a schema of what two schemas allow.
  static func both(_ known: JSONSubschema?, _ part: JSONSubschema) -> JSONSubschema {
    known.map { .rules([.allOf([$0, part])]) } ?? part
  }

  fileprivate mutating func add(_ bound: JSONBound, _ number: Double) {
    switch bound {
    case .minimum: lower = max(lower ?? number, number)
    case .maximum: upper = min(upper ?? number, number)
    case .exclusiveMinimum: (lower, excludesLower) = (max(lower ?? number, number), true)
    case .exclusiveMaximum: (upper, excludesUpper) = (min(upper ?? number, number), true)
    }
  }
}

/// Reads what a subschema demands of a value, with a choice of its own among alternatives.
struct DemandReader {
  /// What has been read.
  private(set) var demands = SchemaDemands()
  private let definitions: [String: JSONSubschema]
  private let isTelling: Bool

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - definitions: the schemas that references name.
  ///   - isTelling: true if null is chosen only where nothing else is allowed.
  init(_ definitions: [String: JSONSubschema], isTelling: Bool) {
    self.definitions = definitions
    self.isTelling = isTelling
  }

  /// Adds what a subschema demands.
  ///
  /// - Parameter depth: the number of subschemas around it.
  /// - Throws: If that takes too much work.
  mutating func read(
    _ schema: JSONSubschema, _ effort: inout SampleEffort, depth: Int
  ) throws(PatternError) {
    guard depth < SchemaDemands.depthLimit else { return }
    try effort.spend(1)
    guard case .rules(let rules) = schema else {
      if case .constant(false) = schema { demands.isImpossible = true }
      return
    }
    for rule in rules { try read(rule, &effort, depth: depth) }
  }

  private mutating func read(
    _ rule: JSONRule, _ effort: inout SampleEffort, depth: Int
  ) throws(PatternError) {
    switch rule {
    case .reference(let name):
      if let target = definitions[name] {
        try read(target, &effort, depth: depth + 1)
      }
    case .types(let types):
      let own = Set(types)
      demands.types = demands.types.map { Self.common($0, own) } ?? own
    case .choices(let values):
      demands.choices =
        demands.choices.map { known in
          known.filter { value in values.contains { $0.isEqual(to: value) } }
        } ?? values
    case .allOf(let parts):
      let example = demands.example
      for part in parts { try read(part, &effort, depth: depth + 1) }
      // The example of one of several parts has not what the others want.
      if parts.count > 1 { demands.example = example }
    case .anyOf(let all), .oneOf(let all):
      // Null is the least telling choice.
      let telling = isTelling ? all.filter { !$0.isNull } : all
      let parts = telling.isEmpty ? all : telling
      guard !parts.isEmpty else { break }
      let chosen = parts[Int(effort.random.next(below: UInt64(parts.count)))]
      try read(chosen, &effort, depth: depth + 1)
    case .conditional(_, _, let otherwise):
      if let otherwise { try read(otherwise, &effort, depth: depth + 1) }
    case .bound(let bound, let number, _): demands.add(bound, number)
    case .multiple(let number): demands.multiple = number
    case .length(let measure, let isMinimum, let count):
      if isMinimum {
        demands.least[measure] = max(demands.least[measure] ?? 0, count)
      } else {
        demands.most[measure] = min(demands.most[measure] ?? .max, count)
      }
    case .pattern(_, let text): demands.pattern = text
    case .format(let format): demands.format = format
    case .items(let prefix, let rest): (demands.prefix, demands.element) = (prefix, rest)
    case .contains(let part, let minimum, _):
      (demands.contained, demands.contains) = (part, minimum)
    case .uniqueItems: demands.isUnique = true
    case .required(let names): demands.required += names.filter { !demands.required.contains($0) }
    case .members(let rules):
      for (name, part) in rules.named.sorted(by: { $0.key < $1.key }) {
        // Of several parts that describe a member, all hold.
        demands.members[name] = SchemaDemands.both(demands.members[name], part)
      }
      demands.patterns += rules.patterns.map { ($0.source, $0.schema) }
      if let rest = rules.rest { demands.rest = SchemaDemands.both(demands.rest, rest) }
    case .propertyNames(let part): demands.names = SchemaDemands.both(demands.names, part)
    case .example(let value): demands.example = demands.example ?? value
    case .not, .dependentRequired, .dependentSchemas: break
    }
  }

  private static func common(_ left: Set<String>, _ right: Set<String>) -> Set<String> {
    var both = left.intersection(right)
    if left.contains("integer") && right.contains("number")
      || left.contains("number") && right.contains("integer")
    {
      both.insert("integer")
    }
    return both
  }
}

extension JSONSubschema {
  /// True if null alone is allowed.
  fileprivate var isNull: Bool {
    guard case .rules(let rules) = self, rules.count == 1, case .types(["null"]) = rules[0] else {
      return false
    }
    return true
  }
}
