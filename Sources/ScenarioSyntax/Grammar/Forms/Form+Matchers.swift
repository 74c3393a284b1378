internal import Foundations
internal import ScenarioModel

extension MatcherKind {
  /// A bare value.
  fileprivate var operand: SchemaShape {
    switch self {
    case .text, .output: .text
    case .number: .the("number")
    case .duration: .delay
    case .data: .data
    }
  }

  /// A bare value, or conditions.
  fileprivate var matcher: SchemaShape {
    switch self {
    case .text, .output: .textMatcher
    case .number: .numberMatcher
    case .duration: .the("durationMatcher")
    case .data: .the("dataMatcher")
    }
  }

  /// The kind of values within conditions: a snapshot is one of an output or a file as a whole.
  fileprivate var inner: MatcherKind { self == .output ? .text : self }

  /// The shape of the value that is compared with.
  var bound: SchemaShape { self == .duration ? .delay : .the("bound") }
}

extension Form<DataNode> {
  /// A value that another one must equal.
  static func operand(_ kind: MatcherKind) -> Form {
    Form(kind.operand) { $0.decodeOperand($1, kind, $2) }
  }

  /// A number or a duration.
  static func bound(_ kind: MatcherKind) -> Form {
    Form(kind.bound) { $0.decodeBound($1, kind, $2) }
  }
}

extension Form<[DataNode]> {
  /// Values one of which another one must equal.
  static func operands(_ kind: MatcherKind) -> Form {
    Form(.list(of: kind.operand, atLeast: 1)) { $0.decodeOperands($1, kind, $2) }
  }
}

extension Form<Matcher> {
  /// A bare value, or conditions that must all hold.
  static func matcher(_ kind: MatcherKind) -> Form {
    Form(kind.matcher) { $0.decodeMatcher($1, kind.inner, $2) }
  }

  /// The same where it must not hold.
  static func negatedMatcher(_ kind: MatcherKind) -> Form {
    Form(kind.matcher) { decoder, node, subject in
      decoder.negated { $0.decodeMatcher(node, kind.inner, subject) }
    }
  }

  /// Conditions on text, a snapshot among them.
  static var outputMatcher: Form {
    Form(.the("outputMatcher")) { $0.decodeOutputMatcher($1, $2) }
  }
}

extension Form<[Matcher]> {
  /// Returns the form of a list of matchers, one at least.
  static func matchers(_ kind: MatcherKind) -> Form {
    Form(.list(of: kind.matcher, atLeast: 1)) { $0.decodeNonEmptyMatchers($1, kind.inner, $2) }
  }
}

extension Form<Matcher.Condition> {
  /// Returns the form of two bounds, both included.
  static func between(_ kind: MatcherKind) -> Form {
    Form(.pair(of: kind.bound)) { decoder, node, _ in decoder.decodeBetween(node, kind) }
  }
}

extension Form<SchemaSource> {
  /// A JSON Schema, or its file.
  static var schema: Form {
    Form(.either(.anyMap, .truth, .string)) { decoder, node, _ in decoder.decodeSchema(node) }
  }
}

extension Form<XMLCondition> {
  /// Conditions on a text that is read as XML.
  static var xml: Form {
    Form(.the("xmlCondition")) { decoder, node, _ in decoder.decodeXMLCondition(node) }
  }
}

extension Form<JSONCondition> {
  /// Conditions on a text that is read as JSON or YAML.
  static var json: Form {
    Form(.the("jsonCondition")) { decoder, node, _ in decoder.decodeJSONCondition(node) }
  }
}
