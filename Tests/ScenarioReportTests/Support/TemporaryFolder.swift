import Foundations
import Glibc
import Testing

/// A fresh folder that goes when the test is over.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/scenario-report-XXXXXX".utf8CString)
    let made = try #require(mkdtemp(&template))
    path = String(cString: made)
  }

  deinit {
    _ = Command.run("rm -rf '\(path)'")
  }

  func text(of name: String) -> String? {
    TextFile.read("\(path)/\(name)")
  }

  /// The names in a folder below, sorted.
  func names(in name: String) -> [String] {
    guard let handle = opendir("\(path)/\(name)") else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      names.append(String(decoding: entry.name, as: UTF8.self))
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  /// What stands under a name, links not followed: `S_IFREG`, `S_IFLNK`, …; `nil` if nothing does.
  func kind(of name: String) -> mode_t? {
    var status = stat()
    return lstat("\(path)/\(name)", &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}

/// The reading and writing of whole files.
enum TextFile {
  static func read(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func write(_ text: String, to path: String) throws {
    let file = try #require(fopen(path, "w"))
    defer { fclose(file) }
    let bytes = Array(text.utf8)
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }
}

/// The running of a shell command.
enum Command {
  static func run(_ command: String) -> (status: Int32, output: String) {
    guard let pipe = popen(command + " 2>&1", "r") else { return (-1, "") }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
      output += buffer[..<count]
    }
    return (pclose(pipe), String(decoding: output, as: UTF8.self))
  }

  /// The repository's root.
  static var root: String {
    #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
  }
}
