/// Translates libyaml's messages into plain words.
struct YAMLSyntaxProblem {
  private let failure: YAMLStreamFailure
  private let source: SourceText
  private let range: SourceRange
  /// The source line at `range`; empty if it is too long to have been written by hand.
  private let line: String
  /// Longer lines, which a program has written, are not searched for what their author may have meant.
  private static let lineLimit = 1 << 16

  init(failure: YAMLStreamFailure, source: SourceText) {
    self.failure = failure
    self.source = source
    if let offset = failure.offset {
      let place = TextPosition(of: offset, in: source.bytes)
      range = SourceRange(file: source.path, line: place.line, column: place.column)
    } else {
      range = Self.range(failure.mark ?? YAMLMark(line: 0, column: 0), source)
    }
    line = Self.line(range.line, of: source) ?? ""
  }

  private static func line(_ number: Int, of source: SourceText) -> String? {
    guard let bytes = source.lineBytes(number), bytes.count <= lineLimit else { return nil }
    return source.line(number)
  }

  var diagnostic: Diagnostic {
    if let conflict { return conflict }
    if let tab { return tab }
    if let longKey { return longKey }
    if let expression { return expression }
    return known ?? unknown
  }

  // MARK: - Mistakes that show in several ways

  /// The marks of an unresolved merge conflict; within a text they are letters like any others, and
  /// do no harm.
  private var conflict: Diagnostic? {
    let mark = Array("<<<<<<< ".utf8)
    for number in 1...source.lineCount {
      guard let bytes = source.lineBytes(number), source.bytes[bytes].starts(with: mark) else {
        continue
      }
      return Diagnostic(
        "a merge conflict begins here", code: .badSyntax,
        at: SourceRange(file: source.path, line: number, column: 1, length: mark.count - 1),
        help: "keep one of the two sides, and take out the lines with \"<<<<<<<\", \"=======\" and"
          + " \">>>>>>>\"")
    }
    return nil
  }

  /// A tab in the indentation, which libyaml reports under several names, sometimes a line late.
  private var tab: Diagnostic? {
    let numbers = [range.line, range.line - 1]
    for number in numbers {
      guard let text = Self.line(number, of: source) else { continue }
      let indentation = text.unicodeScalars.prefix { $0 == " " || $0 == "\t" }
      guard let index = indentation.firstIndex(of: "\t") else { continue }
      guard number == range.line || failure.problem.contains("expected") else { continue }
      let column = text.unicodeScalars.distance(from: text.startIndex, to: index) + 1
      return Diagnostic(
        "a tab cannot indent a line",
        code: .badIndentation, at: SourceRange(file: source.path, line: number, column: column),
        help: "indent with spaces")
    }
    return nil
  }

  /// `{ name: ${{ user }} }`: braces end a plain text inside a flow list or map.
  private var expression: Diagnostic? {
    // libyaml takes the "$" for a text, and stumbles over the brace behind it.
    let start = range.column - 2
    guard failure.context.contains("flow") || failure.problem.contains("flow"), start > 0,
      line.unicodeScalars.dropFirst(start).starts(with: "${{".unicodeScalars)
    else { return nil }
    return Diagnostic(
      "an expression inside {…} or […] must be in quotes",
      code: .needsQuotes,
      at: SourceRange(file: source.path, line: range.line, column: start + 1, length: 3),
      help: "write \"${{ … }}\" with the quotes",
      fix: QuotingFix.fix(expressionAt: start, of: line, in: range))
  }

  /// libyaml knows keys of up to 1,024 letters, and says of longer ones that a colon or comma is missing.
  private var longKey: Diagnostic? {
    guard range.column > Self.keyLimit,
      failure.problem.hasPrefix("mapping values")
        || failure.problem.hasPrefix("did not find expected ','")
        || failure.problem.hasPrefix("could not find expected ':'")
    else { return nil }
    var end = range.column - 1
    var start = 0
    var index = 0
    for offset in source.lineBytes(range.line) ?? 0..<0 where source.bytes[offset] & 0xC0 != 0x80 {
      guard index < end else { break }
      index += 1
      if [0x20, 0x7B, 0x5B, 0x2C].contains(source.bytes[offset]) { start = index }
    }
    end = min(end, index)
    guard end - start > Self.keyLimit else { return nil }
    return Diagnostic(
      "a key has more than \(Self.keyLimit) characters", code: .tooLarge,
      at: SourceRange(
        file: source.path, line: range.line, column: start + 1, length: end - start),
      help: "shorten the key; a file that is JSON as a whole may have longer ones")
  }

