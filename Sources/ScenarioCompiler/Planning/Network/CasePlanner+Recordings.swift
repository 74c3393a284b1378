internal import Foundations
internal import MockEngine
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioSyntax

extension CasePlanner {
  /// The path of the case's recording: what `recording` says, or `__recordings__/NAME.yaml` beside the scenario file.
  var recordingPath: String {
    if let path = body.network?.recording {
      return PathText.join(folder(at: path.range), path.value)
    }
    return PathText.join(
      folder, "\(Self.recordingFolder)/\(FileName.of(entry.name.value)).yaml")
  }

  /// The folder of recordings, beside the scenario file.
  private static let recordingFolder = "__recordings__"

  /// The modes of hosts that differ.
  var plannedHosts: [PlannedHostMode] {
    // A mode from the command line holds for every host but those that are to be left alone.
    guard options.networkMode == nil else {
      return (body.network?.hosts ?? []).filter { $0.mode.value == .live }.map {
        PlannedHostMode(pattern: $0.pattern.value, mode: .live)
      }
    }
    return (body.network?.hosts ?? []).map {
      PlannedHostMode(pattern: $0.pattern.value, mode: $0.mode.value)
    }
  }

  /// The responses of `import:`, in order, and behind them those of the case's own recording, if there is one.
  mutating func importedResponses() -> [ResponseEntry] {
    var entries: [ResponseEntry] = []
    var imported: [String] = []
    for path in body.network?.imports ?? [] {
      let whole = PathText.join(folder, path.value)
      for file in options.filesBelow(whole)?.filter(ImportedResponses.mayRead) ?? [whole] {
        entries += importResponses(from: file, at: path.range)
        imported.append(PathText.join("", file))
      }
    }
    let mode = options.networkMode ?? body.network?.mode?.value ?? .offline
    checkRecording(mode, beside: imported)
    guard mode == .offline || mode == .spy || !plannedHosts.isEmpty,
      options.readFile(recordingPath) != nil
    else { return entries }
    return entries + importResponses(from: recordingPath, at: entry.range)
  }

  /// Checks the path of a recording that the author names.
  ///
  /// - Parameter imported: The paths of the files of `import:`.
  private mutating func checkRecording(
    _ mode: NetworkSettings.Mode, beside imported: [String]
  ) {
    guard let path = body.network?.recording else { return }
    let records = mode == .record || plannedHosts.contains { $0.mode == .record }
    let place = PathText.join("", recordingPath)
    if !path.value.hasSuffix(".yaml") {
      report(
        "the recording \"\(path.value)\" must end in .yaml", code: .badName, at: path.range,
        help: "write a path such as __recordings__/login.yaml")
    } else if mode == .live {
      report(
        "\"recording\" has no effect: the network is live", code: .noEffect, at: path.range,
        help: "remove it, or \"mode: live\"")
    } else if place == PathText.join("", file) || shared.contains(where: { $0.path == place }) {
      report(
        "\"\(path.value)\" is a scenario file, and no recording", code: .contradictory,
        at: path.range, help: "write a path such as __recordings__/login.yaml")
    } else if records, row != nil,
      !recordingsOfRows[entry.range, default: []].insert(place).inserted
    {
      report(
        "several rows of the matrix would record into \"\(path.value)\"", code: .contradictory,
        at: path.range,
        help:
          "remove \"recording\", so that each row has a recording of its own, or name it by the row, as in"
          + " __recordings__/${{ matrix.NAME }}.yaml")
    } else if records || imported.contains(place), isNoRecording(recordingPath) {
      report(
        "\"\(path.value)\" is no recording, so it is not overwritten", code: .contradictory,
        at: path.range, help: "write the path of a file that does not exist, or of a recording")
    } else if !records, options.readFile(recordingPath) == nil {
      report(
        "the recording \"\(recordingPath)\" does not exist", code: .missingFile, at: path.range,
        help: "record it with --network record, or write the path relative to the scenario file")
    }
  }

  /// Returns whether there is a file without the title of a recording.
  private func isNoRecording(_ path: String) -> Bool {
    guard let bytes = options.readFile(path) else { return false }
    return Recording.title(of: String(decoding: bytes, as: UTF8.self)) == nil
  }

  private mutating func importResponses(
    from path: String, at range: SourceRange
  ) -> [ResponseEntry] {
    guard let bytes = options.readFile(path) else {
      report(
        "\"\(path)\" cannot be read", code: .missingFile, at: range,
        help: "write the path relative to the scenario file's folder")
      return []
    }
    let (entries, diagnostics) = ImportedResponses.parse(bytes: bytes, path: path)
    for diagnostic in diagnostics { data.diagnostics.report(diagnostic) }
    return entries.map { rebased($0, onto: path) }
  }

  /// Files that an imported entry names count from its own folder, and from the scenario file's here.
  private func rebased(_ entry: ResponseEntry, onto path: String) -> ResponseEntry {
    let home = folder
    let folder = PathText.folder(of: path)
    var prefix = folder
    if !home.isEmpty, folder == home {
      prefix = ""
    } else if !home.isEmpty, folder.hasPrefix(home + "/") {
      prefix = String(folder.dropFirst(home.count + 1))
    }
    var entry = entry
    for index in entry.replies.indices {
      if case .file(let file) = entry.replies[index].body {
        entry.replies[index].body = .file(file.moved(below: prefix))
      }
    }
    guard case .http(var pattern) = entry.match else { return entry }
    func moved(_ bytes: ExactBytes?) -> ExactBytes? {
      guard case .file(let name)? = bytes else { return bytes }
      return .file(Located(PathText.join(prefix, name.value), at: name.range))
    }
    pattern.more.bytes = moved(pattern.more.bytes)
    for index in pattern.more.parts.indices {
      pattern.more.parts[index].bytes = moved(pattern.more.parts[index].bytes)
    }
    entry.match = .http(pattern)
    return entry
  }
}
