/// A search that takes its text piece by piece: what it knows of the text so far is which places of the
/// program are alive, so that a match may be as long as it likes and nothing is looked at twice.
struct LinearScan: Sendable {
  private let program: [LinearExpression.Instruction]
  /// True if a match may begin with a byte.
  private let mayBegin: [Bool]
  /// The places in the program that are alive, and when each was last made so.
  private var current: [Int] = []
  private var next: [Int] = []
  private var marks: [Int]
  private var pending: [Int] = []
  private var generation = 0
  private var before: Unicode.Scalar?
  /// The last scalar that came: what holds before it depends on whether something follows.
  private var held: Unicode.Scalar?
  /// The offset in the last piece, in bytes, at which the found match ends; below 0 where it ends
  /// before the last scalar of the piece before.
  private(set) var foundOffset = 0

  init(_ expression: LinearExpression) {
    program = expression.program
    marks = [Int](repeating: -1, count: expression.program.count)
    mayBegin = expression.beginnings
  }

  /// Scans the next piece.
  ///
  /// - Parameter stepLimit: the largest number of steps for this piece.
  mutating func take(_ piece: String, stepLimit: Int) -> LinearExpression.Outcome {
    var piece = piece
    var steps = 0
    return piece.withUTF8 { bytes in
      var index = 0
      while index < bytes.count {
        if held == nil || !mayBegin(held), current.isEmpty,
          let skipped = skip(bytes, from: index)
        {
          index = skipped
          continue
        }
        let scalarStart = index
        let scalar = Unicode.Scalar(in: bytes, at: &index)
        if let first = held {
          steps &+= current.count &+ 1
          if step(first, isLast: false) {
            foundOffset = scalarStart - UTF8.width(first)
            return .found
          }
          if steps > stepLimit { return .givenUp }
        }
        held = scalar
      }
      return .notFound
    }
  }

  /// The end of a match that needs the end of the text.
  enum Ending {
    case beforeLastScalar
    case atEnd
  }

  /// Returns the end of a match if nothing follows what has come; `nil` if there is none.
  func endingAtEnd() -> Ending? {
    var copy = self
    if let last = copy.held, copy.step(last, isLast: true) { return .beforeLastScalar }
    return copy.stepAtEnd() ? .atEnd : nil
  }

  private func mayBegin(_ scalar: Unicode.Scalar?) -> Bool {
    guard let scalar else { return false }
    return scalar.value >= 0x80 || mayBegin[Int(scalar.value)]
  }

  /// Passes bytes with which no match begins while nothing is alive; `nil` if there are none.
  ///
  /// The two last scalars are looked at one by one, since what stands around a place decides as well.
  private mutating func skip(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var end = start
    while end < bytes.count, !mayBegin[Int(bytes[end])] { end += 1 }
    // Bytes of 0x80 and more always may begin a match, so that what was passed is ASCII.
    guard end - start > 1 else { return nil }
    before = Unicode.Scalar(bytes[end - 2])
    held = Unicode.Scalar(bytes[end - 1])
    return end
  }

  /// Advances over a scalar; true if the expression is found before it.
  private mutating func step(_ scalar: Unicode.Scalar, isLast: Bool) -> Bool {
    if openAll(scalar, isLast: isLast) { return true }
    generation &+= 1
    next.removeAll(keepingCapacity: true)
    for place in current {
      let isTaken =
        switch program[place] {
        case .scalar(let own): own == scalar
        case .set(let set): set.contains(scalar)
        case .anything: true
        default: false
        }
      if isTaken { next.append(place + 1) }
    }
    swap(&current, &next)
    before = scalar
    return false
  }

  private mutating func stepAtEnd() -> Bool { openAll(nil, isLast: true) }

  /// Opens what was made alive by the last scalar where its surroundings are known, and the beginning.
  private mutating func openAll(_ scalar: Unicode.Scalar?, isLast: Bool) -> Bool {
    swap(&current, &next)
    current.removeAll(keepingCapacity: true)
    for place in next where open(place, scalar, isLast) { return true }
    return open(0, scalar, isLast)
  }

  /// Follows a place to those that take a scalar; true if the end of the expression is among them.
  private mutating func open(_ start: Int, _ scalar: Unicode.Scalar?, _ isLast: Bool) -> Bool {
    pending.append(start)
    defer { pending.removeAll(keepingCapacity: true) }
    while let place = pending.popLast() {
      guard marks[place] != generation else { continue }
      marks[place] = generation
      switch program[place] {
      case .match: return true
      case .jump(let target): pending.append(target)
      case .save: pending.append(place + 1)
      case .split(let first, let second):
        pending.append(second)
        pending.append(first)
      case .assert(let assertion):
        if assertion.holds(between: before, and: scalar, isLast: isLast) {
          pending.append(place + 1)
        }
      case .scalar, .set, .anything: current.append(place)
      }
    }
    return false
  }
}
