package import Foundations
internal import OrderedCollections
package import Patterns

/// Makes a value that a JSON Schema allows.
package struct SchemaSample {
  /// What a sample is for.
  package enum Purpose: Sendable {
    /// A value as good as any other, such as tests that vary their data want.
    case variety
    /// A value for readers: the schema's examples where it has some, and all members that it names.
    case illustration
  }

  private static let depthLimit = 40
  /// The number of values that are tried; most schemas are met by the first.
  private static let attempts = 50
  /// The number of attempts that trust the schema's examples, which no tool may ever have checked.
  private static let trustingAttempts = 3
  /// The number of attempts after which members that are not as the schema says are left out, where it allows that.
  private static let wholeAttempts = 6
  /// The number of attempts after which all that may be left out is.
  private static let richAttempts = 20
  /// The maximum number of times that a value is compared with the schema to leave out members.
  private static let omissionLimit = 100
  /// The number of steps from which on an illustration leaves out what may be left out.
  private static let illustrationLimit = 5_000
  /// The number of values, rules and letters that all of them may take together: a schema can
  /// demand a list of any length, and by references to itself more than any computer holds.
  private static let stepLimit = 1_000_000

  /// The combined demands of the rules of one subschema.
  fileprivate struct Demands {
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
  }

  private let schema: JSONSchema
  private let definition: String?
  private let purpose: Purpose
  private var random: SplitMix64
  private var steps = 0
  private var trustsExamples = false

  /// Prepares samples.
  ///
  /// - Parameter definition: a reference to the part of the schema that is meant; `nil` is all of it.
  package init(
    schema: JSONSchema, definition: String? = nil, for purpose: Purpose = .variety,
    random: SplitMix64
  ) {
    self.schema = schema
    self.definition = definition
    self.purpose = purpose
    self.random = random
  }

  /// The next value.
  ///
  /// - Throws: If none was found that the schema allows.
  package mutating func value() throws(PatternError) -> Value {
    let top = definition.map { JSONSubschema.rules([.reference($0)]) } ?? schema.root.top
    var found: JSONSchemaViolation?
    for attempt in 0..<Self.attempts {
      trustsExamples = purpose == .illustration && attempt < Self.trustingAttempts
      let value = try sample(top, depth: 0, isSparse: attempt >= Self.richAttempts)
      guard let violation = schema.firstViolation(in: value, of: definition) else { return value }
      guard violation.givenUp == nil else { throw Self.undecided }
      if attempt >= Self.wholeAttempts, let rest = try leavingOut(value, violation) { return rest }
      found = violation
    }
    let reason = found.map { " at \($0.path): \($0.expected)" } ?? ""
    throw PatternError(
      "found no value that the schema allows\(reason)",
      help: "write the value by hand, or relax the schema")
  }

  /// Counts what is about to be made.
  private mutating func spend(_ count: Int) throws(PatternError) {
    guard count <= Self.stepLimit - steps else { throw Self.tooMany }
    steps += max(0, count)
  }

  private static let tooMany = PatternError(
    "the schema needs too large a value: more than \(stepLimit) values, rules and characters",
    help: "write the value by hand, or relax the schema: minItems, minLength, a $ref to itself")

  private static let undecided = PatternError(
    "the schema is too intricate to compare a value with",
    help:
      "write the value by hand, or relax the schema: anyOf and oneOf that nest, intricate patterns")

  /// The value without the members that are not as the schema says; `nil` if it needs them.
  private func leavingOut(
    _ value: Value, _ violation: JSONSchemaViolation
  ) throws(PatternError) -> Value? {
    var needed: Set<String> = []
    var removed: Set<String> = []
    var current = value
    var next = violation
    for _ in 0..<Self.omissionLimit {
      // The member was not one that may be left out: the one around it may be.
      if let place = removed.first(where: { next.misses($0) }) {
        needed.insert(place)
        removed = []
        (current, next) = (value, violation)
      }
      guard var steps = (try? JSONPathQuery(next.path))?.steps else { return nil }
      while let last = steps.last {
        if case .key = last, !needed.contains(Self.place(steps)) { break }
        steps.removeLast()
      }
      guard !steps.isEmpty else { return nil }
      removed.insert(Self.place(steps))
      current = current.without(steps[...])
      guard let found = schema.firstViolation(in: current, of: definition) else { return current }
      guard found.givenUp == nil else { throw Self.undecided }
      next = found
    }
    return nil
  }

  private static func place(_ steps: [PathStep]) -> String {
    "$" + steps.map(\.text).joined()
  }

  private mutating func sample(
    _ schema: JSONSubschema, depth: Int, isSparse: Bool
  ) throws(PatternError) -> Value {
    try spend(1)
    var demands = Demands()
    try collect(schema, into: &demands, depth: depth)
    guard depth < Self.depthLimit else { return .null }
    if demands.isImpossible { return .null }
    if trustsExamples, let example = demands.example { return example }
    if let choices = demands.choices, !choices.isEmpty {
      return choices[Int(random.next(below: UInt64(choices.count)))]
    }
    switch type(for: demands) {
    case "null": return .null
    case "boolean": return .bool(random.next() & 1 == 1)
    case "integer", "number": return number(demands)
    case "array": return .list(try elements(demands, depth, isSparse))
    case "object": return .map(try members(demands, depth, isSparse))
    default: return .string(try text(demands))
    }
  }

  private mutating func type(for demands: Demands) -> String {
    if let types = demands.types {
      // Null is the least telling of several.
      let sorted = types.filter { $0 != "null" || types.count == 1 }.sorted()
      guard let only = sorted.first else { return "null" }
      return sorted.count == 1 ? only : sorted[Int(random.next(below: UInt64(sorted.count)))]
    }
    if !demands.members.isEmpty || !demands.required.isEmpty { return "object" }
    if demands.element != nil || !demands.prefix.isEmpty || demands.contained != nil {
      return "array"
    }
    if demands.lower != nil || demands.upper != nil || demands.multiple != nil { return "number" }
    if demands.least[.elements] != nil || demands.isUnique { return "array" }
    return "string"
  }

  // MARK: - Rules

  private mutating func collect(
    _ schema: JSONSubschema, into demands: inout Demands, depth: Int
  ) throws(PatternError) {
    guard depth < Self.depthLimit else { return }
    try spend(1)
    guard case .rules(let rules) = schema else {
      if case .constant(false) = schema { demands.isImpossible = true }
      return
    }
    for rule in rules { try collect(rule, into: &demands, depth: depth) }
  }

  private mutating func collect(
    _ rule: JSONRule, into demands: inout Demands, depth: Int
  ) throws(PatternError) {
    switch rule {
    case .reference(let name):
      if let target = schema.root.definitions[name] {
        try collect(target, into: &demands, depth: depth + 1)
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
      for part in parts { try collect(part, into: &demands, depth: depth + 1) }
      // The example of one of several parts has not what the others want.
      if parts.count > 1 { demands.example = example }
    case .anyOf(let all), .oneOf(let all):
      // Null is the least telling choice.
      let telling = purpose == .illustration ? all.filter { !$0.isNull } : all
      let parts = telling.isEmpty ? all : telling
      guard !parts.isEmpty else { break }
      let chosen = parts[Int(random.next(below: UInt64(parts.count)))]
      try collect(chosen, into: &demands, depth: depth + 1)
    case .conditional(_, _, let otherwise):
      if let otherwise { try collect(otherwise, into: &demands, depth: depth + 1) }
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
        demands.members[name] = Self.both(demands.members[name], part)
      }
      demands.patterns += rules.patterns.map { ($0.source, $0.schema) }
      if let rest = rules.rest { demands.rest = Self.both(demands.rest, rest) }
    case .propertyNames(let part): demands.names = Self.both(demands.names, part)
    case .example(let value): demands.example = demands.example ?? value
    case .not, .dependentRequired, .dependentSchemas: break
    }
  }

  private static func both(_ known: JSONSubschema?, _ part: JSONSubschema) -> JSONSubschema {
    known.map { .rules([.allOf([$0, part])]) } ?? part
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

  // MARK: - Values

  private mutating func number(_ demands: Demands) -> Value {
    let isWhole = demands.types?.contains("number") != true
    var lower = demands.lower ?? min(0, demands.upper.map { $0 - 100 } ?? 0)
    var upper = demands.upper ?? max(lower + 1_000, 1_000)
    if let multiple = demands.multiple, multiple > 0 {
      let first = (lower / multiple).rounded(.up)
      let last = (upper / multiple).rounded(.down)
      guard last >= first, let from = Int64(exactly: first), let to = Int64(exactly: last) else {
        return .integer(0)
      }
      let chosen = Double(random.next(in: from...to)) * multiple
      return Int64(exactly: chosen).map { .integer($0) } ?? .number(chosen)
    }
    guard isWhole else {
      var number = lower + random.nextPart() * (upper - lower)
      if demands.excludesLower, number == lower { number = (lower + upper) / 2 }
      let short = (number * 100).rounded() / 100
      let fits = short >= lower && short <= upper && !(demands.excludesLower && short == lower)
      return .number(fits && !(demands.excludesUpper && short == upper) ? short : number)
    }
    if demands.excludesLower { lower = lower.rounded(.down) + 1 }
    if demands.excludesUpper { upper = upper.rounded(.up) - 1 }
    guard let from = Int64(exactly: lower.rounded(.up)),
      let to = Int64(exactly: upper.rounded(.down)), from <= to
    else {
      return .integer(0)
    }
    return .integer(random.next(in: from...to))
  }

  private mutating func text(_ demands: Demands) throws(PatternError) -> String {
    let limit = max(0, demands.most[.letters] ?? .max)
    let least = min(demands.least[.letters] ?? 1, limit)
    try spend(least)
    if let pattern = demands.pattern {
      if let text = try text(matching: pattern, (demands.least[.letters] ?? 0), limit) {
        return text
      }
    } else if let format = demands.format {
      if let text = text(in: format, least, limit) { return text }
    }
    let most = max(least, min(limit, least + 12))
    var text = ""
    var length = 0
    while length < least {
      let word = (length == 0 ? "" : " ") + FakeValue.word.text(&random)
      text += word
      length += word.count
    }
    return String(text.prefix(most))
  }

  /// A text of some length that a pattern matches; `nil` if none was found.
  ///
  /// A schema's pattern is looked for anywhere: a text that is nothing else holds it, and one that is too short may go on.
  private mutating func text(
    matching pattern: String, _ least: Int, _ most: Int
  ) throws(PatternError) -> String? {
    var short: String?
    for more in [MatchingText.moreRepetitions, max(least, 1), 32, 2, 0] where least <= most {
      let texts = try MatchingText(pattern, moreRepetitions: more)
      for _ in 0..<Self.attempts {
        try spend(1 + least / 16)
        guard let text = try? texts.next(&random) else { break }
        let length = text.unicodeScalars.count
        if length >= least, length <= most { return text }
        if length < least { short = text }
      }
    }
    guard let short, let expression = try? LinearExpression(pattern) else { return nil }
    let padding = String(repeating: "a", count: least - short.unicodeScalars.count)
    return [short + padding, padding + short].first { expression.search(in: $0) == .found }
  }

  /// A text of some length in a format; `nil` if none was found.
  private mutating func text(in format: JSONFormat, _ least: Int, _ most: Int) -> String? {
    func fits(_ text: String) -> Bool {
      (least...max(least, most)).contains(text.unicodeScalars.count)
    }
    for _ in 0..<Self.wholeAttempts {
      if let text = format.sample(&random), fits(text) { return text }
    }
    return format.lengths(from: least).first(where: fits)
  }

  private mutating func elements(
    _ demands: Demands, _ depth: Int, _ isSparse: Bool
  ) throws(PatternError) -> [Value] {
    let least = max(demands.least[.elements] ?? 0, demands.prefix.count, demands.contains)
    // The values are counted where they are made; so many could not even be listed.
    guard least <= Self.stepLimit else { throw Self.tooMany }
    let wished = isSparse || depth > 4 ? least : least + Int(random.next(below: 3))
    let mayBeEmpty = isSparse || purpose == .illustration && depth > 4
    let count = min(max(wished, mayBeEmpty ? 0 : 1, least), demands.most[.elements] ?? .max)
    var values: [Value] = []
    for index in 0..<max(0, count) {
      let part: JSONSubschema
      if index < demands.prefix.count {
        part = demands.prefix[index]
      } else if let contained = demands.contained, index - demands.prefix.count < demands.contains {
        part = contained
      } else {
        part = demands.element ?? .constant(true)
      }
      var value = try sample(part, depth: depth + 1, isSparse: isSparse)
      var tries = 0
      if demands.isUnique { try spend(values.count / 16) }
      while demands.isUnique, tries < 20, values.contains(where: { $0.isEqual(to: value) }) {
        try spend(values.count / 16)
        value = try sample(part, depth: depth + 1, isSparse: isSparse)
        tries += 1
      }
      values.append(value)
    }
    return values
  }

  private mutating func members(
    _ demands: Demands, _ depth: Int, _ isSparse: Bool
  ) throws(PatternError) -> OrderedDictionary<String, Value> {
    var members: OrderedDictionary<String, Value> = [:]
    for (name, part) in demands.members {
      let isNeeded = demands.required.contains(name)
      guard isNeeded || showsOptional(depth, isSparse) else { continue }
      members[name] = try sample(part, depth: depth + 1, isSparse: isSparse)
    }
    for name in demands.required where members[name] == nil {
      members[name] = try other(name, demands, depth, isSparse)
    }
    let least = demands.least[.members] ?? 0
    var number = 1
    while members.count < least {
      try spend(1)
      let name = try self.name(number, demands, depth)
      if members[name] == nil { members[name] = try other(name, demands, depth, isSparse) }
      number += 1
      // Names that a schema lists may be fewer.
      guard number - least < 1_000 else { break }
    }
    return members
  }

  /// The value of a member that the schema does not name.
  private mutating func other(
    _ name: String, _ demands: Demands, _ depth: Int, _ isSparse: Bool
  ) throws(PatternError) -> Value {
    let matching = demands.patterns.filter { pattern in
      (try? LinearExpression(pattern.source))?.search(in: name) == .found
    }
    let part: JSONSubschema? =
      matching.isEmpty ? demands.rest : .rules([.allOf(matching.map(\.schema))])
    guard let part, case .rules = part else { return .string(FakeValue.word.text(&random)) }
    return try sample(part, depth: depth + 1, isSparse: isSparse)
  }

  /// A name for a member that the schema does not name.
  private mutating func name(
    _ number: Int, _ demands: Demands, _ depth: Int
  ) throws(PatternError) -> String {
    if let names = demands.names {
      let isText = JSONSubschema.rules([.types(["string"])])
      let value = try sample(Self.both(names, isText), depth: depth + 1, isSparse: false)
      if case .string(let name) = value { return name }
    }
    if case .constant(false)? = demands.rest, let pattern = demands.patterns.first,
      let name = try? MatchingText(pattern.source).next(&random)
    {
      return name
    }
    return "extra\(number)"
  }
}

extension SchemaSample {
  /// Whether a member that may be left out is there: half the time, and never where objects nest deep.
  private mutating func showsOptional(_ depth: Int, _ isSparse: Bool) -> Bool {
    guard !isSparse, depth < 5 else { return false }
    switch purpose {
    case .variety: return random.next() & 1 == 1
    case .illustration: return steps < Self.illustrationLimit
    }
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

extension SchemaSample.Demands {
  fileprivate mutating func add(_ bound: JSONBound, _ number: Double) {
    switch bound {
    case .minimum: lower = max(lower ?? number, number)
    case .maximum: upper = min(upper ?? number, number)
    case .exclusiveMinimum: (lower, excludesLower) = (max(lower ?? number, number), true)
    case .exclusiveMaximum: (upper, excludesUpper) = (min(upper ?? number, number), true)
    }
  }
}

extension JSONSchemaViolation {
  /// True if what is missing is the member at a place.
  fileprivate func misses(_ place: String) -> Bool {
    place.hasPrefix(path) && expected.hasPrefix("the key \"")
      && place == path + PathStep.key(String(expected.dropFirst(9).dropLast())).text
  }
}

extension Value {
  /// The value without the member that steps lead to.
  fileprivate func without(_ steps: ArraySlice<PathStep>) -> Value {
    guard let first = steps.first else { return self }
    switch (self, first) {
    case (.map(var members), .key(let key)):
      if steps.count == 1 {
        members[key] = nil
      } else {
        members[key] = members[key]?.without(steps.dropFirst())
      }
      return .map(members)
    case (.list(var elements), .index(let index)) where elements.indices.contains(index):
      elements[index] = elements[index].without(steps.dropFirst())
      return .list(elements)
    default: return self
    }
  }
}
