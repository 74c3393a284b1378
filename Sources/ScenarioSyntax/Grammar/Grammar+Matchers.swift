internal import Foundations
internal import ScenarioModel

internal import OrderedCollections

extension LanguageDescription {
  /// The pattern of a part that every XPath expression has, and no other key of its map.
  static let xpath = "[/(@*.]|::"
  /// The pattern of a path's beginning into JSON.
  static let jsonPath = #"^\$($|[.\[])"#

  /// The definitions of matchers.
  static let matcherDefinitions: [LanguageDefinition] = [
    .shape(
      "textMatcher", "Text that must be equal, or conditions.",
      .map(.the("textConditions"), or: .text)),
    .shape(
      "numberMatcher", "A number that must be equal, or conditions.",
      .map(.the("numberConditions"), or: .the("number"))),
    .shape(
      "durationMatcher", "A duration that must be equal, or conditions.",
      .map(.the("durationConditions"), or: .delay)),
    .shape(
      "dataMatcher",
      """
      Data that must be equal, or conditions. Write { equals: … } around a literal map \
      with a single key.
      """,
      .map(
        .map(by: [(Grammar.dataConditions.keys, .the("dataConditions"))], else: .document),
        or: .data)),
    .shape(
      "outputMatcher", "Text that must be equal, or conditions, including a snapshot.",
      .map(.the("outputConditions"), or: .text)),
    .shape(
      "snapshotName", "The name of a snapshot, or true.",
      .either(.constant(.bool(true)), .pattern("^[A-Za-z0-9_-][A-Za-z0-9._-]*$"))),
    Grammar.textConditions.definition,
    Grammar.outputConditions.definition,
    Grammar.numberConditions.definition,
    Grammar.durationConditions.definition,
    Grammar.dataConditions.definition,
    .shape(
      "jsonCondition", "Paths and their conditions, { contains: … }, or the whole document.",
      .map(
        .map(
          ofKeys: [
            "propertyNames": SchemaShape.pattern(jsonPath).schema, "minProperties": .integer(1),
          ],
          .map(keys: jsonPath, of: .the("dataMatcher")), else: .jsonOperatorOrData),
        or: .data)),
    Grammar.jsonOperator.definition,
    .shape(
      "xmlCondition",
      """
      XPath expressions and their conditions, or the whole document: as text, or as { equals: … }. A name without a \
      prefix means every namespace; `namespaces` says what prefixes stand for, and others are compared as written.
      """,
      .map(
        .map(by: [(Grammar.xmlDocument.keys, .the("xmlDocument"))], else: .xmlPaths), or: .text)),
    Grammar.xmlDocument.definition,
  ]
}

extension Grammar {
  static let textConditions = conditions(.text, "Conditions on text; all must hold.")
  static let outputConditions = conditions(
    .output, "Conditions on the text of an output or a file; all must hold.")
  static let numberConditions = conditions(.number, "Conditions on a number; all must hold.")
  static let durationConditions = conditions(
    .duration, "Conditions on a length of time; all must hold.")
  static let dataConditions = conditions(.data, "Conditions on data; all must hold.")

  /// The conditions that there are on one kind of value.
  private static func conditions(
    _ kind: MatcherKind, _ summary: String
  ) -> MapGrammar<Matcher.Condition?> {
    let tolerance = kind.keys.contains(.within) ? [KeyRule.needs("within", "equals")] : []
    return MapGrammar("\(kind)Conditions", summary, rules: [.atLeastOneKey] + tolerance) {
      kind.keys.map { condition($0, on: kind) }
    }
  }

