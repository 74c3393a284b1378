internal import Foundations

/// Reads the cases of a JUnit report, whichever program wrote it.
struct JUnitReader {
  /// A suite, as far as it says something of its cases.
  struct Suite {
    var name = ""
    /// The file that its cases come from, where it says so.
    var file: String?
    /// Its beginning, as the report writes it; empty where it does not.
    var timestamp = ""
    var properties: [String: String] = [:]
  }

  /// One case.
  struct Entry {
    /// The place of its suite in `suites`.
    var suite: Int
    /// The file that the case, or its suite, says it comes from.
    var file: String?
    var className: String
    var name: String
    /// Real time that it took; `nil` where the report does not say, or nonsense.
    var duration: Nanoseconds?
    var outcome = Outcome.passed
    /// The number of attempts before the one that decided.
    var failedAttempts = 0
    /// The first line of what was wrong.
    var message: String?
  }

  /// How a case has ended.
  enum Outcome {
    case passed
    case failed
    case errored
    case skipped
  }

  /// The suites in the order in which they begin.
  private(set) var suites: [Suite] = []
  /// The cases in order.
  private(set) var entries: [Entry] = []
  /// Names and values that hold for the whole report.
  private(set) var properties: [String: String] = [:]
  /// The reason why the rest was not read; `nil` for a report that is whole.
  private(set) var problem: XMLScanner.Problem?
  /// The name of the outermost element; empty if there is none.
  private(set) var root = ""

  private var scanner: XMLScanner
  private var path: [String] = []
  private var openSuites: [Int] = []
  private var pending: Entry?
  /// True while the text of what was wrong is looked for.
  private var wantsMessage = false

  init(_ bytes: [UInt8]) {
    scanner = XMLScanner(bytes)
    do {
      while let token = try scanner.next() { take(token) }
    } catch {
      problem = error
    }
    end()
  }

  /// The beginning of the first suite that says one, as the report writes it; empty where none does.
  var timestamp: String { suites.first { !$0.timestamp.isEmpty }?.timestamp ?? "" }

  // MARK: - Elements

  private mutating func take(_ token: XMLScanner.Token) {
    switch token {
    case .opening(let name, let attributes):
      if path.isEmpty, root.isEmpty { root = name }
      path.append(name)
      begin(name, attributes)
    case .closing(let name):
      path.removeLast()
      switch name {
      case "testsuite": _ = openSuites.popLast()
      case "testcase": end()
      case "failure", "error", "skipped": wantsMessage = false
      default: break
      }
    case .text(let place):
      guard wantsMessage else { return }
      let line = scanner.text(in: place).split(whereSeparator: \.isNewline)
        .first { $0.contains { !$0.isWhitespace } }
      guard let line else { return }
      pending?.message = String(line)
      wantsMessage = false
    }
  }

  private mutating func begin(_ name: String, _ attributes: [String: String]) {
    switch name {
    case "testsuite":
      openSuites.append(suites.count)
      suites.append(
        Suite(
          name: attributes["name"] ?? "", file: attributes["file"],
          timestamp: attributes["timestamp"] ?? ""))
    case "property":
      // Those of a case say something of it alone.
      guard pending == nil, let key = attributes["name"] else { return }
      let value = attributes["value"] ?? ""
      if let suite = openSuites.last { suites[suite].properties[key] = value }
      properties[key] = properties[key] ?? value
    case "testcase": beginCase(attributes)
    case "failure": spoil(.failed, attributes)
    case "error": spoil(.errored, attributes)
    case "skipped":
      guard pending?.outcome == .passed else { return }
      pending?.outcome = .skipped
    // Surefire's elements, which others write as well: attempts that did not decide.
    case "flakyFailure", "flakyError", "rerunFailure", "rerunError":
      pending?.failedAttempts += 1
      if pending?.message == nil {
        pending?.message = attributes["message"].flatMap(Self.firstLine)
      }
    default: break
    }
  }

  private mutating func beginCase(_ attributes: [String: String]) {
    end()
    if openSuites.isEmpty {
      openSuites.append(suites.count)
      suites.append(Suite())
    }
    guard let name = attributes["name"], let suite = openSuites.last else { return }
    var entry = Entry(
      suite: suite, file: attributes["file"] ?? suites[suite].file,
      className: attributes["classname"] ?? "", name: name,
      duration: attributes["time"].flatMap(Self.duration))
    // CTest and GoogleTest say so where there is no element.
    let isSkipped =
      ["notrun", "disabled", "skipped"].contains(attributes["status"])
      || ["suppressed", "skipped"].contains(attributes["result"])
    if isSkipped { entry.outcome = .skipped }
    pending = entry
  }

  private mutating func spoil(_ outcome: Outcome, _ attributes: [String: String]) {
    guard let entry = pending else { return }
    // A case with both kinds of failures has failed.
    if entry.outcome != .failed { pending?.outcome = outcome }
    guard entry.message == nil else { return }
    pending?.message = attributes["message"].flatMap(Self.firstLine)
    wantsMessage = pending?.message == nil
  }

  private mutating func end() {
    if let pending { entries.append(pending) }
    pending = nil
    wantsMessage = false
  }

  private static func firstLine(_ text: String) -> String? {
    text.split(whereSeparator: \.isNewline).first { $0.contains { !$0.isWhitespace } }
      .map(String.init)
  }

  /// Seconds with decimals, with commas between thousands as surefire writes them.
  private static func duration(_ text: String) -> Nanoseconds? {
    guard let seconds = Double(text.filter { $0 != "," }), seconds >= 0, seconds < 1e9 else {
      return nil
    }
    return Nanoseconds(Int64((seconds * 1e9).rounded()))
  }
}
