internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// What a command has shown in the real world, made into what a scenario says.
struct RecordedCommand {
  let seen: WatchedRun.Seen
  let place: ScenarioPlace
  let redactor: SecretRedactor

  /// Longer texts lie in files of their own.
  private static let inlineLimit = 2_048
  /// More waits are not written out.
  private static let waitLimit = 50
  /// What the names of programs end with that an interpreter reads.
  private static let programEndings = [
    ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".pm", ".php", ".sh", ".bash", ".lua",
    ".jar", ".so", ".class", ".jq", ".awk", ".sed",
  ]
  /// What a folder holds in the scenario that was empty, or of which nothing is laid, as git has it.
  private static let keeper = ".keep"

  /// The files that the command has changed, by their paths below the working directory.
  var changedPaths: [String] {
    seen.files.filter { $0.value.isChanged }.keys.sorted()
  }

  // MARK: - Files that it needs

  /// Writes copies of what the command has used, and says where they lie.
  ///
  /// - Returns: The files, and notes for the author.
  func writeFixtures() throws -> (fixtures: [RecordedSketch.Fixture], notes: [String]) {
    var fixtures: [RecordedSketch.Fixture] = []
    var notes: [String] = []
    for (path, file) in seen.files.sorted(by: { $0.key < $1.key }) {
      guard file.use == .content, let bytes = file.before else { continue }
      guard Self.canBeLaid(path) else {
        notes.append("\"\(path)\" has a name that no scenario can hold, and is not laid")
        continue
      }
      guard !hidesSecret(bytes) else {
        notes.append("\"\(path)\" is no text and holds a secret, and is not laid")
        continue
      }
      fixtures.append(
        RecordedSketch.Fixture(
          path: path, content: try content(bytes, at: path, file),
          isExecutable: file.mode & 0o111 != 0))
    }
    for folder in emptyFolders(.content, beside: fixtures) {
      fixtures.append(Self.empty("\(folder)/\(Self.keeper)"))
    }
    return (fixtures, notes)
  }

  /// Fixtures with the files and folders of which only the names were seen, without content.
  ///
  /// - Returns: `nil` if there are none.
  func addingNames(
    to fixtures: [RecordedSketch.Fixture]
  ) -> [RecordedSketch.Fixture]? {
    let files = seen.files.filter {
      $0.value.use == .name && $0.value.before != nil && Self.canBeLaid($0.key)
    }.keys.map { Self.empty($0) }
    let laid = fixtures.filter { !$0.path.hasSuffix("/" + Self.keeper) } + files
    let kept = emptyFolders(.name, beside: laid).map { Self.empty("\($0)/\(Self.keeper)") }
    let known = Set(laid.map(\.path))
    let own = fixtures.filter { seen.files[$0.path] != nil && !known.contains($0.path) }
    let all = (laid + own + kept).sorted { $0.path < $1.path }
    return all.map(\.path) == fixtures.map(\.path).sorted() ? nil : all
  }

  private static func empty(_ path: String) -> RecordedSketch.Fixture {
    RecordedSketch.Fixture(path: path, content: .text(""), isExecutable: false)
  }

  /// Folders that were there, into which nothing is laid that would make them.
  private func emptyFolders(
    _ use: FileUse, beside fixtures: [RecordedSketch.Fixture]
  ) -> [String] {
    let folders = seen.folders.filter { $0.value >= use && Self.canBeLaid($0.key) }.keys.sorted()
    return folders.filter { folder in
      let inside = folder + "/"
      return !fixtures.contains { $0.path.hasPrefix(inside) }
        && !folders.contains { $0.hasPrefix(inside) }
    }
  }

  private func content(
    _ bytes: [UInt8], at path: String, _ file: WatchedRun.File
  ) throws -> RecordedSketch.Fixture.Content {
    // A program is what is tested: it stays where it is.
    if !file.isChanged, Self.isProgram(bytes, path, file.mode) {
      return .copy(place.fromScenario("\(place.here)/\(path)"))
    }
    let text = Self.text(bytes).map { redactor.redacted($0) }
    if let text, text.utf8.count <= Self.inlineLimit { return .text(text) }
    let copy = "\(place.fixtureFolder)/\(path)"
    do throws(ReportError) {
      _ = try NewFile.write(text.map { Array($0.utf8) } ?? bytes, to: place.inFolder(copy))
    } catch {
      throw NewFile.refusal(error)
    }
    return .copy(copy)
  }

  /// Whether bytes that cannot be redacted, as they are no text, hold what nobody may see.
  private func hidesSecret(_ bytes: [UInt8]) -> Bool {
    guard !redactor.isEmpty, Self.text(bytes) == nil else { return false }
    // Of the bytes that are no ASCII, none is part of a secret that could be found.
    let text = String(decoding: bytes.map { $0 < 0x80 ? $0 : 0x20 }, as: UTF8.self)
    return redactor.redacted(text) != text
  }

  private static func isProgram(_ bytes: [UInt8], _ path: String, _ mode: UInt32) -> Bool {
    mode & 0o111 != 0 || bytes.starts(with: Array("#!".utf8))
      || bytes.starts(with: [0x7F] + Array("ELF".utf8))
      || programEndings.contains { path.hasSuffix($0) }
  }

  /// What cannot be named in a scenario cannot be laid.
  private static func canBeLaid(_ path: String) -> Bool {
    !path.contains("\u{FFFD}") && !path.contains("\n")
  }

  // MARK: - What is expected

