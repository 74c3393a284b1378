internal import Cryptography
internal import Foundations
internal import Glibc
internal import OrderedCollections
internal import ScenarioReport
internal import ScenarioRunner

/// `.scenario/passed` in the project's folder: how each case was when it passed last, as a page shows it.
///
/// A file has two lines: whose it is and who wrote it, and the case. Both are JSON. It is a help for whoever looks at a
/// failure, so that nothing fails if it cannot be written or read.
struct PassedCases: Sendable {
  /// The folder's path below the project's folder.
  static let name = ".scenario/passed"
  /// The maximum number of bytes of a case, of all of them, and of files.
  private static let caseLimit = 1 << 20
  private static let limit = 64 << 20
  private static let countLimit = 10_000
  /// The number of hexadecimal digits of a file's name.
  private static let digestLength = 32

  private let project: Project
  private var folder: String { project.path(of: Self.name) }

  init(project: Project) {
    self.project = project
  }

  /// True if runs of the project leave anything: no folder is made in the user's home only to say that all is well.
  var isKept: Bool { project.isMarked || access(project.path(of: ".scenario"), F_OK) == 0 }

  /// How a case was when it passed last; `nil` if that is not known, or was written by another release.
  ///
  /// - Parameter run: the beginning of the run that is compared; what passed in a later one is none that it came after.
  func read(_ identifier: String, before run: WallInstant? = nil) -> String? {
    guard let bytes = try? FileTree.read(path(of: identifier), limit: 2 * Self.caseLimit) else {
      return nil
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    // It becomes a part of a page: what could end a script there is none of ours.
    guard lines.count == 2, !lines[1].contains(UInt8(ascii: "<")),
      String(decoding: lines[0], as: UTF8.self) == head(of: identifier),
      case .map(let members)? = try? JSONText.parse(utf8: Array(lines[1]))
    else { return nil }
    if let run, case .string(let text)? = members["runAt"], let time = try? WallInstant(text: text),
      time > run
    {
      return nil
    }
    return String(decoding: lines[1], as: UTF8.self)
  }

  /// Remembers a case that has passed.
  func keep(_ identifier: String, _ json: String) {
    guard json.utf8.count <= Self.caseLimit, isOwnFolder else { return }
    let path = path(of: identifier)
    let partial = "\(path).\(getpid()).part"
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    let isWhole = "\(head(of: identifier))\n\(json)\n".withUTF8Bytes { bytes in
      var position = 0
      while position < bytes.count {
        let count = write(
          descriptor, bytes.baseAddress?.advanced(by: position), bytes.count - position)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        position += count
      }
      return true
    }
    close(descriptor)
    if !isWhole || rename(partial, path) != 0 { unlink(partial) }
  }

  /// Makes the folder, which git ignores.
  func prepare() {
    mkdir(project.path(of: ".scenario"), 0o755)
    guard mkdir(folder, 0o700) == 0 else { return }
    let descriptor = open(
      "\(folder)/.gitignore", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    _ = write(descriptor, "*\n", 2)
    close(descriptor)
  }

  /// True if the folder is one, and no link to another place.
  private var isOwnFolder: Bool { FileStatus(entry: folder)?.kind == .folder }

  /// Forgets the cases that passed the longest ago, where there are too many; what others have put there stays.
  func prune() {
    guard isOwnFolder else { return }
    var files: [(path: String, status: FileStatus)] = []
    for name in FileTree.files(below: folder) where Self.isOfCase(name) {
      let path = "\(folder)/\(name)"
      if let status = FileStatus(entry: path) { files.append((path, status)) }
    }
    files.sort { ($0.status.modified, $0.path) > ($1.status.modified, $1.path) }
    var room = Self.limit
    for (place, file) in files.enumerated() {
      room -= file.status.size
      if room < 0 || place >= Self.countLimit { unlink(file.path) }
    }
  }

  private static func isOfCase(_ name: String) -> Bool {
    let digits = name.prefix { $0.isHexDigit }
    return digits.count == digestLength && name.dropFirst(digestLength) == ".json"
  }

  private func path(of identifier: String) -> String {
    "\(folder)/\(SecureDigest.sha256(name(of: identifier).utf8).prefix(Self.digestLength)).json"
  }

  private func head(of identifier: String) -> String {
    Value.map([
      "scenario": .string(name(of: identifier)), "version": .string(Version.text),
    ]).jsonText()
  }

  /// The case's name in the project, from whatever folder it is run.
  private func name(of identifier: String) -> String {
    guard let end = identifier.firstRange(of: "::") else { return identifier }
    return project.name(of: String(identifier[..<end.lowerBound])) + identifier[end.lowerBound...]
  }
}

extension String {
  fileprivate func withUTF8Bytes<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    var text = self
    return text.withUTF8(body)
  }
}
