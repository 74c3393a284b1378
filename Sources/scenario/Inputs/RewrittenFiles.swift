internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioReport
internal import ScenarioRunner

/// Files that a command writes anew: `fmt` and `upgrade`.
struct RewrittenFiles {
  /// The diagnostics so far.
  private(set) var diagnostics: [Diagnostic] = []
  private var sources: [String: String] = [:]
  private(set) var failures = 0

  /// The word for standard input on the command line.
  static let standardInput = "-"

  /// The files that paths name, and the files below the folders among them.
  mutating func expand(_ paths: [String]) -> [String] {
    var files: [String] = []
    for path in paths {
      guard path == Self.standardInput || access(path, F_OK) == 0 else {
        diagnostics.append(
          Diagnostic(
            "cannot read \"\(path)\": \(SystemText.error(errno))", code: .unreadableFile,
            at: nil,
            help: "name a scenario file, a folder that contains some, or - for standard input"))
        continue
      }
      files += FileTree.isFolder(path) ? ScenarioFiles.below(path) : [path]
    }
    var seen: Set<String> = []
    return files.filter { seen.insert($0).inserted }
  }

  /// The bytes of a file; `nil` if it cannot be read.
  mutating func read(_ path: String) -> [UInt8]? {
    do throws(FileReadError) {
      let bytes = path == Self.standardInput ? try Self.readInput() : try FileTree.read(path)
      sources[Self.name(of: path)] = String(decoding: bytes, as: UTF8.self)
      return bytes
    } catch {
      diagnostics.append(
        Diagnostic(error.message(path: Self.name(of: path)), code: .unreadableFile, at: nil))
      return nil
    }
  }

  /// The name of a file in messages.
  static func name(of path: String) -> String {
    path == standardInput ? "standard input" : path
  }

  /// Records why a file stays as it is.
  mutating func refuse(_ found: [Diagnostic]) {
    diagnostics += found
  }

  /// Replaces a file's content at one moment, its mode kept; a symbolic link stays one.
  ///
  /// - Returns: Whether it was written.
  mutating func write(_ text: String, to path: String) -> Bool {
    do throws(FileReadError) {
      try FileTree.rewrite(path, with: Array(text.utf8))
      return true
    } catch {
      diagnostics.append(
        Diagnostic(
          error.writeMessage(path: path), code: .unwrittenReport, at: nil,
          help: "the file stays as it was"))
      failures += 1
      return false
    }
  }

  /// Reports the mistakes.
  ///
  /// - Throws: Exit code 3 if a file could not be written, else 2 if one was refused.
  func finish(usesColour: Bool) throws {
    let renderer = DiagnosticRenderer(isColoured: usesColour) { sources[$0] }
    for diagnostic in diagnostics { Console.report(renderer.render(diagnostic) + "\n") }
    guard !diagnostics.isEmpty else { return }
    let code: ScenarioReport.ExitCode = failures > 0 ? .undecided : .invalidInput
    throw ArgumentParser.ExitCode(code.rawValue)
  }

  /// Reads standard input to its end.
  static func readInput() throws(FileReadError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system(errorNumber: errno) }
      guard count > 0 else { return bytes }
      guard bytes.count + count <= FileTree.readLimit else {
        throw .tooLarge(limit: FileTree.readLimit)
      }
      bytes += buffer[..<count]
    }
  }
}
