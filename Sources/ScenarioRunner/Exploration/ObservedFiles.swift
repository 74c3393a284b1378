internal import Glibc
internal import ScenarioPlan

/// What lies in a case's folders, described so that two runs can be compared.
struct ObservedFiles {
  /// Where the case's folders are.
  let root: String

  /// Files that are longer are told apart by their lengths alone.
  private static let digestLimit = 8 << 20
  /// The longest text that is kept for a diff.
  private static let textLimit = 16 << 10
  /// More files than these are not looked at.
  private static let fileLimit = 20_000

  /// Everything below the folders that the target may call its own.
  func all() -> [String: RunObservation.File] {
    var files: [String: RunObservation.File] = [:]
    var pending = ["work", "home", "tmp"]
    while let folder = pending.popLast(), files.count < Self.fileLimit {
      for entry in FileTree.entries(of: "\(root)/\(folder)") {
        let path = "\(folder)/\(entry.name)"
        files[path] = describe(path)
        if entry.isFolder { pending.append(path) }
      }
    }
    return files
  }

  private func describe(_ path: String) -> RunObservation.File? {
    var status = stat()
    let whole = "\(root)/\(path)"
    guard lstat(whole, &status) == 0 else { return nil }
    var file = RunObservation.File(
      kind: "other", mode: UInt32(status.st_mode) & 0o7777, size: 0, digest: 0, text: nil)
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      file.kind = "file"
      file.size = Int(status.st_size)
      guard file.size <= Self.digestLimit, let bytes = try? FileTree.read(whole) else { break }
      fill(&file, with: bytes)
    case S_IFDIR: file.kind = "folder"
    case S_IFLNK:
      file.kind = "link"
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
}

/// The path of a case's folders, which is another in each run and stands in what targets write.
struct RootPath {
  /// What stands for it.
  static let word = "${{ root }}"

  private let bytes: [UInt8]

  init(_ path: String) {
    bytes = Array(path.utf8)
  }

  /// Bytes with the path replaced.
  func hidden(in content: [UInt8]) -> [UInt8] {
    guard let first = bytes.first, content.count >= bytes.count, content.count <= 1 << 20 else {
      return content
    }
    var result: [UInt8] = []
    var index = 0
    var isChanged = false
    let last = content.count - bytes.count
    while index < content.count {
      if content[index] == first, index <= last,
        content[index..<(index + bytes.count)].elementsEqual(bytes)
      {
        if !isChanged { result = Array(content[..<index]) }
        isChanged = true
        result += Array(Self.word.utf8)
        index += bytes.count
      } else {
        if isChanged { result.append(content[index]) }
        index += 1
      }
    }
    return isChanged ? result : content
  }

  /// Text with the path replaced.
  func hidden(in text: String) -> String {
    String(decoding: hidden(in: Array(text.utf8)), as: UTF8.self)
  }
}