  /// A condition as it is written about one kind of value.
  private static func condition(
    _ key: ConditionKey, on kind: MatcherKind
  ) -> Field<Matcher.Condition?> {
    let name = key.rawValue
    switch key {
    case .equals:
      return Field(
        name, .operand(kind),
        kind == .duration ? "Equal." : "Equal; for text, ignoring one final newline."
      ) { $0 = .equals($1) }
    case .within:
      return Field(name, kind.bound, "With `equals`: the allowed difference.")
    case .isIn:
      return Field(name, .operands(kind), "One of these values.") { $0 = .oneOf($1) }
        .formerly("one_of")
    case .contains:
      return Field(
        name, kind == .data ? .data : .oneOrMore(.text),
        """
        Text: contains one substring, or several. A list: contains an element, or several. \
        A map: contains a subset.
        """,
        \.self
      ) { $0.decodeContains($1, kind) }
    case .startsWith:
      return Field(name, .operand(.text), "The text's beginning.") { $0 = .startsWith($1) }
    case .endsWith:
      return Field(name, .operand(.text), "The text's end, ignoring one final newline.") {
        $0 = .endsWith($1)
      }
    case .matches:
      return Field(name, .text, "A regular expression that matches somewhere in the text.", \.self)
      {
        $0.decodePattern($1, kind)
      }
    case .exists:
      return Field(name, .truth, "Whether the value exists; null counts as existing.") {
        $0 = .exists($1.value)
      }
    case .absent:
      return Field(name, .truth, "Whether the value is absent.") { $0 = .exists(!$1.value) }
    case .type:
      return Field(
        name, .words(of: DataType.self),
        "The JSON type of the value, or a list of allowed types."
      ) { $0 = .type($1) }
    case .length:
      return Field(
        name, .matcher(.number),
        "The length: characters of a text, elements of a list, members of a map."
      ) { $0 = .length($1) }
    case .empty:
      return Field(
        name, .truth, "Whether the value is absent, null, or an empty text, list or map."
      ) { $0 = .empty($1.value) }
    case .each:
      return Field(name, .matcher(kind), "A condition that every element of a list must meet.") {
        $0 = .each($1)
      }
    case .any:
      return Field(
        name, .matcher(kind), "A condition that at least one element of a list must meet."
      ) {
        $0 = .any($1)
      }
    case .atLeast, .atMost, .greaterThan, .lessThan, .between: return order(key, on: kind)
    case .schema:
      return Field(name, .schema, "A JSON Schema (draft 2020-12), or the path of its file.") {
        $0 = .schema($1)
      }
    case .lines:
      return Field(
        name, .list(of: .textMatcher), "The text's lines, with a condition for each.", \.self
      ) {
        $0.decodeMatchers($1, .text, "lines").map { .lines($0) }
      }
    case .lineCount:
      return Field(name, .matcher(.number), "The number of lines.") { $0 = .lineCount($1) }
    case .json: return Field(name, .json, "The text, parsed as JSON.") { $0 = .json($1) }
    case .yaml:
      return Field(
        name, .json,
        "The text, parsed as YAML. Several documents become a list, without the empty ones."
      ) { $0 = .yaml($1) }
    case .xml: return Field(name, .xml, "The text, parsed as XML.") { $0 = .xml($1) }
    case .snapshot:
      return Field(
        name, .the("snapshotName"),
        """
        The content of `__snapshots__/FILE/NAME.snap` beside the scenario file; true \
        derives the name.
        """,
        \.self
      ) { $0.decodeSnapshot($1) }
    case .not:
      return Field(name, .negatedMatcher(kind), "The condition must not hold.") { $0 = .not($1) }
    case .allOf:
      return Field(name, .matchers(kind), "All of these conditions hold.") { $0 = .allOf($1) }
    case .anyOf:
      return Field(name, .matchers(kind), "At least one of these conditions holds.") {
        $0 = .anyOf($1)
      }
    }
  }

  /// A condition on how much something is.
  private static func order(
    _ key: ConditionKey, on kind: MatcherKind
  ) -> Field<Matcher.Condition?> {
    let (bound, bounds) =
      kind == .duration
      ? ("a duration", "two durations") : ("a number or duration", "two bounds")
    let name = key.rawValue
    return switch key {
    case .atLeast: Field(name, .bound(kind), "At least \(bound).") { $0 = .atLeast($1) }
    case .atMost: Field(name, .bound(kind), "At most \(bound).") { $0 = .atMost($1) }
    case .greaterThan:
      Field(name, .bound(kind), "Greater than \(bound).") { $0 = .greaterThan($1) }
    case .lessThan: Field(name, .bound(kind), "Less than \(bound).") { $0 = .lessThan($1) }
    default: Field(name, .between(kind), "Between \(bounds), inclusive.", \.self)
    }
  }

  static let jsonOperator = MapGrammar<Void>(
    "jsonOperator", "How JSON is compared.", rules: [.exactlyOneKey]
  ) {
    Field("equals", .data, "Equal.")
    Field("contains", .data, "A subset.")
    Field(
      "schema", .either(.anyMap, .truth, .string),
      "A JSON Schema (draft 2020-12), or the path of its file."
    )
  }
}

extension Grammar {
  static let xmlDocument = MapGrammar<Void>("xmlDocument", "A whole document of XML.") {
    Field(
      "equals", .text,
      """
      The same elements in the same order with the same attributes and texts. The order of attributes, comments, \
      prefixes of namespaces, CDATA sections and white space around texts do not matter.
      """, isRequired: true)
  }
}

extension SchemaShape {
  /// XPath expressions and conditions on what they find.
  static var xmlPaths: SchemaShape {
    let namespaces = map(of: .string, atLeast: 1).and([
      "description": .string("The namespaces that prefixes in the expressions stand for.")
    ])
    return SchemaShape([
      "type": .string("object"), "properties": .map(["namespaces": namespaces.schema]),
      "patternProperties": .map([LanguageDescription.xpath: the("dataMatcher").schema]),
      "additionalProperties": .bool(false), "minProperties": .integer(1),
    ])
  }

  /// `{ contains: … }` and its like, or a document.
  static var jsonOperatorOrData: SchemaShape {
    .map(
      ofKeys: [
        "propertyNames": words(Grammar.jsonOperator.keys).schema, "minProperties": .integer(1),
        "maxProperties": .integer(1),
      ], .the("jsonOperator"), else: .data)
  }
}
