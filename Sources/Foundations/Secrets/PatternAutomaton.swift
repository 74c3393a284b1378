/// Finds many byte strings in one pass: the automaton of Aho and Corasick, with every step in a table.
struct PatternAutomaton: Sendable {
  /// A pattern that ends where the automaton is.
  struct Match {
    /// The number of bytes that it has; 0 if nothing ends here.
    var length: Int32 = 0
    var widensLeft = false
    var widensRight = false
  }

  /// Bytes that no pattern holds share class 0, so that a row is as long as need be.
  private var classes = [UInt16](repeating: 0, count: 256)
  private var classCount = 1
  /// The next state by state and class.
  private var steps: [Int32] = []
  /// The longest pattern that ends at a state.
  private(set) var matches: [Match] = []
  /// The number of bytes of a pattern that each state has seen.
  private(set) var depths: [Int32] = []

  /// The number of bytes that the longest pattern has.
  private(set) var greatestDepth = 0

  /// True if there is nothing to find.
  let isEmpty: Bool

  init(_ forms: Set<SecretForm>) {
    isEmpty = forms.isEmpty
    // In a fixed order, so that the same secrets give the same automaton.
    let forms = forms.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    for form in forms {
      for byte in form.bytes where classes[Int(byte)] == 0 {
        classes[Int(byte)] = UInt16(classCount)
        classCount += 1
      }
    }
    addState(depth: 0)
    for form in forms where !form.bytes.isEmpty { add(form) }
    greatestDepth = forms.map(\.bytes.count).max() ?? 0
    complete()
  }

  /// The state behind a byte.
  func next(_ state: Int32, _ byte: UInt8) -> Int32 {
    steps[Int(state) * classCount + Int(classes[Int(byte)])]
  }

  private mutating func addState(depth: Int32) {
    steps += repeatElement(-1, count: classCount)
    matches.append(Match())
    depths.append(depth)
  }

  private mutating func add(_ form: SecretForm) {
    var state = 0
    for byte in form.bytes {
      let place = state * classCount + Int(classes[Int(byte)])
      if steps[place] < 0 {
        steps[place] = Int32(truncatingIfNeeded: matches.count)
        addState(depth: depths[state] + 1)
      }
      state = Int(steps[place])
    }
    matches[state].length = depths[state]
    matches[state].widensLeft = matches[state].widensLeft || form.widensLeft
    matches[state].widensRight = matches[state].widensRight || form.widensRight
  }

  /// Fills in, by growing depth, where a state goes that has no step of its own: where its longest
  /// suffix that is a state goes.
  private mutating func complete() {
    var fallbacks = [Int32](repeating: 0, count: matches.count)
    var queue: [Int] = []
    for column in 0..<classCount {
      if steps[column] < 0 { steps[column] = 0 } else { queue.append(Int(steps[column])) }
    }
    var head = 0
    while head < queue.count {
      let state = queue[head]
      head += 1
      let fallback = Int(fallbacks[state])
      if matches[state].length == 0 { matches[state] = matches[fallback] }
      for column in 0..<classCount {
        let place = state * classCount + column
        let other = steps[fallback * classCount + column]
        if steps[place] < 0 {
          steps[place] = other
        } else {
          fallbacks[Int(steps[place])] = other
          queue.append(Int(steps[place]))
        }
      }
    }
  }
}
