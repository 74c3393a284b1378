internal import Cryptography
internal import Foundations
internal import Glibc

/// The content of one file of a folder.
struct TreeFile {
  /// Files are shown as text as far as they hold so many bytes.
  static let textLimit = 256 << 10
  private static let chunk = 1 << 18

  let listing: TreeListing
  let path: TreePath

  /// Returns the content, if it is text that can be shown line by line; `nil` if it is not, or too
  /// long.
  func text() throws(FileReadError) -> String? {
    let descriptor = try opened()
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while bytes.count <= Self.textLimit {
      let part = try Self.read(descriptor)
      guard !part.isEmpty else { break }
      bytes += part
    }
    guard bytes.count <= Self.textLimit, !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The SHA-256 of its bytes in lower-case hexadecimal digits, and how many there are.
  func digest() throws(FileReadError) -> (text: String, count: Int) {
    let descriptor = try opened()
    defer { close(descriptor) }
    var digest = SecureDigest()
    var count = 0
    while true {
      let part = try Self.read(descriptor)
      guard !part.isEmpty else { break }
      count += part.count
      digest.update(part)
    }
    return (digest.text, count)
  }

  /// The offset of the first byte in which two files differ, from 0; `nil` if they are the same.
  static func firstDifference(
    _ first: TreeFile, _ second: TreeFile
  ) throws(TreeFileError) -> Int? {
    let (left, right) = (try first.openedHere(), try second.openedHere())
    defer {
      close(left)
      close(right)
    }
    var offset = 0
    while true {
      let (one, other) = (try first.readHere(left), try second.readHere(right))
      if one != other {
        let common = zip(one, other).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        return offset + (common ?? min(one.count, other.count))
      }
      guard !one.isEmpty else { return nil }
      offset += one.count
    }
  }

  // MARK: - Reading

  private func opened() throws(FileReadError) -> Int32 {
    let descriptor = listing.openFile(path)
    guard descriptor >= 0 else { throw .system(errorNumber: errno) }
    guard FileStatus(descriptor: descriptor)?.isRegular == true else {
      close(descriptor)
      throw .notRegular
    }
    return descriptor
  }

  private func openedHere() throws(TreeFileError) -> Int32 {
    do throws(FileReadError) { return try opened() } catch {
      throw TreeFileError(path: path, error: error)
    }
  }

  private func readHere(_ descriptor: Int32) throws(TreeFileError) -> [UInt8] {
    do throws(FileReadError) { return try Self.read(descriptor) } catch {
      throw TreeFileError(path: path, error: error)
    }
  }

  /// The next bytes, as many as one chunk holds unless the file ends before.
  private static func read(_ descriptor: Int32) throws(FileReadError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < chunk {
      let wanted = chunk - bytes.count
      var result = 0
      let part = [UInt8](unsafeUninitializedCapacity: min(wanted, 1 << 16)) { buffer, count in
        result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        count = max(0, result)
      }
      if result < 0, errno == EINTR { continue }
      guard result >= 0 else { throw .system(errorNumber: errno) }
      guard !part.isEmpty else { break }
      bytes += part
    }
    return bytes
  }
}

/// A file of a folder that cannot be read.
struct TreeFileError: Error, Sendable {
  var path: TreePath
  var error: FileReadError
}