  private static let keyLimit = 1024

  /// Text behind a closing quote, as in `name: "a" b`.
  private var behindQuote: Diagnostic? {
    let before = line.unicodeScalars.prefix(max(0, range.column - 1))
    let written = before.reversed().drop { $0 == " " }
    guard range.column > 1, let last = written.first, last == "\"" || last == "'",
      written.dropFirst().contains(last)
    else { return nil }
    return message(
      "text stands behind the closing quote", code: .badSyntax,
      help: "put all of the text into quotes, or none of it")
  }

  /// `key: value` deeper than the `key: value` above it, which libyaml takes for one long text.
  private var indentation: Diagnostic? {
    func parts(_ line: String) -> (indentation: Int, key: String, hasValue: Bool)? {
      let text = line.drop { $0 == " " }
      guard let colon = text.firstIndex(of: ":"), !text.hasPrefix("-") else { return nil }
      let key = text[..<colon]
      guard !key.isEmpty, key.allSatisfy({ $0.isLetter || $0.isNumber || "_-.$".contains($0) })
      else { return nil }
      let value = text[text.index(after: colon)...]
      guard value.isEmpty || value.hasPrefix(" ") else { return nil }
      return (line.count - text.count, String(key), value.contains { $0 != " " })
    }
    guard range.line > 1, let own = parts(line), let above = Self.line(range.line - 1, of: source),
      let other = parts(above), other.hasValue, own.indentation > other.indentation,
      range.column == own.indentation + own.key.unicodeScalars.count + 1
    else { return nil }
    return Diagnostic(
      "\"\(own.key)\" is indented deeper than \"\(other.key)\" above it, which has a value already",
      code: .badIndentation,
      at: SourceRange(
        file: source.path, line: range.line, column: own.indentation + 1,
        length: own.key.unicodeScalars.count),
      help: "line up the keys of a map in one column",
      fix: DiagnosticFix(
        replacing: SourceRange(
          file: source.path, line: range.line, column: 1, length: own.indentation),
        with: String(repeating: " ", count: other.indentation)))
  }

  // MARK: - By libyaml's words

  private var known: Diagnostic? {
    switch failure.problem {
    case "found character that cannot start any token": return strayCharacter
    case "mapping values are not allowed in this context":
      if let indentation { return indentation }
      return message(
        "a \":\" stands where no key can be", code: .needsQuotes,
        help: "put text that holds \": \" into quotes, or begin the key on a line of its own",
        fix: QuotingFix.fix(valueBefore: range.column - 1, of: line, in: range))
    case "block sequence entries are not allowed in this context":
      return message(
        "a list entry stands where none can be", code: .badSyntax,
        help: "begin the list on a line of its own")
    case "mapping keys are not allowed in this context":
      return message(
        "a \"?\" stands where no key can be", code: .needsQuotes,
        help: "put text that begins with \"?\" into quotes")
    case "did not find expected key":
      if let behindQuote { return behindQuote }
      return message(
        "this line fits no key or list above it", code: .badIndentation,
        help: "line up the keys of a map in one column",
        context: "the map begins here")
    case "did not find expected '-' indicator":
      return message(
        "a list entry is missing its \"-\"", code: .badIndentation,
        help: "line up the entries of a list in one column",
        context: "the list begins here")
    case "did not find expected ',' or ']'":
      return message(
        "a list in brackets is missing \",\" or \"]\"", code: .unclosed,
        help: "close the list with \"]\"; text with commas, brackets or braces must be in quotes",
        context: "the list begins here")
    case "did not find expected ',' or '}'":
      return message(
        "a map in braces is missing \",\" or \"}\"", code: .unclosed,
        help: "close the map with \"}\"; text with commas, brackets or braces must be in quotes",
        context: "the map begins here")
    case "could not find expected ':'":
      return message(
        "a key is missing its \":\"", code: .badSyntax,
        help: "write \"key: value\"; a key is at most 1024 characters long and on one line",
        context: "the key begins here")
    case "found unexpected end of stream", "found unexpected document indicator":
      return unclosedQuote
    case "found unknown escape character":
      return message(
        "unknown escape in a text in double quotes", code: .badEscape,
        help: "write the backslash twice, or use single quotes, where it is a letter like any other"
      )
    case "did not find expected hexdecimal number":
      return message(
        "an escape in a text in double quotes lacks its digits", code: .badEscape,
        help:
          "write a backslash that is meant as one twice, as in \"C:\\\\Users\", or use single quotes: 'C:\\Users'"
      )
    case "found invalid Unicode character escape code":
      return message(
        "an escape names no Unicode character", code: .badEscape,
        help: "write the character itself, or \"\\U\" and eight digits, as in \"\\U0001F600\"")
    case "control characters are not allowed":
      return message(
        "a control character cannot stand in a file", code: .badCharacter,
        help: "write it as an escape in double quotes, such as \"\\e\" or \"\\0\"")
    case "did not find expected node content":
      // At the text's end it is not the value that is missing.
      if isAtEnd {
        return message(
          "the file ends within a list in brackets or a map in braces", code: .unclosed,
          help: "close it with \"]\" or \"}\"")
      }
      return message(
        "a value is missing here", code: .badSyntax,
        help: "text that begins with a special character needs quotes")
    case "did not find expected <document start>":
      return message(
        "text stands where the file should have ended", code: .badIndentation,
        help: "indent it, or give it a key")
    case "found incompatible YAML document":
      return message(
        "this version of YAML is not known", code: .badDocument,
        help: "remove the line, or write \"%YAML 1.2\"")
    case "found duplicate %YAML directive",
      "found duplicate %TAG directive", "found unknown directive name":
      return message(
        "a directive that cannot be followed", code: .badDocument,
        help: "remove the line with \"%\"")
    case "did not find expected alphabetic or numeric character":
      return message(
        "the name of an anchor or alias cannot hold this sign", code: .badAlias,
        help:
          "write letters, digits, \"_\" and \"-\", and a blank behind the name; text that begins"
          + " with \"&\" or \"*\" must be in quotes")
    case "found undefined tag handle":
      return message(
        "unknown tag", code: .badTag,
        help: "remove the tag; text that begins with \"!\" must be in quotes")
    default: return nil
    }
  }

