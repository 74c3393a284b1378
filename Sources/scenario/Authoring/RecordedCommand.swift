internal import Foundations
internal import ScenarioReport
internal import ScenarioRunner
internal import ScenarioTools

/// Makes a scenario of the observed run of a command.
struct RecordedCommand {
  /// The observed run, with names of files as the scenario has them.
  let seen: WatchedRun.Seen
  let place: ScenarioPlace
  let secrets: RecordedSecrets
  /// The real names of files, by those in the scenario, where these contain a secret.
  private let realNames: [String: String]

  /// The length, in bytes, beyond which a text gets a file of its own.
  private static let inlineLimit = 2_048
  /// The largest number of waits that are written out.
  private static let waitLimit = 50
  /// The suffixes of programs that an interpreter reads.
  private static let programEndings = [
    ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".pm", ".php", ".sh", ".bash", ".lua",
    ".jar", ".so", ".class", ".jq", ".awk", ".sed",
  ]
  /// Creates the recording from the observations of a command.
  init(seen: WatchedRun.Seen, place: ScenarioPlace, secrets: RecordedSecrets) {
    var shown = seen
    var realNames: [String: String] = [:]
    for path in seen.files.keys {
      let name = secrets.removed(from: path)
      guard name != path else { continue }
      shown.files[name] = shown.files.removeValue(forKey: path)
      realNames[name] = path
    }
    for path in seen.folders.keys {
      let name = secrets.removed(from: path)
      if name != path { shown.folders[name] = shown.folders.removeValue(forKey: path) }
    }
    shown.madeFolders = seen.madeFolders.map { secrets.removed(from: $0) }
    self.seen = shown
    self.place = place
    self.secrets = secrets
    self.realNames = realNames
  }

  /// The files that the command has changed, by their paths below the working directory.
  var changedPaths: [String] {
    seen.files.filter { $0.value.isChanged }.keys.sorted()
  }

  // MARK: - Files that it needs

  /// Writes copies of what the command has used, and says where they lie.
  ///
  /// - Returns: The files, and notes for the author.
  func writeFixtures() throws -> (fixtures: [RecordedTemplate.Fixture], notes: [String]) {
    var fixtures: [RecordedTemplate.Fixture] = []
    var notes: [String] = []
    let folder = place.freeFixtureFolder
    for (path, file) in seen.files.sorted(by: { $0.key < $1.key }) where file.use == .content {
      guard file.before != nil || file.linkBefore != nil else { continue }
      guard Self.canBeLaid(path) else {
        notes.append("\"\(path)\" has a name that a scenario cannot contain, and is not copied")
        continue
      }
      if let link = file.linkBefore {
        fixtures.append(fixture(path, link: link))
      } else if let bytes = file.before {
        guard !secrets.areIn(bytes) else {
          notes.append("\"\(path)\" is not text and contains a secret, and is not copied")
          continue
        }
        fixtures.append(
          RecordedTemplate.Fixture(
            path: path, content: try content(bytes, at: path, file, in: folder),
            mode: place.reported(mode: file.mode)))
      }
    }
    return (fixtures + emptyFolders(.content, beside: fixtures), notes)
  }

  /// Fixtures with the files and folders of which only the names were seen, without content.
  ///
  /// - Returns: `nil` if there are none.
  func addingNames(
    to fixtures: [RecordedTemplate.Fixture]
  ) -> [RecordedTemplate.Fixture]? {
    let named = seen.files.filter { $0.value.use == .name && Self.canBeLaid($0.key) }
    let files = named.compactMap { path, file -> RecordedTemplate.Fixture? in
      if let link = file.linkBefore { return fixture(path, link: link) }
      return file.before.map { _ in RecordedTemplate.Fixture(path: path, content: .text("")) }
    }
    let laid = fixtures.filter { if case .folder = $0.content { false } else { true } } + files
    let all = (laid + emptyFolders(.name, beside: laid)).sorted { $0.path < $1.path }
    return all.map(\.path) == fixtures.map(\.path).sorted() ? nil : all
  }

  private func fixture(_ path: String, link: String) -> RecordedTemplate.Fixture {
    let target = RecordedTemplate.hiding(place.here, in: secrets.removed(from: link))
    return RecordedTemplate.Fixture(path: path, content: .link(target))
  }

  /// Returns folders that existed and that no copied file creates.
  private func emptyFolders(
    _ use: FileUse, beside fixtures: [RecordedTemplate.Fixture]
  ) -> [RecordedTemplate.Fixture] {
    let folders = seen.folders.filter { $0.value.use >= use && Self.canBeLaid($0.key) }
    let paths = folders.keys.sorted()
    return paths.filter { folder in
      let inside = folder + "/"
      return !fixtures.contains { $0.path.hasPrefix(inside) }
        && !paths.contains { $0.hasPrefix(inside) }
    }.map { path in
      RecordedTemplate.Fixture(
        path: path, content: .folder,
        mode: folders[path].flatMap { place.reported(folderMode: $0.mode) })
    }
  }

  private func content(
    _ bytes: [UInt8], at path: String, _ file: WatchedRun.File, in folder: String
  ) throws -> RecordedTemplate.Fixture.Content {
    // A program is what is tested: it stays where it is.
    if !file.isChanged, realNames[path] == nil, Self.isProgram(bytes, path, file.mode) {
      return .copy(place.fromScenario("\(place.here)/\(path)"))
    }
    let text = Self.text(bytes).map { secrets.removed(from: $0) }
    if let text, text.utf8.count <= Self.inlineLimit { return .text(text) }
    let copy = "\(folder)/\(path)"
    _ = try NewFile.writeOrRefuse(
      text.map { Array($0.utf8) } ?? bytes, to: place.inFolder(copy))
    return .copy(copy)
  }

