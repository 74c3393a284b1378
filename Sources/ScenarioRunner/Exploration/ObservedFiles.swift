internal import Foundations
internal import Glibc
internal import ScenarioTools

/// The files of a case's folders, described so that two runs can be compared.
struct ObservedFiles {
  /// The folder of the case's folders.
  let root: String

  /// The length, in bytes, above which files are distinguished by their lengths and beginnings.
  private static let digestLimit = 1 << 30
  /// The longest text that is kept for a diff.
  private static let textLimit = 16 << 10
  /// The largest number of files that are read.
  private static let fileLimit = 20_000

  /// Returns the files below the folders that the target may call its own.
  func all() -> [String: RunObservation.File] {
    var files: [String: RunObservation.File] = [:]
    for path in paths() { files[path] = describe(path) }
    return files
  }

  /// The paths of all that.
  ///
  /// No file is read: the target would see that by the access times.
  func paths() -> Set<String> {
    var paths: Set<String> = []
    var pending = ["work", "home", "tmp"]
    while let folder = pending.popLast(), paths.count < Self.fileLimit {
      // In order, so that of two runs the same files are looked at.
      for entry in FileTree.entries(of: "\(root)/\(folder)").sorted(by: { $0.name < $1.name }) {
        let path = "\(folder)/\(entry.name)"
        paths.insert(path)
        if entry.isFolder { pending.append(path) }
      }
    }
    return paths
  }

  private func describe(_ path: String) -> RunObservation.File? {
    let whole = "\(root)/\(path)"
    guard let status = FileStatus(entry: whole) else { return nil }
    var file = RunObservation.File(
      kind: "other", mode: status.permissions, size: 0, digest: 0, text: nil)
    switch status.kind {
    case .file:
      file.kind = "file"
      file.size = status.size
      if file.size > FileTree.readLimit {
        file.digest = Self.digestOfLong(whole)
      } else if let bytes = try? FileTree.read(whole) {
        fill(&file, with: bytes)
      }
    case .folder: file.kind = "folder"
    case .link:
      file.kind = "symlink"
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(whole, &buffer, buffer.count)
      fill(&file, with: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) })
      file.size = 0
    default: break
    }
    return file
  }

  /// Fills in what the bytes say, with the root's own path taken out of them.
  func fill(_ file: inout RunObservation.File, with bytes: [UInt8]) {
    let bytes = RootPath(root).hidden(in: bytes)
    file.size = bytes.count
    file.digest = ContentDigest.of(bytes)
    guard bytes.count <= Self.textLimit, !bytes.contains(0) else { return }
    file.text = String(validating: bytes, as: UTF8.self)
  }

  /// The digest of a file that is too long to be held.
  private static func digestOfLong(_ path: String) -> UInt64 {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var digest = ContentDigest()
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var rest = digestLimit
    while rest > 0 {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      digest.add(buffer[..<count])
      rest -= count
    }
    return digest.value
  }

  /// The SHA-256 of the files whose text is not kept, by path: of those that do not hold the root's own
  /// path, which is another in each run.
  func digests(of files: [String: RunObservation.File]) -> [String: String] {
    var digests: [String: String] = [:]
    for (path, file) in files where file.kind == "file" && file.text == nil {
      let whole = "\(root)/\(path)"
      // What stands for the root is shorter.
      guard FileStatus(entry: whole)?.size == file.size else { continue }
      digests[path] = try? FileDigest.sha256(of: whole)
    }
    return digests
  }
}

/// The path of a case's folders, which differs in each run and occurs in the output of targets.
struct RootPath {
  /// The text that replaces the folder's path.
  static let word = "${{ root }}"

  private let bytes: [UInt8]

  init(_ path: String) {
    bytes = Array(path.utf8)
  }

  /// Bytes with the path replaced.
  func hidden(in content: [UInt8]) -> [UInt8] {
    var places: [Int] = []
    content.withUnsafeBytes { all in
      bytes.withUnsafeBytes { path in
        var index = 0
        while let place = all.firstOffset(of: path, from: index) {
          places.append(place)
          index = place + path.count
        }
      }
    }
    guard !places.isEmpty else { return content }
    var result: [UInt8] = []
    var index = 0
    for place in places {
      result += content[index..<place]
      result += Array(Self.word.utf8)
      index = place + bytes.count
    }
    return result + content[index...]
  }

  /// Text with the path replaced.
  func hidden(in text: String) -> String {
    String(decoding: hidden(in: Array(text.utf8)), as: UTF8.self)
  }
}
