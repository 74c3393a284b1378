internal import Foundations
internal import ScenarioModel

/// The form of a value at a place of the language: its shape for editors and readers, and its
/// reader.
struct Form<Content>: Sendable {
  /// Reads a node, which messages call by the subject; `nil` only after it has reported why.
  typealias Reader =
    @Sendable (inout ScenarioDecoder, _ node: YAMLNode, _ subject: String) -> Content?

  /// The shape for editors and readers.
  let shape: SchemaShape
  /// The reader.
  let read: Reader

  /// Creates a form from a shape and a reader.
  init(_ shape: SchemaShape, _ read: @escaping Reader) {
    self.shape = shape
    self.read = read
  }
}

// MARK: - Texts

extension Form<Located<String>> {
  /// Text without expressions.
  static var text: Form { Form(.text) { $0.decodeText($1, $2) } }
  /// Text for readers, which ends in front of a comment by mistake as easily as a name does.
  static var prose: Form {
    Form(.text) { decoder, node, subject in
      decoder.warnOfComment(behind: node)
      return decoder.decodeCaption(node, subject)
    }
  }
  /// Text in YAML's own sense, for editors.
  static var string: Form { Form(.string) { $0.decodeText($1, $2) } }
  /// A signal's name, in capitals and without SIG.
  static var signal: Form { Form(.signal) { decoder, node, _ in decoder.decodeSignal(node) } }
  /// A text on one line that messages and reports show.
  static var name: Form { Form(.name) { $0.decodeName($1, $2) } }
}

extension Form<[Located<String>]> {
  /// The form of one text, or a list of some.
  static var texts: Form { Form(.oneOrMore(.text)) { $0.decodeTexts($1, $2) } }
  /// A list of texts.
  static var textList: Form { Form(.list(of: .text)) { $0.decodeTextList($1, $2) } }

  /// A list of words that readers and selections know.
  static var captions: Form { Form(.list(of: .text)) { $0.decodeCaptions($1, $2) } }
}

extension Form {
  /// Returns the form of a word of an enumeration.
  static func word<Word: CaseIterable & RawRepresentable<String> & Sendable>(
    of type: Word.Type = Word.self
  ) -> Form where Content == Located<Word> {
    Form(.words(of: type)) { $0.decodeWord($1, $2) }
  }
}

extension Form {
  /// Returns the form of one word of an enumeration, or a list of some, each once.
  static func words<Word: CaseIterable & RawRepresentable<String> & Sendable & Equatable>(
    of type: Word.Type = Word.self
  ) -> Form where Content == [Word] {
    Form(.oneOrMore(.words(of: type))) { $0.decodeWords($1, $2) }
  }

  /// A list of one entry at least, all of which can be read.
  static func list<Entry>(of entry: Form<Entry>) -> Form where Content == [Entry] {
    Form(.list(of: entry.shape, atLeast: 1)) { decoder, node, subject in
      let nodes = decoder.decodeNonEmptyList(node, subject) ?? []
      let entries = nodes.compactMap { entry.read(&decoder, $0, "an entry of \"\(subject)\"") }
      return entries.isEmpty || entries.count < nodes.count ? nil : entries
    }
  }
}

extension Form<[DataField]> {
  /// Names and their data.
  static var fields: Form { Form(.fields) { $0.decodeFields($1, $2) } }
}

// MARK: - Truth values and numbers

extension Form<Located<Bool>> {
  /// true or false.
  static var truth: Form { Form(.truth) { $0.decodeBool($1, $2) } }
}

extension Form<Located<Int64>> {
  /// A whole number.
  static var integer: Form { Form(.integer) { $0.decodeInteger($1, $2) } }
}

extension Form<Located<Int>> {
  /// A whole number of a range.
  static func count(_ range: ClosedRange<Int>) -> Form {
    count(.integer(Int64(range.lowerBound)...Int64(range.upperBound)), in: range)
  }

  /// A whole number that has a least value.
  static func count(_ range: PartialRangeFrom<Int>) -> Form {
    count(.integer(Int64(range.lowerBound)...), in: range.lowerBound...Int.max)
  }

  private static func count(_ shape: SchemaShape, in range: ClosedRange<Int>) -> Form {
    Form(shape) { decoder, node, subject in
      decoder.decodeCount(node, subject, in: range).map { Located($0, at: node.range) }
    }
  }
}

extension Form<Double> {
  /// A part of a whole, 0 … 1.
  static var part: Form { Form(.number(0...1)) { $0.decodePart($1, $2) } }
}

// MARK: - Time

extension Form<Located<InstantExpression>> {
  /// An instant, or a shift.
  static var instantExpression: Form { Form(.moment) { $0.decodeInstantExpression($1, $2) } }
}

extension Form<Located<ClockRate>> {
  /// The form of the rate at which time flows.
  static var clockRate: Form { Form(.the("rate")) { $0.decode($1, $2, as: .rate) } }
}

extension Form<[Step]> {
  /// The steps of a block.
  static var block: Form {
    Form(.list(of: .the("step"), atLeast: 1)) { decoder, node, key in
      decoder.decodeNonEmptyList(node, key, help: "add a step") == nil
        ? nil : decoder.decodeSteps(node, key)
    }
  }
}

extension Form<Located<Nanoseconds>> {
  /// A length of time.
  static var duration: Form { Form(.duration) { $0.decodeDuration($1, $2) } }
  /// A length of time that is not negative.
  static var delay: Form { Form(.delay) { $0.decodeDelay($1, $2) } }
}
