internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension DataEvaluator {
  // MARK: - Layers

  /// RFC 7396 without its rule that null takes a key out: `$omit` does.
  mutating func merge(
    _ node: DataNode, over base: DataNode?, at range: SourceRange, in place: EvaluationSite
  ) -> DataOutcome {
    guard let base else {
      diagnostics.report(
        "\"$merge\" has no value to merge with", code: .misusedGenerator, at: range,
        help: "use it in a trait or in \"with\", for a field that is already defined")
      return .failed
    }
    let below = evaluate(base, in: below(place))
    guard case .map(let patch) = node.content else { return .failed }
    if case .failed = below { return .failed }
    guard let whole = below.data, let members = whole.mapMembers else {
      diagnostics.report(
        "\"$merge\" cannot merge with \(below.data?.kindWithArticle ?? "nothing")",
        code: .misusedGenerator, at: range,
        help: "write the whole field")
      return .failed
    }
    return merge(patch, over: members, in: place).map { DataOutcome(.folding($0)) } ?? .failed
  }

  private mutating func merge(
    _ fields: [DataField], over members: OrderedDictionary<String, PlannedData>,
    in place: EvaluationSite
  ) -> OrderedDictionary<String, PlannedData>? {
    var merged = members
    for field in fields {
      let key = field.key.value
      let inner = place.part(.key(key))
      if case .map(let nested) = field.value.content, let below = merged[key]?.mapMembers {
        guard let part = merge(nested, over: below, in: inner) else { return nil }
        merged[key] = .folding(part)
        continue
      }
      explain(inner, at: field.key.range)
      switch evaluate(field.value, in: inner) {
      case .value(let value): merged[key] = .value(value)
      case .planned(let data): merged[key] = data
      case .omitted: merged.removeValue(forKey: key)
      case .failed: return nil
      }
    }
    return merged
  }

  mutating func append(
    _ node: DataNode, to base: DataNode?, at range: SourceRange, in place: EvaluationSite
  ) -> DataOutcome {
    guard let base else {
      diagnostics.report(
        "\"$append\" has no list to append to", code: .misusedGenerator, at: range,
        help: "use it in a trait or in \"with\", for a field that is already defined")
      return .failed
    }
    let below = evaluate(base, in: below(place))
    let end = place.part(.key("$append"))
    let above = evaluate(node, in: end)
    guard let first = below.data, let second = above.data else { return .failed }
    guard let elements = first.listElements, let more = second.listElements else {
      diagnostics.report(
        "\"$append\" cannot append to \(first.kindWithArticle)", code: .misusedGenerator, at: range,
        help: "write the whole field")
      return .failed
    }
    if explanation != nil {
      for index in more.indices {
        let element = place.part(.index(elements.count + index))
        explanation?.forget(element.address)
        explanation?.move(end.part(.index(index)).address, to: element.address)
        guard let layer = place.layer else { continue }
        explanation?.record(element.address, layer.setter, at: range)
      }
    }
    return DataOutcome(.folding(elements + more))
  }

  // MARK: - Who has set what

  /// Reports who has set a field, and parts of it that `with` names by their paths.
  mutating func explain(_ definition: FieldDefinition, _ place: inout EvaluationSite) {
    place.layer = definition.layer
    explanation?.record(place.address, definition.setter, at: definition.range)
    for part in definition.parts {
      let address = part.steps.reduce(place.address) { DataAddress($1, of: $0) }
      explanation?.record(address, .with(part.key.value), at: part.key.range)
    }
  }

  /// Returns the site of the value below; from here on the explanation records that others have set
  /// it.
  private mutating func below(_ place: EvaluationSite) -> EvaluationSite {
    guard explanation != nil, let below = place.layer?.below else { return place }
    explanation?.record(place.address, below.setter, at: below.range)
    var inner = place
    inner.layer = below
    return inner
  }

  /// A part that takes the place of what others have set.
  private mutating func explain(_ place: EvaluationSite, at range: SourceRange) {
    guard explanation != nil, let layer = place.layer else { return }
    explanation?.forget(place.address)
    explanation?.record(place.address, layer.setter, at: range)
  }

  // MARK: - Encoding

  mutating func encode(
    _ node: DataNode, as format: DataFormat, at range: SourceRange, in place: EvaluationSite
  ) -> DataOutcome {
    switch evaluate(node, in: place) {
    case .failed: return .failed
    case .omitted: return .omitted
    case .value(let value):
      return catching(as: .unencodable, at: range) { () throws(PatternError) in
        .string(try value.encoded(as: format))
      }
    case .planned(let data):
      guard format == .json else {
        diagnostics.report(
          "a value that is known only during the run cannot be written as \(format.rawValue)",
          code: .notKnownHere,
          at: range,
          help: "write it as json")
        return .failed
      }
      let call = Expression.call(
        function: Located("json", at: range), arguments: [data.expression])
      return .planned(.text(PlannedText(segments: [.run(RunExpression(call, at: range))])))
    }
  }

  // MARK: - Rules of a factory

  /// Returns whether a value is of the kind that the factory gives its field.
  mutating func check(
    _ outcome: inout DataOutcome, _ kind: FieldType.Kind, _ label: String,
    _ definition: FieldDefinition
  ) -> Bool {
    guard case .value(let value) = outcome, let mistake = kind.mistake(in: value) else {
      return true
    }
    diagnostics.report(
      Diagnostic(
        "\"\(label)\" cannot be \(value.excerpt()): \(mistake)", code: .wrongFieldType,
        at: definition.node.range,
        help: "write such a value, or change \"types\""))
    return false
  }

  mutating func check(
    _ value: Value, against reference: SchemaReference, _ frame: ObjectFrame
  ) -> Bool {
    guard let schema = schema(reference) else { return false }
    guard let violation = schema.firstViolation(in: value) else { return true }
    var place = reference.range
    // The field at the violation's beginning is the nearest place that an author can mend.
    let path = violation.path.dropFirst(2).prefix { $0 != "." && $0 != "[" }
    if let slot = frame.plan.index[String(path)] { place = frame.plan.definitions[slot].range }
    diagnostics.report(
      Diagnostic(
        "an object of \"\(frame.plan.factory)\" is not valid at \(violation.path): "
          + "\(violation.expected), not \(violation.actual.excerpt())",
        code: .brokenSchema, at: place, help: "see the factory's schema",
        notes: [.init("the schema is here", at: reference.range)]))
    return false
  }

  /// Applies what is set and asserted when all fields are known.
  mutating func apply(
    _ rules: [AfterRule], to members: inout OrderedDictionary<String, Value>,
    _ planned: OrderedDictionary<String, PlannedData>, _ frame: ObjectFrame
  ) -> Bool {
    for rule in rules {
      switch rule {
      case .set(let fields):
        for field in fields where !set(field, in: &members, planned, frame) { return false }
      case .assert(let node):
        guard assert(node, frame) else { return false }
      }
    }
    return true
  }

  private mutating func set(
    _ field: DataField, in members: inout OrderedDictionary<String, Value>,
    _ planned: OrderedDictionary<String, PlannedData>, _ frame: ObjectFrame
  ) -> Bool {
    var steps = [PathStep.key(field.key.value)]
    if members[field.key.value] == nil, field.key.value.isPathIntoField {
      guard let path = afterPath(field.key, in: members) else { return false }
      steps = path
    }
    guard case .key(let name)? = steps.first else { return false }
    let rest = steps.dropFirst()
    if frame.plan.arguments.contains(where: { frame.plan.names[$0] == name }) {
      diagnostics.report(
        "\"\(name)\" is an argument of \"construct\" and cannot be changed later",
        code: .badConstruct, at: field.key.range,
        help: "remove it from \"args\", or set it in \"fields\"")
      return false
    }
    var place = frame.place
    place.frame = frame
    place.address = steps.reduce(frame.place.address) { DataAddress($1, of: $0) }
    place.owner = "\(frame.plan.factory).\(name)"
    explanation?.record(place.address, .after, at: field.key.range)
    switch evaluate(field.value, in: place) {
    case .value(let new):
      let value = rest.isEmpty ? new : members[name]?.changed(at: rest, .replaced(new)) ?? new
      members[name] = value
      if let slot = frame.plan.index[name] { frame.slots[slot] = .done(.value(value)) }
      return true
    case .omitted:
      members[name] = rest.isEmpty ? nil : members[name]?.changed(at: rest, .removed)
      return true
    case .planned:
      diagnostics.report(
        "\"after\" cannot set a value that is known only during the run", code: .notKnownHere,
        at: field.value.range,
        help: "set it in \"fields\"")
      return false
    case .failed: return false
    }
  }

  /// The steps of a path into a field that is already there.
  private mutating func afterPath(
    _ key: Located<String>, in members: OrderedDictionary<String, Value>
  ) -> [PathStep]? {
    let path = diagnostics.catching(as: .badPath, at: key.range) { () throws(PatternError) in
      try JSONPath(relative: key.value)
    }
    guard let steps = path?.steps else { return nil }
    guard Value.map(members).part(at: steps) != nil else {
      let known = Value.map(members).places().dropFirst().map { JSONPath.relativeText($0.path) }
      diagnostics.report(
        "the path \"\(key.value)\" does not exist", code: .badPath, at: key.range,
        help: Suggestion.help(for: key.value, in: Array(known.prefix(20)), label: "its paths"))
      return nil
    }
    return steps
  }

  /// The value that data has which waits for nothing but the clock, when the scenario begins.
  func atBeginning(_ outcome: DataOutcome) -> DataOutcome {
    guard case .planned(let data) = outcome, let clock = context.clock, data.asksClock,
      let value = try? data.resolve(in: ClockScope(ClockAlone(), at: clock))
    else { return outcome }
    return .value(value)
  }

  private mutating func assert(_ node: DataNode, _ frame: ObjectFrame) -> Bool {
    var place = frame.place
    place.frame = frame
    switch atBeginning(evaluate(node, in: place)) {
    case .value(.bool(true)): return true
    case .value(.bool(false)):
      let text = node.expressionText.map { "\"\($0)\"" } ?? "the assertion"
      diagnostics.report(
        "an object of \"\(frame.plan.factory)\" fails its assertion: \(text) is false",
        code: .failedAssertion, at: node.range,
        help: "correct the fields that it uses, or the assertion")
      return false
    case .failed: return false
    case .value(let value):
      diagnostics.report(
        "\"assert\" must be true or false, not \(value.excerpt())", code: .failedAssertion,
        at: node.range,
        help: "write a comparison, as in ${{ total > 0 }}")
      return false
    case .planned, .omitted:
      diagnostics.report(
        "\"assert\" cannot use a value that is known only during the run", code: .notKnownHere,
        at: node.range,
        help: "use fields that are known before the run")
      return false
    }
  }
}

