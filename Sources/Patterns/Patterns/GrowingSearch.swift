/// A search for an expression in a text that grows: each time it looks only at what is new.
///
/// An expression with look-around or back references, which cannot be found piece by piece, is looked for
/// in the whole text, which then must not be longer than `LongText.wholeLimit`.
package struct GrowingSearch: Sendable {
  private let expression: RegularExpression
  private let stepLimit: Int
  private var scan: LinearScan?
  /// The offset at which the search begins, in bytes.
  private let start: Int
  /// The end of the searched part of the text, in bytes.
  private var position: Int
  /// The offset at which the last searched scalar begins, in bytes.
  private var lastScalar: Int
  /// The offset at which the shortest text ends that is found first, in bytes; `nil` before it is found.
  ///
  /// It does not depend on how much of the text was there when it was looked at, unless the expression says that
  /// the text ends.
  package private(set) var end: Int?

  /// Prepares a search.
  ///
  /// - Parameter start: where the text begins for the expression, in bytes.
  package init(_ expression: RegularExpression, from start: Int = 0) {
    self.init(expression, from: start, stepLimit: LinearExpression.stepLimit)
  }

  /// - Parameter stepLimit: after how many steps in a piece of the text the search is given up.
  package init(_ expression: RegularExpression, from start: Int = 0, stepLimit: Int) {
    self.expression = expression
    self.stepLimit = stepLimit
    self.start = start
    position = start
    lastScalar = start
    scan = (try? LinearExpression(expression.text)).map(LinearScan.init)
  }

  /// Returns whether the expression is found in the text as it is now: where it may say that the text ends, that is
  /// taken for its end.
  ///
  /// - Throws: where the text cannot be read, or the search is given up.
  package mutating func isFound(in text: some LongText) throws(LongTextError) -> Bool {
    guard var scan else { return try isFoundAtOnce(in: text) }
    var pieces = TextPieces(text, from: position)
    while true {
      let pieceStart = pieces.position
      guard let piece = try pieces.next(mayGrow: true) else { break }
      switch scan.take(piece, stepLimit: stepLimit) {
      case .found:
        end = try place(scan.foundOffset, of: piece, pieceStart..<pieces.position, in: text)
        return true
      case .givenUp: throw expression.givenUp(after: stepLimit)
      case .notFound: break
      }
      lastScalar = try place(
        piece.utf8.count - Self.width(piece.unicodeScalars.last), of: piece,
        pieceStart..<pieces.position, in: text)
    }
    self.scan = scan
    position = pieces.position
    var last = lastScalar
    while true {
      let pieceStart = pieces.position
      guard let rest = try pieces.next() else { break }
      switch scan.take(rest, stepLimit: stepLimit) {
      case .found:
        end = scan.foundOffset < 0 ? last : pieceStart
        return true
      case .givenUp: throw expression.givenUp(after: stepLimit)
      case .notFound: break
      }
      last = pieceStart
    }
    switch scan.endingAtEnd() {
    case .beforeLastScalar: end = last
    case .atEnd: end = max(start, text.count)
    case nil: return false
    }
    return true
  }

  private mutating func isFoundAtOnce(in text: some LongText) throws(LongTextError) -> Bool {
    let rest = LongTextPart(source: text, range: min(start, text.count)..<text.count)
    let whole = try rest.whole(for: "/\(expression.text)/")
    guard let offset = expression.firstEnd(in: whole) else { return false }
    end = try place(offset, of: whole, rest.range, in: text)
    return true
  }

  /// Returns the offset, in the text whose bytes a piece was made of, of an offset within the
  /// piece.
  private func place(
    _ offset: Int, of piece: String, _ range: Range<Int>, in text: some LongText
  ) throws(LongTextError) -> Int {
    guard offset >= 0 else { return lastScalar }
    guard piece.utf8.count != range.count || piece.unicodeScalars.contains("\u{fffd}") else {
      return range.lowerBound + offset
    }
    // What was repaired is longer or shorter than it was.
    var parser = Unicode.UTF8.ForwardParser()
    var bytes = try text.read(range).makeIterator()
    var repaired = 0
    var original = range.lowerBound
    while repaired < offset {
      switch parser.parseScalar(from: &bytes) {
      case .valid(let encoded):
        repaired += encoded.count
        original += encoded.count
      case .error(let length):
        repaired += 3
        original += length
      case .emptyInput: return range.upperBound
      }
    }
    return original
  }

  private static func width(_ scalar: Unicode.Scalar?) -> Int { scalar.map(UTF8.width) ?? 0 }
}
