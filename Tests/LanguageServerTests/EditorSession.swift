import Foundations
import OrderedCollections
@testable import LanguageServer
@testable import ScenarioCompiler
import Testing

/// A client of the server with a few files on disk, below /w.
struct EditorSession {
  private(set) var server: LanguageServer
  private var number: Int64 = 0
  private var versions: [String: Int64] = [:]

  /// Where the cursor stands in a text.
  static let cursor: Character = "‸"

  init(disk: [String: String] = [:], capabilities: Value = .map([:])) throws {
    server = LanguageServer(Self.files(disk), version: "1")
    _ = try ask(
      "initialize",
      .object([
        "capabilities": capabilities,
        "workspaceFolders": .list([.object(["uri": .string("file:///w")])]),
      ]))
  }

  static func files(_ disk: [String: String]) -> WorkspaceFiles {
    let absolute = Dictionary(uniqueKeysWithValues: disk.map { ("/w/" + $0, $1) })
    let access = FileAccess { path in
      absolute[PathText.join("/w", path)].map { .bytes(Array($0.utf8)) } ?? .problem("gone")
    } canonicalPath: { path in
      let place = PathText.join("/w", path)
      return absolute[place] != nil || place == "/w" || place == "/w/.git" ? place : nil
    }
    var options = PlannerOptions(fileExists: { access.canonicalPath($0) != nil })
    options.only = .ignored
    return WorkspaceFiles(folder: "/w", access: access, options: options) { _ in
      disk.keys.filter { $0.hasSuffix(".yaml") }.sorted()
    }
  }

  static func address(_ path: String) -> String { "file:///w/" + path }

  /// The result of a request, or its error.
  mutating func ask(_ method: String, _ parameters: Value) throws -> Value {
    number += 1
    let answers = server.receive(
      .object([
        "jsonrpc": .string("2.0"), "id": .integer(number), "method": .string(method),
        "params": parameters,
      ]))
    let answer = try #require(answers.last)
    #expect(answer.member("id") == .integer(number))
    return try #require(answer.member("result") ?? answer.member("error"))
  }

  mutating func tell(_ method: String, _ parameters: Value) -> [Value] {
    server.receive(
      .object(["jsonrpc": .string("2.0"), "method": .string(method), "params": parameters]))
  }

  /// Opens a text, or gives it anew, and returns the position of its cursor.
  @discardableResult
  mutating func open(_ marked: String, path: String = "a.yaml") -> EditorPosition {
    let parts = marked.split(separator: Self.cursor, maxSplits: 1, omittingEmptySubsequences: false)
    let text = parts.joined()
    versions[path, default: 0] += 1
    _ = tell(
      "textDocument/didOpen",
      .object([
        "textDocument": .object([
          "uri": .string(Self.address(path)), "languageId": .string("yaml"),
          "version": .integer(versions[path] ?? 1), "text": .string(text),
        ])
      ]))
    let before = String(parts[0])
    let line = before.utf8.count { $0 == 0x0A }
    let last = before.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
    return EditorPosition(line: line, character: last.utf16.count)
  }

  func place(_ path: String, _ position: EditorPosition) -> OrderedDictionary<String, Value> {
    [
      "textDocument": .object(["uri": .string(Self.address(path))]), "position": position.value,
    ]
  }

  /// Asks about the cursor of a text.
  mutating func ask(
    _ method: String, in marked: String, path: String = "a.yaml",
    and more: OrderedDictionary<String, Value> = [:]
  ) throws -> Value {
    let position = open(marked, path: path)
    return try ask(
      "textDocument/" + method, .map(place(path, position).merging(more) { $1 }))
  }

  /// Asks about a whole document.
  mutating func ask(about path: String, _ method: String) throws -> Value {
    try ask(
      "textDocument/" + method,
      .object([
        "textDocument": .object(["uri": .string(Self.address(path))]), "options": .map([:]),
      ]))
  }

  /// What is offered at the cursor of a text.
  mutating func completions(_ marked: String) throws -> [Value] {
    try ask("completion", in: marked).member("items")?.listValue ?? []
  }

  /// The mistakes that the client is told, by document.
  mutating func published() -> [String: [Value]] {
    var published: [String: [Value]] = [:]
    while server.hasWork {
      for message in server.work() {
        let parameters = message.member("params")
        guard let address = parameters?.member("uri")?.stringValue else { continue }
        published[address] = parameters?.member("diagnostics")?.listValue
      }
    }
    return published
  }
}

extension Value {
  var labels: [String] { listValue?.compactMap { $0.member("label")?.stringValue } ?? [] }
}
