internal import Foundations
internal import OrderedCollections

/// Applies the rules of a JSON Schema to values.
struct JSONSchemaValidator {
  /// The greatest depth to which values and references may lead; beyond it a value is not valid.
  private static let depthLimit = 600
  /// The maximum number of subschemas that are applied to one value and all that is in it.
  private static let stepLimit = 2_000_000

  /// Counts the steps of all branches together.
  private final class Effort {
    var steps = 0
    /// The reason why the findings are not conclusive.
    var givenUp: LongTextError?
  }

  let definitions: [String: JSONSubschema]
  private let searchLimit: Int
  private let effort = Effort()

  /// - Parameter searchLimit: after how many steps the search for a regular expression is given up.
  init(definitions: [String: JSONSubschema], searchLimit: Int) {
    self.definitions = definitions
    self.searchLimit = searchLimit
  }

  /// The first place that is not as the schema says, or that nothing is known of; `nil` if the value is valid.
  func firstViolation(of schema: JSONSubschema, _ value: Value) -> JSONSchemaViolation? {
    let found = violation(of: schema, value, at: "$", 0)
    guard let givenUp = effort.givenUp else { return found }
    // `not` and its like would make a verdict of what is not known.
    var undecided = found ?? JSONSchemaViolation(path: "$", expected: "", actual: value)
    undecided.givenUp = givenUp
    return undecided
  }

  private func isFound(_ expression: LinearExpression, _ source: String, in text: String) -> Bool {
    let outcome = expression.search(in: text, stepLimit: searchLimit)
    if outcome == .givenUp {
      effort.givenUp = RegularExpression(source).givenUp(after: searchLimit)
    }
    return outcome == .found
  }

  /// The first place that is not as a subschema says; `nil` if the value is valid.
  func violation(
    of schema: JSONSubschema, _ value: Value, at path: String, _ depth: Int
  ) -> JSONSchemaViolation? {
    effort.steps += 1
    guard depth < Self.depthLimit, effort.steps < Self.stepLimit else {
      effort.givenUp = LongTextError("is not judged: the schema does not come to an end")
      return JSONSchemaViolation(
        path: path, expected: "a schema that comes to an end", actual: value)
    }
    switch schema {
    case .constant(true): return nil
    case .constant(false):
      return JSONSchemaViolation(path: path, expected: "nothing", actual: value)
    case .rules(let rules):
      for rule in rules {
        if let violation = violation(of: rule, value, at: path, depth) { return violation }
      }
      return nil
    }
  }

  /// The violation that tells most where a value meets none of several schemas.
  ///
  /// A schema that the value is not even meant for has another kind of value, or another word in a member that tells
  /// them apart. If one remains, its violation is the one to know of; if all differ in that word, all words are.
  private func meant(
    among violations: [JSONSchemaViolation], at path: String
  ) -> JSONSchemaViolation? {
    guard let first = violations.first else { return nil }
    if violations.allSatisfy({ $0.path == first.path && $0.expected == first.expected }) {
      return first
    }
    let rest = violations.filter { $0.kind != .choice && ($0.kind != .type || $0.path != path) }
    if rest.count == 1 { return rest[0] }
    guard violations.allSatisfy({ $0.kind == .choice && $0.path == first.path }) else { return nil }
    let words = violations.map { $0.expected.replacing("one of ", with: "") }
    var merged = first
    merged.expected = "one of " + words.joined(separator: ", ")
    return merged
  }

  private func isValid(_ schema: JSONSubschema, _ value: Value, _ depth: Int) -> Bool {
    violation(of: schema, value, at: "$", depth + 1) == nil
  }

