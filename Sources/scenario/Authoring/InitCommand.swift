internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioReport
internal import ScenarioRunner

/// The command `scenario init`.
struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Create a project: settings, a passing example, a .gitignore.",
    discussion: CommandDiscussion(
      """
      Existing files are not changed.
      """,
      examples: [
        "scenario init",
        "scenario init tests/checkout",
      ]
    ).rendered)

  @Argument(help: "The project's folder.", completion: .directory)
  var folder = "."

  /// Settings that say what is so anyhow, to be changed.
  static let settings = """
    # Settings of scenario: the options of "scenario run" by their names. "scenario config" prints the effective ones.
    paths: [scenarios]

    # Settings that --profile NAME adds; automatic builds use "ci".
    profiles:
      ci:
        reports: { junit: reports/TEST-scenario.xml }

    """

  /// A scenario that passes everywhere, and shows what is unusual: an hour that takes no time.
  static let example = """
    version: 2
    name: example
    target:
      command: [sh, -c, 'date -u +%F; sleep 3600; date -u +%T']
    clock: { at: 2026-03-01T09:00:00Z, flow: auto }
    expect:
      exit: 0
      stdout: "2026-03-01\\n10:00:00"

    """

  /// The files that runs leave.
  static let ignored = [
    "/reports/", "/.scenario/last-run.json", "/.scenario/timings.json", "/.scenario/passed/",
  ]

  func run() throws {
    let prefix = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
    try write(Self.settings, to: prefix + "scenario.yml")
    try write(Self.example, to: prefix + "scenarios/example.yaml")
    try ignore(prefix + ".gitignore")
    let run = prefix.isEmpty ? "scenario run" : "cd \(ShellWord.quoted(folder)) && scenario run"
    try Console.print("next: \(run)\n")
  }

  private func write(_ text: String, to path: String) throws {
    let isNew = try NewFile.writeOrRefuse(text, to: path)
    try Console.print("\(isNew ? "wrote" : "kept") \(TerminalText.line(path))\n")
  }

  /// Adds the lines that are missing; lines in other words are not recognized.
  private func ignore(_ path: String) throws {
    guard let bytes = try? FileTree.read(path, limit: 1 << 20) else {
      return try write(Self.ignored.map { $0 + "\n" }.joined(), to: path)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = Set(text.split { $0.isNewline }.map(String.init))
    let missing = Self.ignored.filter { !lines.contains($0) }
    guard !missing.isEmpty else {
      return try Console.print("kept \(TerminalText.line(path))\n")
    }
    let separator: [UInt8] = bytes.isEmpty || bytes.last == 0x0A ? [] : [0x0A]
    do throws(FileReadError) {
      try FileTree.rewrite(
        path, with: bytes + separator + Array(missing.map { $0 + "\n" }.joined().utf8))
    } catch {
      throw NewFile.refusal(
        ReportError(
          error.writeMessage(path: path), path: path, help: "make the file writable"))
    }
    try Console.print("added \(missing.joined(separator: " and ")) to \(TerminalText.line(path))\n")
  }
}

/// Files that a command writes where none exists.
enum NewFile {
  /// Writes a file unless there is one.
  ///
  /// - Returns: Whether it was written.
  /// - Throws: If it cannot be.
  static func write(_ text: String, to path: String) throws(ReportError) -> Bool {
    try write(Array(text.utf8), to: path)
  }

  /// Writes a file unless there is one; that it cannot be is reported: exit code 3.
  ///
  /// - Returns: Whether it was written.
  static func writeOrRefuse(_ text: String, to path: String) throws -> Bool {
    try writeOrRefuse(Array(text.utf8), to: path)
  }

  /// Writes a file of bytes unless there is one; that it cannot be is reported: exit code 3.
  ///
  /// - Returns: Whether it was written.
  static func writeOrRefuse(_ bytes: [UInt8], to path: String) throws -> Bool {
    do throws(ReportError) {
      return try write(bytes, to: path)
    } catch {
      throw refusal(error)
    }
  }

  /// Writes a file of bytes unless there is one.
  ///
  /// - Returns: Whether it was written.
  /// - Throws: If it cannot be.
  static func write(_ bytes: [UInt8], to path: String) throws(ReportError) -> Bool {
    _ = try makeFolders(leadingTo: path)
    // open(2): O_EXCL takes no link either, whatever it leads to.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      guard errno != EEXIST else { return false }
      throw failure("write", path)
    }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else {
        let error = failure("write", path)
        unlink(path)
        throw error
      }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }

  /// Makes the folders that a file needs.
  ///
  /// - Returns: Those that were made, the outermost first.
  static func makeFolders(leadingTo path: String) throws(ReportError) -> [String] {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    var folders: [String] = []
    while !parts.isEmpty {
      folders.insert(parts.joined(separator: "/"), at: 0)
      parts.removeLast()
    }
    var made: [String] = []
    for folder in folders where !folder.isEmpty {
      if mkdir(folder, 0o755) == 0 {
        made.append(folder)
      } else if errno != EEXIST {
        throw failure("create", folder)
      }
    }
    return made
  }

  private static func failure(_ verb: String, _ path: String) -> ReportError {
    ReportError(verb, path, errorNumber: errno)
  }

  /// Reports why a file could not be written: exit code 3.
  static func refusal(_ error: ReportError) -> ArgumentParser.ExitCode {
    Console.report(error)
    return ArgumentParser.ExitCode(ScenarioReport.ExitCode.undecided.rawValue)
  }
}