  /// Fills in what the command did; what another run did otherwise is loosened.
  ///
  /// - Returns: Notes for the author.
  @discardableResult
  func fill(_ sketch: inout RecordedSketch, again: [WatchedRun.Seen]) -> [String] {
    var notes: [String] = []
    let all = [seen] + again
    let output = OutputSketch(all.map { text($0.output, $0) })
    let errorOutput = OutputSketch(all.map { text($0.errorOutput, $0) })
    sketch.output = output.expectation
    sketch.errorOutput = errorOutput.expectation
    for (name, stream) in [("stdout", output), ("stderr", errorOutput)] {
      if let note = stream.note { notes.append("\(name): \(note)") }
    }
    sketch.ending = again.allSatisfy { $0.ending == seen.ending } ? seen.ending : nil
    sketch.results = changedPaths.compactMap { path in
      result(path, all, &notes).map { (path, $0) }
    }
    fillTime(&sketch, again.first, &notes)
    return notes
  }

  private func fillTime(
    _ sketch: inout RecordedSketch, _ again: WatchedRun.Seen?, _ notes: inout [String]
  ) {
    sketch.waits = nil
    sketch.elapsed = nil
    guard let again, !seen.waits.isEmpty else { return }
    guard again.waits == seen.waits, !seen.hasMoreWaits else {
      return notes.append("the waits differ from run to run; they are not expected")
    }
    guard seen.waits.count <= Self.waitLimit else {
      return notes.append("there are \(seen.waits.count) waits; they are not expected")
    }
    sketch.waits = seen.waits
    sketch.elapsed = again.elapsed
  }

  /// What is to be expected of a file; `nil` for nothing.
  private func result(
    _ path: String, _ all: [WatchedRun.Seen], _ notes: inout [String]
  ) -> RecordedSketch.Result? {
    let contents = all.compactMap { $0.files[path]?.after }
    if contents.isEmpty { return .absent }
    guard contents.count == all.count, let bytes = contents.first else { return nil }
    let texts = all.map { run in text(run.files[path]?.after ?? [], run) }
    let isShort =
      Self.text(bytes) != nil && bytes.count <= OutputSketch.exactLimit
      && bytes.count { $0 == 0x0A } <= OutputSketch.lineLimit
    let isPlain = Self.text(bytes) == nil || texts[0].utf8.elementsEqual(bytes)
    if !isShort, isPlain, contents.allSatisfy({ $0 == bytes }),
      let digest = try? FileDigest.sha256(of: "\(seen.folder)/\(path)")
    {
      return .digest(digest)
    }
    let sketch = OutputSketch(texts)
    if let note = sketch.note { notes.append("\(path): \(note)") }
    return .text(sketch.expectation)
  }

  // MARK: - What a replay does otherwise

  /// What another run did otherwise, each in a line; empty if it was the same.
  func differences(from again: WatchedRun.Seen) -> [String] {
    var found: [String] = []
    if seen.ending != again.ending {
      func words(_ ending: CommandSketch.Ending?) -> String {
        ending.map { NewCommand.words(for: $0) } ?? "not at all"
      }
      found.append("it ended \(words(again.ending)), and \(words(seen.ending)) for real")
    }
    compare("stdout", seen.output, again.output, again, &found)
    compare("stderr", seen.errorOutput, again.errorOutput, again, &found)
    for path in changedPaths {
      let real = seen.files[path]?.after
      let replayed = again.files[path]?.after
      switch (real, replayed) {
      case (nil, nil): break
      case (nil, _?): found.append("\(path) is there, and was not for real")
      case (_?, nil): found.append("\(path) is not there, and was for real")
      case (let real?, let replayed?): compare(path, real, replayed, again, &found)
      }
    }
    return found
  }

  private func compare(
    _ name: String, _ real: [UInt8], _ replayed: [UInt8], _ again: WatchedRun.Seen,
    _ found: inout [String]
  ) {
    guard real != replayed else { return }
    guard Self.text(real) != nil, Self.text(replayed) != nil else {
      let place = zip(real, replayed).prefix { $0 == $1 }.count
      return found.append(
        "\(name) has other bytes from byte \(place + 1) on: \(replayed.count) of them, and"
          + " \(real.count) for real")
    }
    let lines = text(real, seen).split(separator: "\n", omittingEmptySubsequences: false)
    let others = text(replayed, again).split(separator: "\n", omittingEmptySubsequences: false)
    // Expectations leave one final newline aside.
    guard lines.withoutFinalLine != others.withoutFinalLine else { return }
    let index = zip(lines, others).prefix { $0 == $1 }.count
    func quoted(_ lines: [Substring]) -> String {
      guard index < lines.count else { return "missing" }
      let line = lines[index].prefix(80)
      let end = line.count < lines[index].count ? "…" : ""
      return "\"\(RecordedSketch.showing(String(line)))\(end)\""
    }
    let more = zip(lines, others).dropFirst(index + 1).count { $0 != $1 }
    found.append(
      "\(name), line \(index + 1), is \(quoted(others)), and was \(quoted(lines)) for real"
        + (more > 0 ? "; \(more) more line\(more == 1 ? "" : "s") differ" : ""))
  }

  // MARK: - Texts

  /// A text without secrets, and without the path of the folder in which it was written.
  private func text(_ bytes: [UInt8], _ run: WatchedRun.Seen) -> String {
    RecordedSketch.hiding(
      run.folder, in: redactor.redacted(String(decoding: bytes, as: UTF8.self)))
  }

  /// Bytes as text that a scenario can hold; `nil` for others.
  private static func text(_ bytes: [UInt8]) -> String? {
    guard let text = String(validating: bytes, as: UTF8.self),
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 || $0 == "\n" || $0 == "\t" })
    else { return nil }
    return text
  }
}

extension [Substring] {
  /// Lines without what stands behind the final newline, if that is nothing.
  fileprivate var withoutFinalLine: ArraySlice<Substring> {
    last?.isEmpty == true ? dropLast() : self[...]
  }
}