  private func violation(
    of rule: JSONRule, _ value: Value, at path: String, _ depth: Int
  ) -> JSONSchemaViolation? {
    func unless(_ holds: Bool, _ expected: @autoclosure () -> String) -> JSONSchemaViolation? {
      holds ? nil : JSONSchemaViolation(path: path, expected: expected(), actual: value)
    }
    switch rule {
    case .reference(let name):
      guard let target = definitions[name] else { return unless(false, "the schema \(name)") }
      return violation(of: target, value, at: path, depth + 1)
    case .types(let types):
      var violation = unless(
        types.contains { value.hasType($0) }, types.joined(separator: " or "))
      violation?.kind = .type
      return violation
    case .choices(let choices):
      let list = choices.map { $0.excerpt(limit: 40) }.joined(separator: ", ")
      var violation = unless(
        choices.contains { $0.isEqual(to: value) }, choices.count == 1 ? list : "one of \(list)")
      violation?.kind = .choice
      return violation
    case .allOf(let schemas):
      for schema in schemas {
        if let violation = violation(of: schema, value, at: path, depth + 1) { return violation }
      }
      return nil
    case .anyOf(let schemas):
      var violations: [JSONSchemaViolation] = []
      for schema in schemas {
        guard let violation = violation(of: schema, value, at: path, depth + 1) else { return nil }
        violations.append(violation)
      }
      return meant(among: violations, at: path)
        ?? unless(false, "one of \(schemas.count) schemas")
    case .oneOf(let schemas):
      let violations = schemas.compactMap { violation(of: $0, value, at: path, depth + 1) }
      let count = schemas.count - violations.count
      if count == 0, let meant = meant(among: violations, at: path) { return meant }
      return unless(
        count == 1,
        "exactly one of \(schemas.count) schemas, not \(count == 0 ? "none" : "\(count)")"
      )
    case .not(let schema): return unless(!isValid(schema, value, depth), "not that schema")
    case .conditional(let condition, let then, let otherwise):
      let branch = isValid(condition, value, depth) ? then : otherwise
      return branch.flatMap { violation(of: $0, value, at: path, depth + 1) }
    case .bound, .multiple: return numberViolation(of: rule, value, unless)
    case .length, .pattern, .format: return lengthViolation(of: rule, value, unless)
    case .items, .contains, .uniqueItems:
      guard case .list(let elements) = value else { return nil }
      return listViolation(of: rule, elements, value, at: path, depth)
    case .example: return nil
    case .required, .dependentRequired, .dependentSchemas, .propertyNames, .members:
      guard case .map(let members) = value else { return nil }
      return mapViolation(of: rule, members, value, at: path, depth)
    }
  }

  // MARK: - Scalars

  private func numberViolation(
    of rule: JSONRule, _ value: Value,
    _ unless: (Bool, @autoclosure () -> String) ->
      JSONSchemaViolation?
  ) -> JSONSchemaViolation? {
    let number: Double
    switch value {
    case .integer(let integer): number = Double(integer)
    case .number(let own): number = own
    default: return nil
    }
    switch rule {
    case .bound(.minimum, let bound, let text): return unless(number >= bound, "at least \(text)")
    case .bound(.maximum, let bound, let text): return unless(number <= bound, "at most \(text)")
    case .bound(.exclusiveMinimum, let bound, let text):
      return unless(number > bound, "more than \(text)")
    case .bound(.exclusiveMaximum, let bound, let text):
      return unless(number < bound, "less than \(text)")
    case .multiple(let factor):
      let quotient = number / factor
      return unless(
        quotient.isFinite && abs(quotient - quotient.rounded()) < 1e-9 * max(1, abs(quotient)),
        "a multiple of \(Value.number(factor).jsonText())")
    default: return nil
    }
  }

  private func lengthViolation(
    of rule: JSONRule, _ value: Value,
    _ unless: (Bool, @autoclosure () -> String) ->
      JSONSchemaViolation?
  ) -> JSONSchemaViolation? {
    switch (rule, value) {
    case (.length(let measure, let isMinimum, let bound), _):
      guard let length = value.length(in: measure) else { return nil }
      return unless(
        isMinimum ? length >= bound : length <= bound,
        "at \(isMinimum ? "least" : "most") \(measure.text(bound)), not \(length)")
    case (.pattern(let expression, let source), .string(let text)):
      return unless(isFound(expression, source, in: text), "a match of /\(source)/")
    case (.format(let format), .string(let text)):
      return unless(format.matches(text), "text in the format \(format.rawValue)")
    default: return nil
    }
  }

  // MARK: - Lists and maps

  private func listViolation(
    of rule: JSONRule, _ elements: [Value], _ value: Value, at path: String, _ depth: Int
  ) -> JSONSchemaViolation? {
    switch rule {
    case .items(let prefix, let rest):
      for (index, element) in elements.enumerated() {
        guard let schema = index < prefix.count ? prefix[index] : rest else { return nil }
        let place = "\(path)[\(index)]"
        if let violation = violation(of: schema, element, at: place, depth + 1) {
          return violation
        }
      }
      return nil
    case .contains(let schema, let minimum, let maximum):
      let count = elements.count { isValid(schema, $0, depth) }
      guard count < minimum || count > maximum ?? .max else { return nil }
      let bound = count < minimum ? "at least \(minimum)" : "at most \(maximum ?? 0)"
      return JSONSchemaViolation(
        path: path, expected: "\(bound) elements of a schema, not \(count)", actual: value)
    default:
      return repeatedIndex(elements).map { index in
        JSONSchemaViolation(
          path: "\(path)[\(index)]", expected: "an element that is not there yet",
          actual: elements[index])
      }
    }
  }

