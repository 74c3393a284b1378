internal import Foundations
internal import OrderedCollections
internal import Patterns

extension ExpressionFunction {
  static let texts: [ExpressionFunction] = [
    ExpressionFunction(
      "lower", .texts, [.value("text", .text)], gives: .text, "The text in lower case.",
      example: Example("lower('ÄB')", #""äb""#),
      mistake: Example("lower(3)", "lower() cannot take a number")
    ) { .string($0.text(0).lowercased()) },
    ExpressionFunction(
      "upper", .texts, [.value("text", .text)], gives: .text, "The text in upper case.",
      example: Example("upper('ada')", #""ADA""#),
      mistake: Example("upper('a', 'b')", "upper() takes one argument, not 2")
    ) { .string($0.text(0).uppercased()) },
    ExpressionFunction(
      "trim", .texts, [.value("text", .text)], gives: .text,
      "The text without white space at its ends.", example: Example("trim('  a b ')", #""a b""#),
      mistake: Example("trim(null)", "trim() cannot take null")
    ) { .string(trimmed($0.text(0))) },
    ExpressionFunction(
      "replace", .texts, [.value("text", .text), .value("old", .text), .value("new", .text)],
      gives: .text, "The text with every `old` in it replaced by `new`.",
      example: Example("replace('a-b-c', '-', '+')", #""a+b+c""#),
      mistake: Example("replace('a', '', 'b')", "replace() cannot look for an empty text")
    ) { (arguments) throws(PatternError) in try replaced(arguments) },
    ExpressionFunction(
      "split", .texts, [.value("text", .text), .value("separator", .text)], gives: .list,
      "The parts of the text between separators; its letters where the separator is empty.",
      example: Example("split('a,b,', ',')", #"["a","b",""]"#),
      mistake: Example("split('a')", "split() takes 2 arguments, not 1")
    ) { arguments in
      let (text, separator) = (arguments.text(0), arguments.text(1))
      guard !separator.isEmpty else { return .list(text.map { .string(String($0)) }) }
      return .list(
        text.split(separator: separator, omittingEmptySubsequences: false).map {
          .string(String($0))
        })
    },
    ExpressionFunction(
      "join", .texts, [.value("list", .list), .value("separator", .text)], gives: .text,
      "The texts, numbers and bools of a list in one text, with the separator between them.",
      example: Example("join(['a', 1, true], '/')", #""a/1/true""#),
      mistake: Example(
        "join([null], ',')", "join() cannot take the list: its element 0 is null")
    ) { (arguments) throws(PatternError) in try joined(arguments) },
    ExpressionFunction(
      "pad", .texts,
      [
        .value("x", [.text, .integer]), .value("width", .integer),
        .value("fill", .text, isOptional: true),
      ], gives: .text,
      "A text or whole number, filled up in front to a width; behind where the width is negative.",
      example: Example("pad(7, 3, '0')", #""007""#),
      mistake: Example("pad(7, 3, '00')", "pad() fills with one character, not \"00\"")
    ) { (arguments) throws(PatternError) in .string(try padded(arguments)) },
    ExpressionFunction(
      "len", .texts, [.value("x", [.text, .list, .map])], gives: .integer,
      "How many letters a text has, elements a list, keys a map.",
      example: Example("len('äb')", "2"), mistake: Example("len(3)", "len() cannot take a number")
    ) { arguments in
      switch arguments[0] {
      case .list(let elements): .integer(Int64(elements.count))
      case .map(let members): .integer(Int64(members.count))
      default: .integer(Int64(arguments.text(0).count))
      }
    },
    ExpressionFunction(
      "substr", .texts,
      [
        .value("text", .text), .value("start", .integer),
        .value("length", .integer, isOptional: true),
      ], gives: .text,
      "The letters from a place on, counted from 0, or from the end where it is negative.",
      example: Example("substr('scenario', -3)", #""rio""#),
      mistake: Example("substr('abc', 5, 1)", "substr() cannot begin at 5 in a text of 3 letters")
    ) { (arguments) throws(PatternError) in .string(try part(arguments)) },
    ExpressionFunction(
      "starts_with", .texts, [.value("text", .text), .value("start", .text)], gives: .bool,
      "Whether a text begins with another.",
      example: Example("starts_with('scenario', 'sc')", "true"),
      mistake: Example("starts_with('a')", "starts_with() takes 2 arguments, not 1")
    ) { .bool($0.text(0).hasPrefix($0.text(1))) },
    ExpressionFunction(
      "ends_with", .texts, [.value("text", .text), .value("end", .text)], gives: .bool,
      "Whether a text ends with another.", example: Example("ends_with('a.csv', '.csv')", "true"),
      mistake: Example("ends_with('a', 1)", "ends_with() cannot take a number")
    ) { .bool($0.text(0).hasSuffix($0.text(1))) },
    ExpressionFunction(
      "format", .texts, [.value("text", .text)], more: .inText, gives: .text,
      "The text with `{0}`, `{1}` … replaced by what follows, all of which must be used; a brace twice is one.",
      example: Example("format('{0} of {1}', 2, 'three')", #""2 of three""#),
      mistake: Example("format('%d', 7)", "format() has no place for 7")
    ) { (arguments) throws(PatternError) in .string(try filled(arguments)) },
    ExpressionFunction(
      "string", .texts, [.value("x", .inText)], gives: .text,
      "A number or bool as text; text as it is.", example: Example("string(1.5)", #""1.5""#),
      mistake: Example("string([1])", "string() cannot take a list")
    ) { .string($0[0].textForm ?? "") },
  ]

  private static func trimmed(_ text: String) -> String {
    let start = text.firstIndex { !$0.isWhitespace } ?? text.endIndex
    let end = text.lastIndex { !$0.isWhitespace }.map(text.index(after:)) ?? text.endIndex
    return start < end ? String(text[start..<end]) : ""
  }

  private static func replaced(_ arguments: FunctionArguments) throws(PatternError) -> Value {
    let (text, old, new) = (arguments.text(0), arguments.text(1), arguments.text(2))
    guard !old.isEmpty else { throw arguments.error("cannot look for an empty text") }
    let count = text.ranges(of: old).count
    let more = (new.utf8.count - old.utf8.count).multipliedReportingOverflow(by: count)
    try ExpressionText.check(
      more.overflow ? .max : text.utf8.count + more.partialValue, arguments.caller)
    return .string(text.replacing(old, with: new))
  }

  private static func joined(_ arguments: FunctionArguments) throws(PatternError) -> Value {
    let separator = arguments.text(1)
    var texts: [String] = []
    for (index, element) in arguments.list(0).enumerated() {
      guard let text = element.textForm else {
        throw arguments.badElement(element, at: index, help: "join texts, numbers and bools")
      }
      texts.append(text)
    }
    let between = separator.utf8.count.multipliedReportingOverflow(by: max(0, texts.count - 1))
    try ExpressionText.check(
      [between.overflow ? .max : between.partialValue] + texts.map(\.utf8.count), arguments.caller)
    return .string(texts.joined(separator: separator))
  }

  private static func padded(_ arguments: FunctionArguments) throws(PatternError) -> String {
    let text = arguments[0].textForm ?? ""
    let width = arguments.integer(1) ?? 0
    let fill = arguments.text(2, default: " ")
    guard fill.count == 1 else {
      throw arguments.error("fills with one character, not \"\(fill)\"")
    }
    // One character may be of several bytes.
    guard width.magnitude <= UInt64(ExpressionText.limit) else {
      throw ExpressionText.tooLong(arguments.caller)
    }
    let missing = max(0, Int(width.magnitude) - text.count)
    let filled = missing.multipliedReportingOverflow(by: fill.utf8.count)
    try ExpressionText.check(
      [text.utf8.count, filled.overflow ? .max : filled.partialValue], arguments.caller)
    let filling = String(repeating: fill, count: missing)
    return width < 0 ? text + filling : filling + text
  }

  private static func part(_ arguments: FunctionArguments) throws(PatternError) -> String {
    let text = arguments.text(0)
    let start = arguments.integer(1) ?? 0
    let count = Int64(text.count)
    let first = start < 0 ? count &+ start : start
    guard (0...count).contains(first) else {
      throw arguments.error(
        "cannot begin at \(start) in a text of \(count) letter\(count == 1 ? "" : "s")",
        help: "places go from 0 to \(count), and from -1 back to -\(count)")
    }
    let length = arguments.integer(2) ?? count - first
    guard length >= 0 else { throw arguments.error("cannot take \(length) letters") }
    return String(text.dropFirst(Int(first)).prefix(Int(min(length, count))))
  }

  private static func filled(_ arguments: FunctionArguments) throws(PatternError) -> String {
    let text = arguments.text(0)
    let values = arguments.values(from: 1)
    var used: Set<Int> = []
    var result = ""
    var rest = Substring(text)
    while let letter = rest.popFirst() {
      if letter == "{" || letter == "}", rest.first == letter {
        rest.removeFirst()
        result.append(letter)
        continue
      }
      guard letter == "{" else {
        result.append(letter)
        continue
      }
      guard let end = rest.firstIndex(of: "}"), let index = Int(rest[..<end]), index >= 0 else {
        throw arguments.error(
          "cannot read \"\(text)\"",
          help: "write places as {0} and {1}, and a brace twice for itself")
      }
      guard values.indices.contains(index) else {
        throw arguments.error("has no value for \"{\(index)}\"", help: "places count from {0}")
      }
      used.insert(index)
      let value = values[index].textForm ?? ""
      try ExpressionText.check([result.utf8.count, value.utf8.count], arguments.caller)
      result += value
      rest = rest[rest.index(after: end)...]
    }
    if let unused = values.indices.first(where: { !used.contains($0) }) {
      throw arguments.error(
        "has no place for \(values[unused].excerpt(limit: 40))",
        help: "write {\(unused)} where it belongs; % means nothing here, and pad(x, width) fills up"
      )
    }
    return result
  }
}
