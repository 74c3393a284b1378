import Foundations
import Glibc
import ProtocolBuffers
import Testing

/// Files of a test.
struct ProtoFiles {
  var files: [String: String]

  func load(_ paths: [String], roots: [String] = []) -> (
    pool: DescriptorPool, problems: [ProtoProblem]
  ) {
    ProtoLoader.load(paths, roots: roots) { path in files[path].map { Array($0.utf8) } }
  }

  /// The codec of a file that has no mistake, and a message of it.
  static func codec(_ text: String, _ message: String) throws -> (MessageCodec, MessageReference) {
    let (pool, problems) = ProtoFiles(files: ["a.proto": text]).load(["a.proto"])
    #expect(problems.isEmpty, "\(problems.map(\.message))")
    return (MessageCodec(pool), try #require(pool.message(named: message)))
  }
}

/// Programs that tests compare with.
enum Program {
  static let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
  static let python = "\(root)/.build/python/bin/python3"
  static let hasProtoc = access("/usr/bin/protoc", X_OK) == 0
  /// True if protoc is of the version whose files are built in.
  static let hasProtoc21 = system("protoc --version 2>/dev/null | grep -qF ' 3.21.'") == 0
  static let hasPythonProtobuf = system("'\(python)' -c 'import grpc_tools' 2>/dev/null") == 0

  /// What a command prints.
  static func output(_ command: String) throws -> [UInt8] {
    let stream = try #require(popen(command, "r"))
    defer { pclose(stream) }
    return read(stream)
  }

  static func content(_ path: String) -> [UInt8]? {
    guard let stream = fopen(path, "re") else { return nil }
    defer { fclose(stream) }
    return read(stream)
  }

  private static func read(_ stream: UnsafeMutablePointer<FILE>) -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 64 * 1024)
    while case let count = fread(&part, 1, part.count, stream), count > 0 {
      bytes += part[..<count]
    }
    return bytes
  }
}
