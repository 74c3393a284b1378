package import Foundations
internal import ScenarioPlan

/// The expectation that a scenario can have of a stream that was seen twice.
///
/// Output that was the same both times is expected exactly; what differs is loosened line by line,
/// and of long output only the first and last lines are expected.
package struct OutputTemplate: Sendable, Hashable {
  /// The expectation.
  package enum Expectation: Sendable, Hashable {
    /// No output.
    case empty
    /// Exactly this.
    case equals(String)
    /// A line each: exact, or by a regular expression.
    case lines([Line])
    /// These lines, in any order.
    case unordered([String])
    /// The output has each of these somewhere.
    case contains([String])
    /// Any output but none.
    case anything
    /// Unknown output, if any.
    case unknown
  }

  /// A line of the output.
  package enum Line: Sendable, Hashable {
    /// Exactly this.
    case text(String)
    /// A regular expression for all of it.
    case pattern(String)
  }

  /// Longer outputs are not written out.
  package static let exactLimit = 4_096
  /// Outputs of more lines are not written out.
  package static let lineLimit = 60

  /// The expectation.
  package let expectation: Expectation
  /// The loosening of the output, for the author; `nil` where it is expected exactly.
  package let note: String?

  /// Compares what a stream held in several runs.
  package init(_ outputs: [String]) {
    let first = outputs.first ?? ""
    if outputs.allSatisfy(\.isEmpty) {
      (expectation, note) = (.empty, nil)
    } else if outputs.contains(where: \.isEmpty) {
      (expectation, note) = (
        .unknown, "only some runs have output; the scenario does not expect it"
      )
    } else if !outputs.allSatisfy(Self.isText) {
      let isSame = outputs.allSatisfy { $0 == first }
      let piece = isSame ? Self.printable(first) : nil
      expectation = piece.map { .contains([$0]) } ?? .anything
      note = "the output is binary; the scenario expects only a part of it"
    } else if outputs.contains(where: Self.isLong) {
      let kept = Self.ends(first).filter { end in outputs.allSatisfy { $0.contains(end) } }
      expectation = kept.isEmpty ? .anything : .contains(kept)
      note = "the output is long; the scenario expects only its beginning and end"
    } else if outputs.allSatisfy({ $0 == first }) {
      (expectation, note) = (.equals(first), nil)
    } else {
      (expectation, note) = Self.loosened(outputs)
    }
  }

  private static func isText(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar != "\u{FFFD}"
        && (scalar.value >= 0x20 || "\n\t\r\u{1B}".unicodeScalars.contains(scalar))
    }
  }

  private static func isLong(_ text: String) -> Bool {
    text.utf8.count > exactLimit || text.utf8.count { $0 == 0x0A } > lineLimit
  }

  /// The longest part that a person could have typed.
  private static func printable(_ text: String) -> String? {
    let parts = text.unicodeScalars.split {
      $0.value < 0x20 || $0.value == 0x7F || $0 == "\u{FFFD}"
    }
    guard let longest = parts.max(by: { $0.count < $1.count }), longest.count >= 4 else {
      return nil
    }
    return String(String.UnicodeScalarView(longest.prefix(60)))
  }

  /// The first and the last line that say something, shortened.
  private static func ends(_ text: String) -> [String] {
    let lines = text.split { $0.isNewline }.filter { line in line.contains { !$0.isWhitespace } }
    let first = lines.first.map { String($0.prefix(120)) }
    let last = lines.last.map { String($0.suffix(120)) }
    return first == last ? [first].compactMap { $0 } : [first, last].compactMap { $0 }
  }

  private static func loosened(_ outputs: [String]) -> (Expectation, String?) {
    let all = outputs.map { PlannedMatcher.lines(of: $0) }
    let one = all[0]
    let sorted = one.sorted()
    guard !all.dropFirst().allSatisfy({ $0.sorted() == sorted }) || all.allSatisfy({ $0 == one })
    else {
      return (
        .unordered(one),
        "the order of the lines differs from run to run; the scenario does not expect it"
      )
    }
    guard all.allSatisfy({ $0.count == one.count }) else {
      let others = all.dropFirst().map { Set($0) }
      let kept = one.filter { line in
        others.allSatisfy { $0.contains(line) } && line.contains { !$0.isWhitespace }
      }
      guard let line = kept.max(by: { $0.count < $1.count }) else {
        return (
          .anything,
          "the whole output differs from run to run; the scenario expects only that there is some"
        )
      }
      return (
        .contains([line]),
        "the number of lines differs from run to run; the scenario expects only one common line"
      )
    }
    var changed: [Int] = []
    let result = one.indices.map { index -> Line in
      let column = all.map { $0[index] }
      guard column.contains(where: { $0 != column[0] }) else { return .text(column[0]) }
      changed.append(index + 1)
      return .pattern(GeneralizedPattern(column).pattern)
    }
    // Equal but for a final newline, which expectations leave aside, or for the ends of lines.
    guard !changed.isEmpty else {
      return (outputs.contains { $0.contains("\r\n") } ? .lines(result) : .equals(outputs[0]), nil)
    }
    let list = changed.map(String.init).joined(separator: ", ")
    return (
      .lines(result),
      "line\(changed.count == 1 ? "" : "s") \(list) changed from run to run: relaxed"
    )
  }
}

