internal import Foundations
internal import Glibc
internal import Patterns
internal import ScenarioEvents
internal import ScenarioPlan

extension FileChecker {
  /// Checks everything that matches a pattern: a failure for each that differs.
  func check(_ pattern: GlobPattern, _ properties: PlannedFileProperties) -> [Failure] {
    // A glob for files matches the folders that these are in as well.
    let listing = listing(pattern)
    let found = properties.kind == .folder ? listing.folders : listing.files
    guard !found.isEmpty else {
      let absence = properties.kind == .folder ? missingFolder(pattern) : missing(pattern)
      return [listing.unlisted ?? absence]
    }
    var failures = listing.unlisted.list
    for path in found where failures.count < Mismatch.limit { failures += check(path, properties) }
    return failures
  }

  private func check(_ path: String, _ properties: PlannedFileProperties) -> [Failure] {
    let whole = absolute(path)
    guard var status = FileStatus(entry: whole) else {
      return [Failure(.system(errorNumber: errno), path: path)]
    }
    let kind = status.kind
    let isLink = properties.link != nil || properties.kind == .link
    if let wanted = properties.kind ?? (isLink ? .link : nil), kind != wanted {
      return [differs("\(path): expected a \(wanted.rawValue)", "a \(kind.rawValue)")]
    }
    var failures: [Failure] = []
    if let link = properties.link {
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(whole, &buffer, buffer.count)
      let target = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
      failures += checker.match(
        link, .bytes(target), type: "expect.files", name: "where \(path) leads")
    }
    // Linux gives links a mode that says nothing (symlink(7)): what they lead to has one.
    if kind == .link, !isLink {
      guard let led = FileStatus(path: whole) else {
        return failures + [Failure(.system(errorNumber: errno), path: path)]
      }
      status = led
    }
    let mode = status.permissions
    if let wanted = properties.mode, mode != wanted {
      failures.append(
        differs("\(path): expected the mode \(Self.octal(wanted))", Self.octal(mode)))
    }
    guard let wanted = properties.digest else { return failures }
    do throws(FileReadError) {
      let digest = try FileDigest.sha256(of: whole)
      guard digest != wanted else { return failures }
      return failures + [differs("\(path): expected the SHA-256 \(wanted)", digest)]
    } catch {
      return failures + [Failure(error, path: path)]
    }
  }

  private func differs(_ message: String, _ actual: String) -> Failure {
    Failure(category: .expectation, type: "expect.files", message: message, actual: actual)
  }

  private static func octal(_ mode: UInt32) -> String { "0" + String(mode, radix: 8) }
}
