/// A regular expression that is searched in a time bounded by its length times the text's.
///
/// All ways through the expression are followed at once (Thompson, 1968), so that no expression takes for
/// ever. What no such search can do, as looking back at an earlier group, it does not know.
package struct LinearExpression: Sendable {
  /// A condition between two scalars.
  package enum Assertion: Sendable {
    case start
    case end
    case endOrFinalNewline
    case lineStart
    case lineEnd
    case wordBoundary
    case noWordBoundary

    /// Returns whether it holds between two scalars; `nil` stands for the text's beginning and its end.
    ///
    /// - Parameter isLast: whether nothing follows `next`.
    func holds(
      between previous: Unicode.Scalar?, and next: Unicode.Scalar?, isLast: Bool
    ) -> Bool {
      switch self {
      case .start: previous == nil
      case .end: next == nil
      case .endOrFinalNewline: next.map { isLast && ScalarSet.Member.isNewline($0) } ?? true
      case .lineStart: previous.map(ScalarSet.Member.isNewline) ?? true
      case .lineEnd: next.map(ScalarSet.Member.isNewline) ?? true
      case .wordBoundary: isWord(previous) != isWord(next)
      case .noWordBoundary: isWord(previous) == isWord(next)
      }
    }

    private func isWord(_ scalar: Unicode.Scalar?) -> Bool {
      scalar.map(ScalarSet.Member.word.contains) ?? false
    }
  }

  /// One step of the search.
  package enum Instruction: Sendable {
    case scalar(Unicode.Scalar)
    case set(ScalarSet)
    case anything
    case assert(Assertion)
    /// Two continuations, the preferred one first.
    case split(Int, Int)
    case jump(Int)
    /// The begin of a group, an even number, or its end: twice the group's number, and one more.
    case save(Int)
    case match
  }

  /// The end of a search.
  package enum Outcome: Sendable {
    case found
    case notFound
    /// Beyond the bound on steps.
    case givenUp
  }

  /// The default of the maximum number of steps that a search in one piece of text may take.
  package static let stepLimit = 400_000_000

  let program: [Instruction]
  /// The names of its groups, in the order of their numbers from 1; `nil` for one without.
  let groups: [String?]

  /// Reads an expression.
  ///
  /// - Parameter keepsGroups: whether a search is to say what groups have matched.
  /// - Throws: If it is malformed, or holds what a linear search cannot do.
  package init(_ text: String, keepsGroups: Bool = false) throws(PatternError) {
    var parser = LinearExpressionParser(text, keepsGroups: keepsGroups)
    program = try parser.parse()
    groups = parser.groups
  }

  /// Searches for the expression anywhere in a text.
  package func search(in text: String, stepLimit: Int = LinearExpression.stepLimit) -> Outcome {
    var scan = LinearScan(self)
    switch scan.take(text, stepLimit: stepLimit) {
    case .found: return .found
    case .givenUp: return .givenUp
    case .notFound: return scan.endingAtEnd() != nil ? .found : .notFound
    }
  }

  /// The bytes with which a match may begin, every assertion taken to hold; all of them where a match may
  /// be empty.
  var beginnings: [Bool] {
    let all = [Bool](repeating: true, count: 256)
    var bytes = (0..<256).map { $0 >= 0x80 }
    var seen = Set<Int>()
    var pending = [0]
    while let place = pending.popLast() {
      guard seen.insert(place).inserted else { continue }
      switch program[place] {
      case .match, .anything: return all
      case .jump(let target): pending.append(target)
      case .split(let first, let second): pending += [first, second]
      case .assert, .save: pending.append(place + 1)
      case .scalar(let scalar): if scalar.value < 0x80 { bytes[Int(scalar.value)] = true }
      case .set(let set):
        for byte in 0..<UInt8(0x80) where set.contains(Unicode.Scalar(byte)) {
          bytes[Int(byte)] = true
        }
      }
    }
    return bytes
  }
}

extension Unicode.Scalar {
  /// The scalar that ends before a place of UTF-8, which is not the beginning.
  init(in bytes: UnsafeBufferPointer<UInt8>, before end: Int) {
    var start = end - 1
    while start > 0, bytes[start] & 0xc0 == 0x80 { start -= 1 }
    self.init(in: bytes, at: &start)
  }

  /// The scalar at a place of UTF-8, which is moved behind it.
  init(in bytes: UnsafeBufferPointer<UInt8>, at index: inout Int) {
    let first = bytes[index]
    if first < 0x80 {
      index += 1
      self = Unicode.Scalar(first)
      return
    }
    let length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
    var value = UInt32(first) & (0xff >> UInt32(length + 1))
    for place in (index + 1)..<min(index + length, bytes.count) {
      value = value << 6 | UInt32(bytes[place] & 0x3f)
    }
    index += length
    self = Unicode.Scalar(value) ?? "\u{fffd}"
  }
}