/// A regular expression for lines that are nearly the same.
package struct GeneralizedPattern: Sendable, Hashable {
  /// The expression, for the whole line.
  package let pattern: String

  /// Finds what some lines share: words that differ are replaced by what they are made of.
  package init(_ lines: [String]) {
    let all = lines.map { Self.words($0) }
    guard let one = all.first,
      all.allSatisfy({ other in
        other.count == one.count
          && zip(one, other).allSatisfy { Self.isWord($0) == Self.isWord($1) }
      })
    else {
      pattern = Self.aroundMiddle(lines)
      return
    }
    let columns = one.indices.map { index in all.map { $0[index] } }
    func differs(_ column: [Substring]) -> Bool { column.contains { $0 != column[0] } }
    // The digits of an identifier in hexadecimal have letters another time.
    let hexadecimal = "[0-9a-f]+"
    let isIdentifier = columns.contains { differs($0) && Self.shape($0) == hexadecimal }
    let parts = columns.map { column -> String in
      guard differs(column) else { return Self.escaped(column[0]) }
      let shape = Self.shape(column)
      return shape == "\\d+" && isIdentifier ? hexadecimal : shape
    }
    pattern = "^" + parts.joined() + "$"
  }

  private static func words(_ line: String) -> [Substring] {
    var words: [Substring] = []
    var rest = line[...]
    while let character = rest.first {
      let isWord = isWordCharacter(character)
      let word = rest.prefix { isWordCharacter($0) == isWord }
      words.append(word)
      rest = rest[word.endIndex...]
    }
    return words
  }

  private static func isWordCharacter(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  private static func isWord(_ word: Substring) -> Bool {
    word.first.map(isWordCharacter) ?? false
  }

  /// The shape that some words share.
  private static func shape(_ words: [Substring]) -> String {
    let all = words.joined()
    if all.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return "\\d+" }
    let isHexadecimal = all.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
    }
    if isHexadecimal, all.utf8.contains(where: { $0 < 0x3A }) { return "[0-9a-f]+" }
    return words.first.map(isWord) ?? false ? "\\w+" : ".+"
  }

  private static func aroundMiddle(_ lines: [String]) -> String {
    guard let first = lines.first else { return "" }
    let start = lines.map { zip(first, $0).prefix { $0 == $1 }.count }.min() ?? 0
    let room = (lines.map(\.count).min() ?? 0) - start
    let shared =
      lines.map { zip(first.reversed(), $0.reversed()).prefix { $0 == $1 }.count }.min() ?? 0
    return "^" + escaped(first.prefix(start)) + ".*" + escaped(first.suffix(min(room, shared)))
      + "$"
  }

  /// A regular expression for a text.
  static func escaped(_ text: some StringProtocol) -> String {
    text.map { "\\^$.|?*+()[]{}".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}

/// The text of a scenario that runs one command.
package struct CommandTemplate: Sendable {
  /// The end of the command.
  package enum Ending: Sendable, Hashable {
    /// An exit code.
    case exit(Int32)
    /// A signal's name, without SIG.
    case signal(String)
  }

  /// The scenario's name.
  package var name: String
  /// Program and arguments.
  package var command: [String]
  /// Its standard input, if any.
  package var standardInput: String?
  /// The files that are written to its folder: the path there, and the path from the scenario's
  /// folder.
  package var files: [(path: String, source: String)] = []
  /// The bound in real time.
  package var timeout: String?
  /// Its clock; `nil` for the machine's own time.
  package var clock: Clock?

  /// A clock that shows the same each time.
  package struct Clock: Sendable, Hashable {
    /// The wall clock's first instant.
    package var at: WallInstant
    /// True if files have its time, too.
    package var filesAreVirtual: Bool

    /// Creates a clock.
    package init(at: WallInstant, filesAreVirtual: Bool) {
      self.at = at
      self.filesAreVirtual = filesAreVirtual
    }

    /// The value of `clock:` as text.
    package var text: String {
      "{ at: \(at), flow: auto\(filesAreVirtual ? ", file_times: virtual" : "") }"
    }
  }

  /// Creates a sketch.
  package init(name: String, command: [String]) {
    self.name = name
    self.command = command
  }

  /// The scenario with what is expected of it.
  package func text(
    ending: Ending?, output: OutputTemplate.Expectation = .unknown,
    errorOutput: OutputTemplate.Expectation = .unknown
  ) -> String {
    var text = "version: 2\nname: \(SketchText.quoted(name))\ntarget:\n"
    text += "  command: [\(command.map { SketchText.quoted($0) }.joined(separator: ", "))]\n"
    if let standardInput { text += "  stdin:\(SketchText.value(standardInput, indentation: 4))" }
    if !files.isEmpty { text += "  files:\n" }
    for file in files {
      text += "    \(SketchText.quoted(file.path)): { file: \(SketchText.quoted(file.source)) }\n"
    }
    if let clock { text += "clock: \(clock.text)\n" }
    if let timeout { text += "timeout: \(timeout)\n" }
    var expectations = ""
    switch ending {
    case .exit(let code)?: expectations += "  exit: \(code)\n"
    case .signal(let name)?: expectations += "  signal: \(name)\n"
    case nil: break
    }
    expectations += SketchText.matcher("stdout", output) + SketchText.matcher("stderr", errorOutput)
    return expectations.isEmpty ? text : text + "expect:\n" + expectations
  }
}