  private var strayCharacter: Diagnostic {
    let scalars = Array(line.unicodeScalars)
    let index = range.column - 1
    guard index >= 0, index < scalars.count else {
      return message(
        "a character that begins no value", code: .needsQuotes, help: "put the text into quotes")
    }
    guard scalars[index] != "\t" else {
      return message("a tab cannot stand here", code: .badIndentation, help: "use spaces")
    }
    return message(
      "a text without quotes cannot begin with \"\(scalars[index])\"", code: .needsQuotes,
      help: "put the text into quotes",
      fix: QuotingFix.fix(valueFrom: index, of: line, in: range))
  }

  /// True if nothing but blanks follows.
  private var isAtEnd: Bool {
    range.line >= source.lineCount
      && line.unicodeScalars.dropFirst(range.column - 1).allSatisfy { $0.properties.isWhitespace }
  }

  private var unclosedQuote: Diagnostic {
    let place = failure.contextMark.map { Self.range($0, source) } ?? range
    return Diagnostic(
      "the text has no closing quote", code: .unclosed, at: place,
      help: "add the quote that ends the text")
  }

  private var unknown: Diagnostic {
    let context = failure.context.isEmpty ? "" : " \(failure.context)"
    return Diagnostic(
      "the YAML cannot be read: \(failure.problem)\(context)", code: .badSyntax, at: range,
      help: "check the indentation and the quotes of this line and the one above")
  }

  private func message(
    _ text: String, code: DiagnosticCode, help: String, context: String? = nil,
    fix: DiagnosticFix? = nil
  ) -> Diagnostic {
    var notes: [Diagnostic.Note] = []
    if let context, let mark = failure.contextMark, mark != failure.mark {
      notes = [Diagnostic.Note(context, at: Self.range(mark, source))]
    }
    return Diagnostic(text, code: code, at: range, help: help, fix: fix, notes: notes)
  }

  /// Returns the range of a mark, moved to the last line if it is behind the text's end, where
  /// there is nothing to show.
  private static func range(_ mark: YAMLMark, _ source: SourceText) -> SourceRange {
    let line = min(mark.line + 1, source.lineCount)
    let isBehindEnd = mark.line + 1 > source.lineCount
    return SourceRange(
      file: source.path, line: line,
      column: isBehindEnd ? source.lineLength(line) + 1 : mark.column + 1)
  }
}
