package import Foundations

/// The text of a scenario that replays what a command did without virtual time and network.
package struct RecordedTemplate: Sendable {
  /// A file that the command needs.
  package struct Fixture: Sendable {
    /// Its content.
    package enum Content: Sendable {
      /// This text.
      case text(String)
      /// The content of the file at this path, which counts from the scenario's folder.
      case copy(String)
      /// A symbolic link that leads there; not the file behind it.
      case link(String)
      /// A folder.
      case folder
    }

    /// Its path below the working directory.
    package var path: String
    /// Its content.
    package var content: Content
    /// Its permission bits; `nil` for the usual ones.
    package var mode: UInt32?

    /// Creates a fixture.
    package init(path: String, content: Content, mode: UInt32? = nil) {
      self.path = path
      self.content = content
      self.mode = mode
    }
  }

  /// The expectation on a file that the command has changed.
  package enum Result: Sendable, Hashable {
    /// The file is gone.
    case absent
    /// The file has this SHA-256, and these permission bits.
    case digest(String, mode: UInt32?)
    /// The file has these permission bits.
    case mode(UInt32)
    /// The file is a symbolic link with this target.
    case link(String)
    /// The file is a folder.
    case folder
    /// The file has this content, and these permission bits; `nil` for any.
    case text(OutputTemplate.Expectation, mode: UInt32? = nil)
  }

  /// The signals that ended the command.
  package struct Interruption: Sendable, Hashable {
    /// Time that had passed.
    package var elapsed: Nanoseconds
    /// The signal's name, without SIG.
    package var signal: String
    /// The programs that ran beside the command itself, in the order of births.
    package var others: [String]

    /// Creates an interruption.
    package init(elapsed: Nanoseconds, signal: String, others: [String]) {
      self.elapsed = elapsed
      self.signal = signal
      self.others = others
    }
  }

  /// Name, command and input.
  package var command: CommandTemplate
  /// Variables of the environment.
  package var environment: [(name: String, value: String)] = []
  /// The time at which the command began.
  package var start: WallInstant
  /// Files that it needs.
  package var fixtures: [Fixture] = []
  /// True if its requests are in a recording beside the scenario.
  package var hasRecording = false
  /// True if it asks servers on this machine that the recording answers for.
  package var asksThisMachine = false
  /// The bound on a replay in real time; `nil` for the usual one.
  package var timeout: Nanoseconds?
  /// The interruption; `nil` where it ended by itself.
  package var interruption: Interruption?
  /// Its end; `nil` where that is not expected.
  package var ending: CommandTemplate.Ending?
  /// The expectation on its standard output.
  package var output = OutputTemplate.Expectation.unknown
  /// The expectation on its standard error.
  package var errorOutput = OutputTemplate.Expectation.unknown
  /// The expectations on files, by their paths below the working directory.
  package var results: [(path: String, result: Result)] = []
  /// The waits that it asked for; `nil` where they are not expected.
  package var waits: [Nanoseconds]?
  /// Virtual time that passed; `nil` where that is not expected.
  package var elapsed: Nanoseconds?

  /// Creates a sketch.
  package init(command: CommandTemplate, start: WallInstant) {
    self.command = command
    self.start = start
  }

  /// A text in which the paths of what is in a folder, or that of the folder alone, are those that every run has.
  package static func hiding(_ folder: String, in text: String) -> String {
    // Each path lies in the root.
    guard folder != "/" else { return text }
    let mark = PlaceMark.work.text
    return text == folder ? mark : text.replacing(folder + "/", with: mark + "/")
  }

  /// The bound on a replay of a command that has computed, or waited for what is not recorded, for so long; `nil` if the
  /// usual one will do.
  ///
  /// A replay takes no time for other waits. Few bounds, far apart, let two recordings agree: a busy machine computes longer,
  /// but not ten times.
  package static func timeout(afterBeingBusy time: Nanoseconds) -> Nanoseconds? {
    if time < .seconds(10) { return nil }
    return time < .seconds(100) ? .seconds(600) : .seconds(7_200)
  }

  // MARK: - Texts

  /// The real run of a command.
  package struct Reality: Sendable {
    /// Program and arguments as they are.
    package var command: [String]
    /// Variables with the values that they really have.
    package var environment: [(name: String, value: String)] = []
    /// Its standard input.
    package var standardInput: String?
    /// The real addresses of hosts, as pairs of `HOST:PORT`.
    package var upstreams: [(from: String, to: String)] = []
    /// True if what it asks of servers on this machine is left alone, and so not recorded.
    package var leavesLoopbackOpen = false

    /// Creates a description.
    package init(command: [String]) {
      self.command = command
    }
  }

  /// Returns the scenario that runs the command with the real clock and network.
  package func recordingText(_ reality: Reality) -> String {
    var text = head(reality.command, reality.environment, reality.standardInput)
    text += "network:\n  mode: record\n"
    text += "  loopback: \(reality.leavesLoopbackOpen ? "open" : "answered")\n"
    if !reality.upstreams.isEmpty { text += "  upstreams:\n" }
    for upstream in reality.upstreams {
      text += "    \(SketchText.quoted(upstream.from)): \(SketchText.quoted(upstream.to))\n"
    }
    if let timeout = command.timeout { text += "timeout: \(timeout)\n" }
    return text + "clock: { at: \(start), flow: real }\n"
  }

  /// The scenario that replays it.
  package var text: String {
    var text =
      hasRecording
      ? "# The recorded requests and replies are in"
        + " __recordings__/\(FileName.of(command.name)).yaml\n" : ""
    text += head(command.command, environment, command.standardInput)
    if !fixtures.isEmpty { text += "  files:\n" }
    for fixture in fixtures { text += line(of: fixture) }
    if asksThisMachine { text += "network: { loopback: answered }\n" }
    if let timeout { text += "timeout: \(timeout)\n" }
    // What is laid would be from the future, and what is written.
    let isAboutFiles = !fixtures.isEmpty || !results.isEmpty
    text += "clock: { at: \(start), flow: auto\(isAboutFiles ? ", file_times: virtual" : "") }\n"
    if let interruption { text += steps(of: interruption) }
    let expectations = expectations
    return expectations.isEmpty ? text : text + "expect:\n" + expectations
  }

  private func head(
    _ words: [String], _ environment: [(name: String, value: String)], _ input: String?
  ) -> String {
    var text = "version: 2\nname: \(SketchText.quoted(command.name))\ntarget:\n"
    let list = words.map { SketchText.quoted($0) }
    text += "  command: [\(list.joined(separator: ", "))]\n"
    if !environment.isEmpty { text += "  env:\n" }
    for variable in environment {
      let value = SketchText.value(variable.value, indentation: 6)
      text += "    \(SketchText.written(variable.name)):\(value)"
    }
    if let input {
      text += "  stdin:\(SketchText.value(input, indentation: 4))"
    }
    return text
  }

  /// Returns the steps of a person at a terminal: waiting, and pressing Ctrl-C.
  private func steps(of interruption: Interruption) -> String {
    var text = "steps:\n  - start:\n"
    text +=
      interruption.elapsed > .zero ? "  - tick: \(interruption.elapsed)\n" : "  - wait: idle\n"
    text += "  - signal: \(interruption.signal)\n"
    for program in interruption.others {
      let process = SketchText.quoted(program)
      text += "  - signal: { signal: \(interruption.signal), process: \(process) }\n"
    }
    return text + "  - wait: exit\n"
  }

  private func line(of fixture: Fixture) -> String {
    let key = "    \(SketchText.written(fixture.path)):"
    let mode = fixture.mode.map { ", " + Self.mode($0) } ?? ""
    switch fixture.content {
    case .text(let text) where fixture.mode == nil:
      return key + SketchText.value(text, indentation: 6)
    case .text(let text): return key + " { text: \(SketchText.quoted(text))\(mode) }\n"
    case .copy(let source): return key + " { file: \(SketchText.written(source))\(mode) }\n"
    case .link(let target): return key + " { symlink: \(SketchText.quoted(target)) }\n"
    case .folder: return key + " { kind: folder\(mode) }\n"
    }
  }

  private static func mode(_ bits: UInt32) -> String {
    "mode: \"0\(String(bits, radix: 8))\""
  }

  private var expectations: String {
    var text = ""
    switch ending {
    case .exit(let code)?: text += "  exit: \(code)\n"
    case .signal(let name)?: text += "  signal: \(name)\n"
    case nil: break
    }
    text += SketchText.matcher("stdout", output) + SketchText.matcher("stderr", errorOutput)
    let files = results.map { line(of: $0.result, at: $0.path) }.joined()
    if !files.isEmpty { text += "  files:\n" + files }
    if let waits {
      text += "  timers: [\(waits.map(\.description).joined(separator: ", "))]\n"
    }
    if let elapsed { text += "  duration: \(elapsed)\n" }
    return text
  }

  private func line(of result: Result, at path: String) -> String {
    let key = SketchText.written(path)
    switch result {
    case .absent: return "    \(key): { absent: true }\n"
    case .digest(let digest, let mode):
      let bits = mode.map { ", " + Self.mode($0) } ?? ""
      return "    \(key): { sha256: \(YAMLQuoting.quoted(digest))\(bits) }\n"
    case .mode(let mode): return "    \(key): { \(Self.mode(mode)) }\n"
    case .link(let target): return "    \(key): { symlink: \(SketchText.condition(target)) }\n"
    case .folder: return "    \(key): { kind: folder }\n"
    case .text(let expectation, let mode):
      return SketchText.matcher(key, expectation, beside: mode.map(Self.mode), indentation: 4)
    }
  }
}