extension PlannedData {
  /// The members of a map.
  var mapMembers: OrderedDictionary<String, PlannedData>? {
    switch self {
    case .map(let members): members
    case .value(.map(let members)): members.mapValues(PlannedData.value)
    default: nil
    }
  }

  /// The elements of a list.
  var listElements: [PlannedData]? {
    switch self {
    case .list(let elements): elements
    case .value(.list(let elements)): elements.map(PlannedData.value)
    default: nil
    }
  }
}

extension DataNode {
  /// The expression that the node is, as text.
  fileprivate var expressionText: String? {
    guard case .template(let template) = content, template.segments.count == 1,
      case .expression(let expression) = template.segments[0]
    else { return nil }
    return expression.text
  }
}

extension FieldType.Kind {
  /// Returns the reason why a value cannot be of the kind; `nil` if it can.
  ///
  /// Null is no value and always allowed.
  func mistake(in value: Value) -> String? {
    switch (self, value) {
    case (_, .null): return nil
    case (.bool, .bool), (.string, .string): return nil
    case (.bool, _): return "the field is a bool"
    case (.string, _): return "the field is a string"
    case (.f64, .integer), (.f64, .number): return nil
    case (.f32, .integer), (.f32, .number):
      guard let number = value.double, Float(number).isFinite else {
        return "the field is f32, whose largest value is \(Float.greatestFiniteMagnitude)"
      }
      return nil
    case (.f32, _), (.f64, _): return "the field is \(rawValue), a number"
    case (_, .integer(let integer)):
      guard let bounds, !bounds.contains(integer) else { return nil }
      return "the field is \(rawValue), which is from \(bounds.lowerBound) "
        + "to \(bounds.upperBound)"
    default: return "the field is \(rawValue), a whole number"
    }
  }

  /// The numbers of a whole kind, as far as numbers of the language reach.
  private var bounds: ClosedRange<Int64>? {
    switch self {
    case .i8: -128...127
    case .i16: -32_768...32_767
    case .i32: -2_147_483_648...2_147_483_647
    case .u8: 0...255
    case .u16: 0...65_535
    case .u32: 0...4_294_967_295
    case .u64: 0...Int64.max
    case .i64, .f32, .f64, .bool, .string: nil
    }
  }
}
