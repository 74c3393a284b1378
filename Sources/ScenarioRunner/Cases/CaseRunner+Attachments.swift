internal import Foundations
internal import MockEngine
internal import OrderedCollections
internal import ScenarioCompiler
internal import ScenarioEvents
internal import ScenarioPlan

extension CaseRunner {
  /// The maximum number of files of a kept folder that are attached.
  private static let fileLimit = 200
  /// The maximum number of characters of a captured value that are reported.
  private static let valueLimit = 500

  /// Keeps a value for later steps, and reports it.
  func capture(_ value: Value, as name: String, in world: CaseEnvironment) {
    world.captures.keep(value, as: name)
    // Who captures a token does so to use it, and not to read it in a report.
    let redaction = Redaction(adding: plannedCase.network?.redact ?? [])
    guard case .map(let members) = redaction.value(.map([name: value])), let shown = members[name]
    else { return }
    var text = Self.text(of: shown)
    // In a report every secret is called alike.
    if !Self.text(of: value).contains(Redaction.placeholder) {
      text = text.replacing(Redaction.placeholder, with: SecretRedactor.placeholder)
    }
    let isLong = text.count > Self.valueLimit
    log.add(
      .captured(
        CapturedText(name: name, value: isLong ? text.prefix(Self.valueLimit) + "…" : text)))
  }

  private static func text(of value: Value) -> String {
    if case .string(let string) = value { string } else { value.jsonText() }
  }

  /// Returns the attachments of reports: the files of a folder that stays, a recording, and the
  /// run's own where the case has anything in them.
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
      let listing = TreeListing(folder, ignoring: GlobSet([]))
      let files = listing?.paths.filter { listing?.entries[$0]?.node.kind != .folder } ?? []
      list += files.prefix(Self.fileLimit).map { Self.attachment($0, below: folder) }
    }
    return list.isEmpty ? nil : list
  }

  private static func attachment(_ path: TreePath, below folder: String) -> Attachment {
    if let text = String(validating: path.bytes, as: UTF8.self) {
      return Attachment(kind: .file, path: "\(folder)/\(text)")
    }
    let whole = Array(folder.utf8) + [UInt8(ascii: "/")] + path.bytes
    return Attachment(
      kind: .file, path: "\(folder)/\(path.text)",
      address: "file://" + PercentEncoding.encodedPath(whole))
  }

  private static func absolute(_ path: String) -> String {
    FileAccess.machine.canonicalPath(path) ?? path
  }
}