  /// The first element that stands before as well.
  private func repeatedIndex(_ elements: [Value]) -> Int? {
    var known: [Int: [Int]] = [:]
    for (index, element) in elements.enumerated() {
      effort.steps += 1
      let hash = element.likeness
      for other in known[hash, default: []] {
        effort.steps += 1
        guard effort.steps < Self.stepLimit else {
          effort.givenUp = LongTextError("is not judged: too many elements are to be compared")
          return nil
        }
        if elements[other].isEqual(to: element) { return index }
      }
      known[hash, default: []].append(index)
    }
    return nil
  }

  private func mapViolation(
    of rule: JSONRule, _ members: OrderedDictionary<String, Value>, _ value: Value,
    at path: String, _ depth: Int
  ) -> JSONSchemaViolation? {
    func missing(_ names: [String]) -> JSONSchemaViolation? {
      names.first { members[exact: $0] == nil }.map { name in
        JSONSchemaViolation(
          path: path, expected: "the key \"\(name)\"", actual: value, kind: .missing(name))
      }
    }
    switch rule {
    case .required(let names): return missing(names)
    case .dependentRequired(let names):
      for (key, others) in names.sorted(by: { $0.key < $1.key }) where members[exact: key] != nil {
        if let violation = missing(others) { return violation }
      }
      return nil
    case .dependentSchemas(let schemas):
      for (key, schema) in schemas.sorted(by: { $0.key < $1.key })
      where members[exact: key] != nil {
        if let violation = violation(of: schema, value, at: path, depth + 1) { return violation }
      }
      return nil
    case .propertyNames(let schema):
      for key in members.keys where !isValid(schema, .string(key), depth) {
        return JSONSchemaViolation(
          path: path, expected: "keys as a schema has them, not \"\(key)\"", actual: value)
      }
      return nil
    case .members(let rules): return memberViolation(of: rules, members, at: path, depth)
    default: return nil
    }
  }

  private func memberViolation(
    of rules: JSONMemberRules, _ members: OrderedDictionary<String, Value>, at path: String,
    _ depth: Int
  ) -> JSONSchemaViolation? {
    for (key, member) in members {
      let place = path + PathStep.key(key).text
      let named = rules.named.index(forKey: key).map { rules.named[$0] }
      var schemas = named.flatMap { $0.key.isTwin(of: key) ? nil : [$0.value] } ?? []
      for pattern in rules.patterns where isFound(pattern.expression, pattern.source, in: key) {
        schemas.append(pattern.schema)
      }
      if schemas.isEmpty, let rest = rules.rest { schemas.append(rest) }
      for schema in schemas {
        if let violation = violation(of: schema, member, at: place, depth + 1) { return violation }
      }
    }
    return nil
  }
}

extension Value {
  /// A number that equal values share.
  fileprivate var likeness: Int {
    var hasher = Hasher()
    addLikeness(to: &hasher)
    return hasher.finalize()
  }

  private func addLikeness(to hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let isTrue): hasher.combine(isTrue)
    // Whole numbers are equal however they are written; 0 has two signs.
    case .integer(let integer): hasher.combine(Double(integer))
    case .number(let number): hasher.combine(number)
    case .string(let text): hasher.combine(text)
    case .list(let elements):
      hasher.combine(elements.count)
      for element in elements { element.addLikeness(to: &hasher) }
    case .map(let members):
      hasher.combine(members.count)
      // The order of members says nothing.
      var sum = 0
      for (key, value) in members {
        var own = Hasher()
        own.combine(key)
        value.addLikeness(to: &own)
        sum ^= own.finalize()
      }
      hasher.combine(sum)
    }
  }

  /// Returns whether a value has a type of JSON Schema; 1.0 is an integer.
  fileprivate func hasType(_ type: String) -> Bool {
    switch (self, type) {
    case (.null, "null"), (.bool, "boolean"), (.string, "string"), (.list, "array"),
      (.map, "object"), (.integer, "integer"), (.integer, "number"), (.number, "number"):
      true
    case (.number(let number), "integer"): number.rounded() == number
    default: false
    }
  }

  fileprivate func length(in measure: JSONMeasure) -> Int? {
    switch (self, measure) {
    case (.string(let text), .letters): text.unicodeScalars.count
    case (.list(let elements), .elements): elements.count
    case (.map(let members), .members): members.count
    default: nil
    }
  }
}
