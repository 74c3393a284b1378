internal import Foundations
internal import Glibc
internal import MockEngine
internal import MockServer
internal import ScenarioEvents
internal import ScenarioPlan

extension CaseRunner {
  /// Writes down what real hosts said in mode `record`.
  ///
  /// The recording of a case that went well takes the place of the one before. A case that failed may
  /// have stopped half-way: what it heard is laid beside, and what was there stays.
  ///
  /// - Parameter note: receives what a replay leaves out.
  /// - Returns: the path of what was written; `nil` if nothing was.
  @discardableResult
  func writeRecording(
    of world: CaseEnvironment, note: (String) -> Void = { _ in }
  ) -> String? {
    guard let network = plannedCase.network, network.records, let mockServer = world.mockServer,
      let path = network.recordingPath
    else { return nil }
    let exchanges = mockServer.exchanges()
    let isWhole = log.failures.isEmpty || keepsEveryRecording
    let unreachable = mockServer.unreachable()
    guard !exchanges.isEmpty || !unreachable.isEmpty || isWhole else { return nil }
    let place = RecordingPlace(path: path, isWhole: isWhole)
    var recording = Recording(
      of: exchanges, unreachable: unreachable, title: title(at: place), folder: place.folderName,
      redaction: Redaction(adding: network.redact, values: options.secrets),
      keepsBytes: keepsEveryRecording)
    recording.redact(options.secrets)
    let omissions =
      recording.cutReplies.map { request in
        "the reply to \(request) is longer than \(RecordedReply.maximumKeptBody >> 20) MiB"
          + " and was not recorded"
      }
      + recording.secretExchanges.map { request in
        "a binary body or message of \(request) contains a secret, so the exchange was not recorded"
      }
      + recording.uncheckedRequests.map { "a replay does not compare the body of \($0)" }
    for omission in omissions {
      log.add(.warning(omission, range: nil))
      note(omission)
    }
    do {
      try write(recording, to: place)
      guard !isWhole else {
        let former = RecordingPlace(path: path, isWhole: false)
        if case .own = state(of: former, for: recording) { former.remove() }
        return place.path
      }
      log.add(
        .warning(
          "the scenario failed, so its recording was not changed; this run's exchanges"
            + " are in \"\(place.path)\"", range: plannedCase.range))
      return place.path
    } catch {
      log.fail(error)
      return nil
    }
  }

  /// The title in the recording's first line.
  private func title(at place: RecordingPlace) -> String {
    RecordingTitle(of: plannedCase.name, in: plannedCase.file, at: place.path).text
  }

  /// What is at a recording's place.
  private enum PlaceState {
    /// Nothing.
    case free
    /// A recording of this scenario, or of one that was in its file and is gone.
    case own
    /// A recording of another scenario.
    case other(title: String)
    /// Anything else.
    case foreign
  }

  private func state(of place: RecordingPlace, for recording: Recording) -> PlaceState {
    var status = stat()
    guard lstat(place.path, &status) == 0 else { return .free }
    guard let bytes = try? FileTree.read(place.path),
      let found = Recording.title(of: String(decoding: bytes, as: UTF8.self))
    else { return .foreign }
    // Secrets in the title are replaced, as all others are.
    let own = Recording.title(of: recording.text) ?? title(at: place)
    return RecordingTitle(found).isReplaceable(by: own, of: plannedCase.file, at: place.path)
      ? .own : .other(title: found)
  }

  /// Writes where nothing is, or a recording of the same scenario.
  private func write(_ recording: Recording, to place: RecordingPlace) throws(Failure) {
    switch state(of: place, for: recording) {
    case .free: try place.write(recording, replaces: false)
    case .own: try place.write(recording, replaces: true)
    case .other(let title):
      throw refusal(
        "\"\(place.path)\" is the recording of another scenario: \(title)",
        help: "if that scenario is gone, remove its recording: \(place.removal);"
          + " otherwise give one of the two scenarios another name,"
          + " or another \"recording\" of \"network\"")
    case .foreign:
      let path = ShellWord.quoted(place.path)
      throw refusal(
        "\"\(place.path)\" is no recording, so it is not overwritten",
        help: "write another path as \"recording\" of \"network\", or move the file away:"
          + " mv \(path) \(ShellWord.quoted(place.path + ".old"))")
    }
  }

