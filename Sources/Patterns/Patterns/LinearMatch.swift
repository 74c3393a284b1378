/// The first match of an expression, with its groups: as of a search that tries one way after the
/// other, which prefers the earliest beginning and then the way written first (Pike's virtual
/// machine).
///
/// All ways are followed at once, each with its own places of groups, in the order in which they
/// are preferred.
struct LinearMatch {
  /// The match, in bytes of UTF-8.
  let range: Range<Int>
  /// The range of each group, by its number from 1; `nil` for one that takes no part.
  let groups: [Range<Int>?]

  /// Searches a text.
  ///
  /// It takes as many steps as the program's length times the text's at most: callers that cannot
  /// wait for that search with ``LinearExpression/search(in:)`` first.
  ///
  /// - Returns: `nil` if the expression is not found.
  init?(of expression: LinearExpression, in text: String) {
    var text = text
    var search = Search(expression)
    guard let slots = text.withUTF8({ search.run(over: $0) }) else { return nil }
    func range(_ number: Int) -> Range<Int>? {
      let (start, end) = (slots[2 * number], slots[2 * number + 1])
      return start >= 0 && end >= start ? start..<end : nil
    }
    guard let whole = range(0) else { return nil }
    self.range = whole
    groups = (1..<(expression.groups.count + 1)).map(range)
  }

  /// How many times the length of a text all searches for matches in it may look at one of its scalars, beside the first
  /// million: an expression with a longer way that never comes true looks on to the end of the text behind each match.
  private static let looks = 16

  /// The ranges of all matches that are not empty, in bytes of UTF-8: from left to right, none within another.
  ///
  /// Where finding them all would take much longer than reading the text, the last range is the rest of it.
  static func ranges(of expression: LinearExpression, in text: String) -> [Range<Int>] {
    var text = text
    var search = Search(expression)
    return text.withUTF8 { bytes in
      var ranges: [Range<Int>] = []
      var start = 0
      let limit = looks * bytes.count + 1_000_000
      while let slots = search.run(over: bytes, from: start) {
        guard search.looks <= limit else {
          ranges.append(slots[0]..<bytes.count)
          break
        }
        start = slots[1]
        if slots[0] < start {
          ranges.append(slots[0]..<start)
        } else if start < bytes.count {
          _ = Unicode.Scalar(in: bytes, at: &start)
        } else {
          break
        }
      }
      return ranges
    }
  }

  /// The ways that are alive at one place of the text: places of the program, the preferred first, with the slots of
  /// each.
  private struct Ways {
    var places: [Int] = []
    var slots: [Int]

    init(_ count: Int) {
      slots = [Int](repeating: -1, count: count)
    }
  }

  /// A task of opening ways.
  private enum Opening {
    case place(Int)
    /// A slot gets its former value again, because the search behind its place is done.
    case restore(slot: Int, value: Int)
  }

  private struct Search {
    private let program: [LinearExpression.Instruction]
    private let beginnings: [Bool]
    private let slotCount: Int
    private var current: Ways
    private var next: Ways
    private var marks: [Int]
    private var generation = 0
    /// How many scalars were looked at, in all searches.
    private(set) var looks = 0
    private var openings: [Opening] = []
    /// The slots of the way that is being opened.
    private var own: [Int]

    init(_ expression: LinearExpression) {
      program = expression.program
      beginnings = expression.beginnings
      slotCount = 2 * (expression.groups.count + 1)
      current = Ways(program.count * slotCount)
      next = current
      marks = [Int](repeating: -1, count: program.count)
      own = [Int](repeating: -1, count: slotCount)
    }

    /// The slots of the first match that begins at a place or behind it; `nil` if there is none.
    mutating func run(over bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> [Int]? {
      var matched: [Int]?
      var index = start
      var previous = start > 0 ? Unicode.Scalar(in: bytes, before: start) : nil
      next.places.removeAll(keepingCapacity: true)
      while true {
        // The ways that the last scalar has left are opened here, where what follows is known.
        if next.places.isEmpty, matched == nil {
          // What stands before a place decides as well, so that the last byte passed is looked at.
          var end = index
          while end < bytes.count, !beginnings[Int(bytes[end])] { end += 1 }
          if end > index { previous = Unicode.Scalar(bytes[end - 1]) }
          index = end
        } else if next.places.isEmpty {
          break
        }
        var behind = index
        let scalar = index < bytes.count ? Unicode.Scalar(in: bytes, at: &behind) : nil
        let isLast = behind >= bytes.count
        looks += 1
        openAll(at: index, previous, scalar, isLast: isLast, begins: matched == nil)
        advance(over: scalar, at: index, &matched)
        guard scalar != nil else { break }
        previous = scalar
        index = behind
      }
      return matched
    }

    private mutating func openAll(
      at index: Int, _ previous: Unicode.Scalar?, _ scalar: Unicode.Scalar?, isLast: Bool,
      begins: Bool
    ) {
      generation &+= 1
      current.places.removeAll(keepingCapacity: true)
      for place in next.places {
        for slot in 0..<slotCount { own[slot] = next.slots[place * slotCount + slot] }
        open(place, at: index, previous, scalar, isLast)
      }
      if begins {
        for slot in 0..<slotCount { own[slot] = -1 }
        own[0] = index
        open(0, at: index, previous, scalar, isLast)
      }
    }

    /// Follows a place to those that take a scalar, and to the end of the expression.
    private mutating func open(
      _ start: Int, at index: Int, _ previous: Unicode.Scalar?, _ scalar: Unicode.Scalar?,
      _ isLast: Bool
    ) {
      openings.append(.place(start))
      while let opening = openings.popLast() {
        guard case .place(let place) = opening else {
          if case .restore(let slot, let value) = opening { own[slot] = value }
          continue
        }
        guard marks[place] != generation else { continue }
        marks[place] = generation
        switch program[place] {
        case .jump(let target): openings.append(.place(target))
        case .split(let first, let second):
          openings.append(.place(second))
          openings.append(.place(first))
        case .save(let slot):
          openings.append(.restore(slot: slot, value: own[slot]))
          own[slot] = index
          openings.append(.place(place + 1))
        case .assert(let assertion):
          if assertion.holds(between: previous, and: scalar, isLast: isLast) {
            openings.append(.place(place + 1))
          }
        case .scalar, .set, .anything, .match:
          current.places.append(place)
          for slot in 0..<slotCount { current.slots[place * slotCount + slot] = own[slot] }
        }
      }
    }

    /// Advances each way over a scalar; one that is at the end of the expression cuts off those
    /// that are less preferred.
    private mutating func advance(
      over scalar: Unicode.Scalar?, at index: Int, _ matched: inout [Int]?
    ) {
      next.places.removeAll(keepingCapacity: true)
      for place in current.places {
        let isTaken =
          switch program[place] {
          case .scalar(let wanted): wanted == scalar
          case .set(let set): scalar.map(set.contains) ?? false
          case .anything: scalar != nil
          default: false
          }
        let first = place * slotCount
        if case .match = program[place] {
          var slots = Array(current.slots[first..<first + slotCount])
          slots[1] = index
          matched = slots
          return
        }
        guard isTaken else { continue }
        let target = place + 1
        next.places.append(target)
        for slot in 0..<slotCount {
          next.slots[target * slotCount + slot] = current.slots[first + slot]
        }
      }
    }
  }
}
