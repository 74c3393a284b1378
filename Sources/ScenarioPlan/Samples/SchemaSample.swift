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

  /// The number of values that are tried; most schemas are met by the first.
  private static let attempts = 50
  /// The number of attempts that trust the schema's examples, which no tool may ever have checked.
  private static let trustingAttempts = 3
  /// The number of attempts after which members that are not as the schema says are left out, where it allows that.
  private static let wholeAttempts = 6
  /// The number of attempts after which all that may be left out is.
  private static let richAttempts = 20
  /// The number of steps from which on an illustration leaves out what may be left out.
  private static let illustrationLimit = 5_000

  private let schema: JSONSchema
  private let definitions: [String: JSONSubschema]
  private let definition: String?
  private let purpose: Purpose
  private var effort: SampleEffort
  private var trustsExamples = false

  /// Prepares samples.
  ///
  /// - Parameter definition: a reference to the part of the schema that is meant; `nil` is all of it.
  package init(
    schema: JSONSchema, definition: String? = nil, for purpose: Purpose = .variety,
    random: SplitMix64
  ) {
    self.schema = schema
    definitions = schema.root.definitions
    self.definition = definition
    self.purpose = purpose
    effort = SampleEffort(random: random)
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
      if attempt >= Self.wholeAttempts,
        let rest = try MemberOmission(schema, definition).rest(of: value, violation)
      {
        return rest
      }
      found = violation
    }
    let reason = found.map { " at \($0.path): \($0.expected)" } ?? ""
    throw PatternError(
      "found no value that the schema allows\(reason)",
      help: "write the value by hand, or relax the schema")
  }

  /// The error for a schema with which comparing takes too much work.
  static let undecided = PatternError(
    "the schema is too intricate to compare a value with",
    help:
      "write the value by hand, or relax the schema: anyOf and oneOf that nest, intricate patterns")

  private mutating func sample(
    _ schema: JSONSubschema, depth: Int, isSparse: Bool
  ) throws(PatternError) -> Value {
    try effort.spend(1)
    var reader = DemandReader(definitions, isTelling: purpose == .illustration)
    try reader.read(schema, &effort, depth: depth)
    let demands = reader.demands
    guard depth < SchemaDemands.depthLimit else { return .null }
    if demands.isImpossible { return .null }
    if trustsExamples, let example = demands.example { return example }
    if let choices = demands.choices, !choices.isEmpty {
      return choices[Int(effort.random.next(below: UInt64(choices.count)))]
    }
    switch type(for: demands) {
    case "null": return .null
    case "boolean": return .bool(effort.random.next() & 1 == 1)
    case "integer", "number": return number(demands)
    case "array": return .list(try elements(demands, depth, isSparse))
    case "object": return .map(try members(demands, depth, isSparse))
    default: return .string(try text(demands))
    }
  }

  private mutating func type(for demands: SchemaDemands) -> String {
    if let types = demands.types {
      // Null is the least telling of several.
      let sorted = types.filter { $0 != "null" || types.count == 1 }.sorted()
      guard let only = sorted.first else { return "null" }
      return sorted.count == 1 ? only : sorted[Int(effort.random.next(below: UInt64(sorted.count)))]
    }
    if !demands.members.isEmpty || !demands.required.isEmpty { return "object" }
    if demands.element != nil || !demands.prefix.isEmpty || demands.contained != nil {
      return "array"
    }
    if demands.lower != nil || demands.upper != nil || demands.multiple != nil { return "number" }
    if demands.least[.elements] != nil || demands.isUnique { return "array" }
    return "string"
  }

  // MARK: - Values

  private mutating func number(_ demands: SchemaDemands) -> Value {
    let isWhole = demands.types?.contains("number") != true
    var lower = demands.lower ?? min(0, demands.upper.map { $0 - 100 } ?? 0)
    var upper = demands.upper ?? max(lower + 1_000, 1_000)
    if let multiple = demands.multiple, multiple > 0 {
      let first = (lower / multiple).rounded(.up)
      let last = (upper / multiple).rounded(.down)
      guard last >= first, let from = Int64(exactly: first), let to = Int64(exactly: last) else {
        return .integer(0)
      }
      let chosen = Double(effort.random.next(in: from...to)) * multiple
      return Int64(exactly: chosen).map { .integer($0) } ?? .number(chosen)
    }
    guard isWhole else {
      var number = lower + effort.random.nextPart() * (upper - lower)
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
    return .integer(effort.random.next(in: from...to))
  }

  private mutating func text(_ demands: SchemaDemands) throws(PatternError) -> String {
    let limit = max(0, demands.most[.letters] ?? .max)
    let least = min(demands.least[.letters] ?? 1, limit)
    try effort.spend(least)
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
      let word = (length == 0 ? "" : " ") + FakeValue.word.text(&effort.random)
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
        try effort.spend(1 + least / 16)
        guard let text = try? texts.next(&effort.random) else { break }
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
      if let text = format.sample(&effort.random), fits(text) { return text }
    }
    return format.lengths(from: least).first(where: fits)
  }

  private mutating func elements(
    _ demands: SchemaDemands, _ depth: Int, _ isSparse: Bool
  ) throws(PatternError) -> [Value] {
    let least = max(demands.least[.elements] ?? 0, demands.prefix.count, demands.contains)
    // The values are counted where they are made; so many could not even be listed.
    guard least <= SampleEffort.stepLimit else { throw SampleEffort.tooMany }
    let wished = isSparse || depth > 4 ? least : least + Int(effort.random.next(below: 3))
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
      if demands.isUnique { try effort.spend(values.count / 16) }
      while demands.isUnique, tries < 20, values.contains(where: { $0.isEqual(to: value) }) {
        try effort.spend(values.count / 16)
        value = try sample(part, depth: depth + 1, isSparse: isSparse)
        tries += 1
      }
      values.append(value)
    }
    return values
  }

  private mutating func members(
    _ demands: SchemaDemands, _ depth: Int, _ isSparse: Bool
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
      try effort.spend(1)
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
    _ name: String, _ demands: SchemaDemands, _ depth: Int, _ isSparse: Bool
  ) throws(PatternError) -> Value {
    let matching = demands.patterns.filter { pattern in
      (try? LinearExpression(pattern.source))?.search(in: name) == .found
    }
    let part: JSONSubschema? =
      matching.isEmpty ? demands.rest : .rules([.allOf(matching.map(\.schema))])
    guard let part, case .rules = part else { return .string(FakeValue.word.text(&effort.random)) }
    return try sample(part, depth: depth + 1, isSparse: isSparse)
  }

  /// A name for a member that the schema does not name.
  private mutating func name(
    _ number: Int, _ demands: SchemaDemands, _ depth: Int
  ) throws(PatternError) -> String {
    if let names = demands.names {
      let isText = JSONSubschema.rules([.types(["string"])])
      let value = try sample(SchemaDemands.both(names, isText), depth: depth + 1, isSparse: false)
      if case .string(let name) = value { return name }
    }
    if case .constant(false)? = demands.rest, let pattern = demands.patterns.first,
      let name = try? MatchingText(pattern.source).next(&effort.random)
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
    case .variety: return effort.random.next() & 1 == 1
    case .illustration: return effort.steps < Self.illustrationLimit
    }
  }
}
