internal import Glibc
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan

extension FileChecker {
  /// Why what matches a pattern is not what it must be; `nil` if it is.
  func check(_ pattern: GlobPattern, _ properties: PlannedFileProperties) -> Failure? {
    // A glob for files matches the folders that these are in as well.
    let found =
      properties.kind == .folder ? folders(pattern) : files(pattern)
    guard !found.isEmpty else {
      return properties.kind == .folder ? missingFolder(pattern) : missing(pattern)
    }
    for path in found {
      if let failure = check(path, properties) { return failure }
    }
    return nil
  }

  private func check(_ path: String, _ properties: PlannedFileProperties) -> Failure? {
    let whole = absolute(path)
    guard var status = FileStatus(entry: whole) else {
      return Failure(.system(errorNumber: errno), path: path)
    }
    let kind = status.kind
    let isLink = properties.link != nil || properties.kind == .link
    if let wanted = properties.kind ?? (isLink ? .link : nil), kind != wanted {
      return differs("\(path): expected a \(wanted.rawValue)", "a \(kind.rawValue)")
    }
    if let link = properties.link {
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(whole, &buffer, buffer.count)
      let target = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
      if let failure = checker.match(
        link, .bytes(target), type: "expect.files", name: "where \(path) leads")
      {
        return failure
      }
    }
    // Linux gives links a mode that says nothing (symlink(7)): what they lead to has one.
    if kind == .link, !isLink {
      guard let led = FileStatus(path: whole) else {
        return Failure(.system(errorNumber: errno), path: path)
      }
      status = led
    }
    let mode = status.permissions
    if let wanted = properties.mode, mode != wanted {
      return differs("\(path): expected the mode \(Self.octal(wanted))", Self.octal(mode))
    }
    guard let wanted = properties.digest else { return nil }
    do throws(FileReadError) {
      let digest = try FileDigest.sha256(of: whole)
      guard digest != wanted else { return nil }
      return differs("\(path): expected the SHA-256 \(wanted)", digest)
    } catch {
      return Failure(error, path: path)
    }
  }

  private func differs(_ message: String, _ actual: String) -> Failure {
    Failure(category: .expectation, type: "expect.files", message: message, actual: actual)
  }

  private static func octal(_ mode: UInt32) -> String { "0" + String(mode, radix: 8) }
}
