internal import Foundations
internal import Glibc
internal import ScenarioEvents

/// The reason why a file's content cannot be read.
package enum FileReadError: Error, Sendable, Hashable {
  /// A system call failed.
  case system(errorNumber: Int32)
  /// The file is a folder, a device, a FIFO or a socket.
  case notRegular
  /// The file is longer than the limit.
  case tooLarge(limit: Int)

  /// The whole message for the file at `path`, which was to be read.
  package func message(path: String) -> String { message("read", path) }

  /// The whole message for the file at `path`, which was to be written.
  package func writeMessage(path: String) -> String { message("write", path) }

  /// The whole message for the folder at `path`, which was to be listed.
  package func listMessage(path: String) -> String { message("list the folder", path) }

  private func message(_ verb: String, _ path: String) -> String {
    switch self {
    case .system(let number): "cannot \(verb) \"\(path)\": \(SystemText.error(number))"
    case .notRegular: "\"\(path)\" is not a regular file"
    case .tooLarge(let limit): "\"\(path)\" is larger than \(ByteCount.text(limit))"
    }
  }
}

extension Failure {
  /// A file that cannot be read where it must be.
  init(_ error: FileReadError, path: String) {
    self.init(category: .error, type: "System", message: error.message(path: path))
  }
}

/// Numbers of bytes in words.
enum ByteCount {
  /// `64 MiB` where it is a whole number of them, else `70000 bytes`.
  static func text(_ count: Int) -> String {
    let mebibyte = 1 << 20
    return count >= mebibyte && count % mebibyte == 0 ? "\(count / mebibyte) MiB" : "\(count) bytes"
  }
}