  private func refusal(_ message: String, help: String) -> Failure {
    Failure(
      category: .error, type: "network.recording", message: message, range: plannedCase.range,
      help: help)
  }
}

/// The file of a recording and the folder of bodies beside it.
struct RecordingPlace {
  let path: String
  let folderName: String

  init(path: String, isWhole: Bool) {
    let stem = String(path.dropLast(".yaml".count)) + (isWhole ? "" : ".partial")
    self.path = stem + ".yaml"
    folderName = stem.split(separator: "/").last.map(String.init) ?? stem
  }

  private var folder: String { String(path.dropLast(".yaml".count)) }

  /// Writes bodies first and the file that names them last, so that it never names what is not
  /// there.
  ///
  /// Files are readable for everybody, as all files that are checked in.
  ///
  /// - Parameter replaces: Whether a recording is there, so that the bodies are its own.
  func write(_ recording: Recording, replaces: Bool) throws(Failure) {
    if !replaces { try checkBodies(recording.bodies) }
    try makeFolder(path.parentFolder)
    if !recording.bodies.isEmpty { try makeFolder(folder) }
    for body in recording.bodies {
      try replace("\(folder)/\(body.name)", with: body.bytes)
    }
    try replace(path, with: Array(recording.text.utf8))
    if replaces { removeBodies(but: Set(recording.bodies.map(\.name))) }
  }

  /// The command that removes the recording.
  var removal: String {
    let bodies = FileTree.isFolder(folder) ? " " + ShellWord.quoted(folder) : ""
    return "rm \(bodies.isEmpty ? "" : "-r ")\(ShellWord.quoted(path))\(bodies)"
  }

  /// Makes sure that bodies overwrite no file of anybody else.
  private func checkBodies(_ bodies: [Recording.BodyFile]) throws(Failure) {
    for body in bodies {
      let path = "\(folder)/\(body.name)"
      var status = stat()
      guard lstat(path, &status) == 0, (try? FileTree.read(path)) != body.bytes else { continue }
      let quoted = ShellWord.quoted(folder)
      throw Failure(
        category: .error, type: "network.recording",
        message: "\"\(path)\" exists, and no recording that it belongs to",
        help: "move the folder away: mv \(quoted) \(ShellWord.quoted(folder + ".old"))")
    }
  }

  /// Removes what a run that failed has left.
  func remove() {
    removeBodies(but: [])
    unlink(path)
  }

  private func makeFolder(_ folder: String) throws(Failure) {
    guard mkdir(folder, 0o755) != 0, errno != EEXIST else { return }
    throw failure(folder, errno)
  }

  /// Replaces a file's content at one moment: rename(2) replaces, and what is renamed is on the
  /// disk.
  private func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
    let partial = path + ".part"
    unlink(partial)
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw failure(path, errno) }
    var code: Int32 = 0
    var written = 0
    while written < bytes.count, code == 0 {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, bytes.count - written)
      }
      if count > 0 { written += count } else if errno != EINTR { code = errno }
    }
    if code == 0, fsync(descriptor) != 0 { code = errno }
    if close(descriptor) != 0, code == 0 { code = errno }
    if code == 0, rename(partial, path) != 0 { code = errno }
    guard code != 0 else { return }
    unlink(partial)
    throw failure(path, code)
  }

  /// Removes the numbered bodies of a recording that was here before.
  private func removeBodies(but kept: Set<String>) {
    for path in FileTree.files(below: folder) {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let isBody = name.prefix { $0 != "." }.allSatisfy(\.isNumber) && path == name
      if isBody, !kept.contains(name) { unlink("\(folder)/\(name)") }
    }
    if kept.isEmpty { rmdir(folder) }
  }

  private func failure(_ path: String, _ code: Int32) -> Failure {
    Failure(
      category: .error, type: "network.recording",
      message: "the recording \"\(path)\" cannot be written: \(SystemText.error(code))",
      help: "make the folder writable, or remove \"mode: record\"")
  }
}
