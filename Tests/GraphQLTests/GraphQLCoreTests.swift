import Glibc
import GraphQL
import OrderedCollections
import ScenarioModel
import Testing

/// The rules of validation beside those of graphql-core, Python's own GraphQL.
@Suite("GraphQL as graphql-core sees it")
struct GraphQLCoreTests {
  private static let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
  private static let python = "\(root)/.build/python/bin/python3"
  private static let hasPython = access(python, X_OK) == 0

  /// The lines that a command prints.
  private static func lines(_ command: String) throws -> [String] {
    let stream = try #require(popen(command, "r"))
    defer { pclose(stream) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 64 * 1024)
    while case let count = fread(&part, 1, part.count, stream), count > 0 {
      bytes += part[..<count]
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test(
    "Two thousand generated documents are judged alike",
    .enabled(if: hasPython, "Tests/install-dependencies.sh has not been run"),
    arguments: [1, 2])
  func verdicts(seed: Int) throws {
    var template = Array("/tmp/graphql-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { unlink(path) }
    let text = Array(Schemas.text.utf8)
    #expect(write(descriptor, text, text.count) == text.count)
    close(descriptor)
    let schema = try Schemas.schema()

    let script = "\(Self.root)/Tests/Programs/graphql_documents.py"
    let lines = try Self.lines("'\(Self.python)' '\(script)' '\(path)' \(seed) 1000")

    var validCount = 0
    for line in lines {
      guard case .map(let members) = try JSONText.parse(line),
        case .string(let text)? = members["document"], case .bool(let isValid)? = members["valid"]
      else {
        Issue.record("\(line)")
        continue
      }
      if isValid { validCount += 1 }
      let errors = try GraphQLDocument(parsing: text).errors(in: schema).map(\.line)
      #expect(errors.isEmpty == isValid, "\(line)\n\(errors)")
    }
    #expect(lines.count == 1000)
    #expect((200...800).contains(validCount), "\(validCount)")
  }
}
