import Foundations
import ScenarioEvents
import ScenarioReport
import Synchronization
import Testing

@Suite("Final lines and the block of what runs share a terminal")
struct LiveTerminalTests {
  /// A terminal whose time and size a test decides.
  private final class Stage: Sendable {
    let written = Mutex("")
    let now = Mutex(Nanoseconds.zero)
    let size = Mutex<LiveTerminal.Size?>(LiveTerminal.Size(width: 80, height: 24))

    var text: String { written.withLock { $0 } }

    func terminal(isLive: Bool = true) -> LiveTerminal {
      var context = LiveTerminal.Surroundings(
        write: { text throws(ReportError) in self.written.withLock { $0 += text } },
        clock: { self.now.withLock { $0 } })
      context.size = { self.size.withLock { $0 } }
      return LiveTerminal(
        context, isLive: isLive, usesColour: false, slowLimit: .seconds(10))
    }

    /// The lines that a person sees now.
    func screen(width: Int = 80) -> [String] { Screen(width: width).showing(text) }
  }

  private func begun(_ stage: Stage, isLive: Bool = true, name: String = "waits") -> (
    LiveTerminal, SampleRun
  ) {
    var run = SampleRun(caseCount: 2)
    run.addCase(name, file: "a.yaml", outcome: nil)
    let terminal = stage.terminal(isLive: isLive)
    for event in run.events { terminal.record(event) }
    return (terminal, run)
  }

  @Test("A final line stands above the block, and nothing of the block stays at the end")
  func finalLines() throws {
    let stage = Stage()
    let (terminal, _) = begun(stage)

    terminal.tick()
    #expect(stage.screen().count == 2)
    try terminal.write("PASS one\n")
    terminal.tick()
    #expect(stage.screen().first == "PASS one")
    #expect(stage.screen().last == "0/2 · 1 running · 0.0s")
    try terminal.write("PASS two\n")
    try terminal.finish()

    #expect(stage.screen() == ["PASS one", "PASS two"])
  }

  @Test("A terminal that became narrower is cleared of every row that its lines take now")
  func resized() throws {
    let stage = Stage()
    let (terminal, _) = begun(stage, name: String(repeating: "w", count: 70))
    terminal.tick()
    let wide = stage.text
    stage.size.withLock { $0 = LiveTerminal.Size(width: 41, height: 24) }
    terminal.tick()

    let drawing = String(stage.text.dropFirst(wide.count))
    #expect(drawing.hasPrefix("\r\u{1B}[2A\u{1B}[J"))
    #expect(
      Screen(width: 41).showing(drawing).allSatisfy { TerminalText.width(of: $0) < 41 })
  }

  @Test("What is narrow, or in the background, is not drawn on", arguments: [nil, 39] as [Int?])
  func undrawable(width: Int?) throws {
    let stage = Stage()
    let (terminal, _) = begun(stage)
    stage.size.withLock { $0 = width.map { LiveTerminal.Size(width: $0, height: 24) } }
    terminal.tick()
    try terminal.write("PASS one\n")
    terminal.tick()
    try terminal.finish()

    #expect(stage.text == "PASS one\n")
  }

  @Test("Without a block the text goes through byte for byte, at once")
  func plain() throws {
    let stage = Stage()
    let (terminal, _) = begun(stage, isLive: false)
    terminal.tick()
    try terminal.write("PASS one\n")

    #expect(stage.text == "PASS one\n")
  }

  @Test("A slow case is reported once, also without a block", arguments: [true, false])
  func slow(isLive: Bool) throws {
    let stage = Stage()
    let (terminal, _) = begun(stage, isLive: isLive)
    stage.now.withLock { $0 = .milliseconds(9_999) }
    terminal.tick()
    #expect(!stage.text.contains("SLOW"))
    stage.now.withLock { $0 = .seconds(10) }
    terminal.tick()
    terminal.tick()
    try terminal.finish()

    #expect(stage.screen() == ["SLOW  [> 10.000s] a.yaml › waits"])
  }

  @Test("A terminal that was left to others is drawn on below what they wrote")
  func suspended() throws {
    let stage = Stage()
    let (terminal, _) = begun(stage)
    terminal.tick()
    terminal.suspend()
    #expect(stage.screen() == [])
    terminal.tick()
    #expect(stage.screen() == [])
    stage.written.withLock { $0 += "$ fg\n" }
    terminal.resume()

    #expect(stage.screen().first == "$ fg")
    #expect(stage.screen().count == 3)
  }

  @Test("What runs is reported with all that is known, and nothing of it steers the terminal")
  func dump() throws {
    let stage = Stage()
    let (terminal, _) = begun(stage, isLive: false)
    terminal.dump { _ in ["process 7: sleep", "  \u{1B}[2J"] }

    #expect(
      stage.text == """
        1 scenario is running
        RUN   [   0.000s] a.yaml › waits
              process 7: sleep
                \\x{1B}[2J

        """)
  }
}

/// What stands on a terminal, as far as this program steers it.
private struct Screen {
  let width: Int
  private var lines: [String] = [""]
  private var row = 0

  init(width: Int) { self.width = width }

  /// The lines after all of a text, without empty ones at the end.
  func showing(_ text: String) -> [String] {
    var screen = self
    screen.take(text)
    while screen.lines.last?.isEmpty ?? false { screen.lines.removeLast() }
    return screen.lines
  }

  private mutating func take(_ text: String) {
    var rest = Array(text.unicodeScalars)[...]
    var isAtStart = true
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\r":
        isAtStart = true
      case "\n":
        row += 1
        if row == lines.count { lines.append("") }
        isAtStart = true
      case "\u{1B}":
        _ = rest.popFirst()
        var digits = ""
        while let next = rest.first, next.properties.numericType != nil {
          digits.unicodeScalars.append(next)
          rest.removeFirst()
        }
        switch rest.popFirst() {
        case "A": row = max(0, row - (Int(digits) ?? 1))
        case "J":
          lines.removeSubrange((row + 1)...)
          if isAtStart { lines[row] = "" }
        default: break
        }
      default:
        if isAtStart { lines[row] = "" }
        isAtStart = false
        lines[row].unicodeScalars.append(scalar)
      }
    }
  }
}
