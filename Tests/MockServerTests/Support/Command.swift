import Glibc

/// A program of the machine that a test asks for a second opinion.
struct Command {
  struct Result {
    var exitCode: Int32
    var output: String
  }

  enum Failure: Error {
    case spawn(Int32)
  }

  let path: String

  /// Whether the program is there; a test that needs it is skipped aloud otherwise.
  static func exists(_ path: String) -> Bool {
    access(path, X_OK) == 0
  }

  /// Runs the program; its output and errors come back together.
  func run(_ arguments: [String], input: String = "") throws -> Result {
    let source = try TemporaryFile(input)
    let sink = try TemporaryFile("")
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, source.path, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, sink.path, O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var process = pid_t()
    let code = posix_spawn(&process, path, &actions, nil, words, environ)
    guard code == 0 else { throw Failure.spawn(code) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return Result(exitCode: (status >> 8) & 0xFF, output: try sink.text())
  }
}

/// A file that is gone after the test, in a folder of its own: Python imports what lies beside a script.
final class TemporaryFile {
  let path: String
  private let folder: String

  init(_ text: String, ending: String = "") throws {
    var template = Array("/tmp/mock-server-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Command.Failure.spawn(errno) }
    folder = template.withUnsafeBufferPointer { buffer in
      String(decoding: buffer.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    path = "\(folder)/file\(ending)"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Command.Failure.spawn(errno) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Command.Failure.spawn(errno) }
      rest = rest.dropFirst(count)
    }
    close(descriptor)
  }

  deinit {
    unlink(path)
    rmdir(folder)
  }

  func text() throws -> String {
    try TextFile.read(path)
  }
}

/// Reading of whole files.
enum TextFile {
  static func read(_ path: String) throws -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Command.Failure.spawn(errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
