/// Modes of xterm (DECSET) that change nothing on the screen: which of them are set is only asked for, or decides what
/// keys send.
struct TerminalModes: Hashable, Sendable {
  private var set: Set<Int>

  /// DECCKM: the keys of the cursor send other sequences.
  static let applicationCursorKeys = 1
  private static let visibleCursor = 25
  private static let applicationKeypad = 66

  /// The modes of a new terminal.
  static let initial = TerminalModes(set: [visibleCursor])

  /// Reverse video, the blinking cursor, the mouse and its encodings, the focus, and pasting in brackets.
  private static let known: Set<Int> = [
    applicationCursorKeys, 5, 9, 12, visibleCursor, applicationKeypad, 1_000, 1_002, 1_003, 1_004,
    1_005,
    1_006, 1_007, 1_015, 2_004,
  ]

  private init(set: Set<Int>) { self.set = set }

  /// Returns whether a mode is set; `nil` for one that the terminal does not know.
  subscript(mode: Int) -> Bool? { Self.known.contains(mode) ? set.contains(mode) : nil }

  /// Sets or resets a mode, unless it is unknown.
  mutating func change(_ mode: Int, to isSet: Bool) {
    guard Self.known.contains(mode) else { return }
    if isSet { set.insert(mode) } else { set.remove(mode) }
  }

  /// DECSTR.
  mutating func softReset() {
    set.subtract([Self.applicationCursorKeys, Self.applicationKeypad])
    set.insert(Self.visibleCursor)
  }
}