  private static func isProgram(_ bytes: [UInt8], _ path: String, _ mode: UInt32) -> Bool {
    mode & 0o111 != 0 || bytes.starts(with: Array("#!".utf8))
      || bytes.starts(with: [0x7F] + Array("ELF".utf8))
      || programEndings.contains { path.hasSuffix($0) }
  }

  /// Returns whether a scenario can name a path, and so lay a file there.
  private static func canBeLaid(_ path: String) -> Bool {
    !path.contains("\u{FFFD}") && !path.contains("\n")
  }

  // MARK: - What is expected

  /// Fills in what the command did; what another run did otherwise is loosened.
  ///
  /// - Returns: Notes for the author.
  @discardableResult
  func fill(_ template: inout RecordedTemplate, again: [WatchedRun.Seen]) -> [String] {
    var notes: [String] = []
    let all = [seen] + again
    let output = OutputTemplate(all.map { text($0.output, $0) })
    let errorOutput = OutputTemplate(all.map { text($0.errorOutput, $0) })
    template.output = output.expectation
    template.errorOutput = errorOutput.expectation
    for (name, stream) in [("stdout", output), ("stderr", errorOutput)] {
      if let note = stream.note { notes.append("\(name): \(note)") }
    }
    template.ending = again.allSatisfy { $0.ending == seen.ending } ? seen.ending : nil
    var results = changedPaths.compactMap { path in
      result(path, all, &notes).map { (path: path, result: $0) }
    }
    for folder in seen.madeFolders where Self.canBeLaid(folder) {
      let inside = folder + "/"
      let isTold =
        results.contains { $0.path.hasPrefix(inside) }
        || seen.madeFolders.contains { $0.hasPrefix(inside) }
      if !isTold { results.append((folder, .folder)) }
    }
    template.results = results
    fillTime(&template, again, &notes)
    return notes
  }

  private func fillTime(
    _ template: inout RecordedTemplate, _ again: [WatchedRun.Seen], _ notes: inout [String]
  ) {
    template.waits = nil
    template.elapsed = nil
    guard let first = again.first, !seen.waits.isEmpty else { return }
    guard !seen.isOutlived else {
      return notes.append("processes outlived the command; the scenario does not expect its waits")
    }
    // Runtimes with threads of their own wait for moments now and then.
    let isByChance = seen.isConcurrent && seen.waits.contains { $0 < .milliseconds(1) }
    guard again.allSatisfy({ $0.waits == seen.waits }), !seen.hasMoreWaits, !isByChance else {
      return notes.append("the waits differ from run to run; the scenario does not expect them")
    }
    guard seen.waits.count <= Self.waitLimit else {
      return notes.append(
        "the command made \(seen.waits.count) waits; the scenario does not expect them")
    }
    template.waits = seen.waits
    template.elapsed = again.allSatisfy { $0.elapsed == first.elapsed } ? first.elapsed : nil
  }

  /// The expectation on a file; `nil` for none.
  private func result(
    _ path: String, _ all: [WatchedRun.Seen], _ notes: inout [String]
  ) -> RecordedTemplate.Result? {
    guard let file = seen.files[path] else { return nil }
    if let link = file.linkAfter {
      let target = text(link, seen)
      return all.allSatisfy { run in
        run.files[path]?.linkAfter.map { text($0, run) } == target
      } ? .link(target) : nil
    }
    let contents = all.compactMap { $0.files[path]?.after }
    if contents.isEmpty { return .absent }
    guard contents.count == all.count, let bytes = contents.first else { return nil }
    let mode = expectedMode(file, all.map { $0.files[path]?.modeAfter })
    if let mode, file.before == bytes { return .mode(mode) }
    let texts = all.map { run in text(run.files[path]?.after ?? [], run) }
    let isShort =
      Self.text(bytes) != nil && bytes.count <= OutputTemplate.exactLimit
      && bytes.count { $0 == 0x0A } <= OutputTemplate.lineLimit
    let isPlain = Self.text(bytes) == nil || texts[0].utf8.elementsEqual(bytes)
    if !isShort, isPlain, contents.allSatisfy({ $0 == bytes }),
      let digest = try? FileDigest.sha256(of: "\(seen.folder)/\(realNames[path] ?? path)")
    {
      return .digest(digest, mode: mode)
    }
    let template = OutputTemplate(texts)
    if let note = template.note { notes.append("\(path): \(note)") }
    return .text(template.expectation, mode: mode)
  }

  /// The permission bits that a file is expected to have; `nil` for any.
  private func expectedMode(_ file: WatchedRun.File, _ modes: [UInt32?]) -> UInt32? {
    guard let mode = file.modeAfter, modes.allSatisfy({ $0 == mode }) else { return nil }
    if file.before != nil { return mode == file.mode ? nil : mode }
    return place.isUsual(mode: mode) ? nil : mode
  }

  // MARK: - Texts

  /// A text without secrets, and without the paths of the folders in which it was written.
  func text(_ bytes: [UInt8], _ run: WatchedRun.Seen) -> String {
    text(String(decoding: bytes, as: UTF8.self), run)
  }

  /// A text without secrets, and without the paths of the folders in which it was written.
  func text(_ text: String, _ run: WatchedRun.Seen) -> String {
    run.places.marked(secrets.removed(from: text))
  }

  /// Bytes as text that a scenario can hold; `nil` for others.
  static func text(_ bytes: [UInt8]) -> String? {
    guard let text = String(validating: bytes, as: UTF8.self),
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 || $0 == "\n" || $0 == "\t" })
    else { return nil }
    return text
  }
}
