internal import OrderedCollections
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan

extension CaseRunner {
  /// How many files of a kept folder are attached.
  private static let fileLimit = 200
  /// How many characters of a captured value are told.
  private static let valueLimit = 500

  /// Keeps a value for later steps, and tells of it.
  func capture(_ value: Value, as name: String, in world: World) {
    world.captures.keep(value, as: name)
    // Who captures a token does so to use it, and not to read it in a report.
    let redaction = Redaction(adding: plannedCase.network?.redact ?? [])
    guard case .map(let shown) = redaction.value(.map([name: value])), let value = shown[name]
    else { return }
    let text = if case .string(let string) = value { string } else { value.jsonText() }
    let isLong = text.count > Self.valueLimit
    log.add(
      .captured(
        CapturedText(name: name, value: isLong ? text.prefix(Self.valueLimit) + "…" : text)))
  }

  /// What reports link to: the files of a folder that stays, a recording, and the run's own where the
  /// case has anything in them.
  ///
  /// - Parameters:
  ///   - directory: the case's folder, if it stays.
  ///   - recording: the path of the recording that was written.
  func attachments(
    directory: String?, recording: String?, isBad: Bool, hasRequests: Bool
  ) -> [Attachment]? {
    var list: [Attachment] = []
    if let recording { list.append(Attachment(kind: .recording, path: Self.absolute(recording))) }
    if isBad, hasRequests { list += options.archives.map { Attachment(kind: .archive, path: $0) } }
    if let directory {
      let folder = Self.absolute(directory)
      list += FileTree.files(below: folder).prefix(Self.fileLimit).map {
        Attachment(kind: .file, path: "\(folder)/\($0)")
      }
    }
    return list.isEmpty ? nil : list
  }

  private static func absolute(_ path: String) -> String {
    FileAccess.machine.canonicalPath(path) ?? path
  }
}
