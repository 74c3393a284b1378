import Foundations
@testable import LanguageServer
import Testing

/// A client that says what it has to say, in pieces as they are given, and keeps what it is answered.
final class ScriptedClient: LanguageTransport {
  private var pieces: [TransportInput]
  private(set) var sent: [UInt8] = []
  /// After so many sends nobody listens any more.
  var hearing = Int.max

  init(_ pieces: [TransportInput]) {
    self.pieces = pieces
  }

  func receive(waits: Bool) -> TransportInput {
    guard let piece = pieces.first else { return .closed }
    // Who waits is woken by what comes next.
    if case .nothing = piece, waits {
      pieces.removeFirst()
      return receive(waits: waits)
    }
    pieces.removeFirst()
    return piece
  }

  func send(_ bytes: [UInt8]) -> Bool {
    guard hearing > 0 else { return false }
    hearing -= 1
    sent += bytes
    return true
  }

  /// What was sent, message by message.
  var messages: [Value] {
    var reader = MessageReader()
    reader.take(sent)
    var messages: [Value] = []
    while case .message(let message)? = reader.next() { messages.append(message) }
    return messages
  }
}

@Suite("Dialogues with a client")
struct DialogueTests {
  private static let text = "version: 1\ntarget: { command: [x] }\nexpect: { exit: 0 }\n"

  private static func message(_ json: String) -> [UInt8] {
    Array("Content-Length: \(json.utf8.count)\r\n\r\n\(json)".utf8)
  }

  private static let start = message(
    #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#)
  private static let shutdown = message(#"{"jsonrpc":"2.0","id":9,"method":"shutdown"}"#)
  private static let exit = message(#"{"jsonrpc":"2.0","method":"exit"}"#)

  private static func open(_ text: String = text) -> [UInt8] {
    message(
      #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":"#
        + #"{"uri":"file:///w/a.yaml","languageId":"yaml","version":1,"text":\#(Value.string(text).jsonText())}}}"#
    )
  }

  private static func change(_ version: Int, _ text: String) -> [UInt8] {
    message(
      #"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":"#
        + #"{"uri":"file:///w/a.yaml","version":\#(version)},"contentChanges":[{"text":\#(Value.string(text).jsonText())}]}}"#
    )
  }

  private static func request(_ id: Int, _ method: String, _ params: String = "{}") -> [UInt8] {
    message(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#)
  }

  private func serve(
    _ pieces: [TransportInput], hearing: Int = .max
  ) -> (code: Int32, messages: [Value]) {
    let client = ScriptedClient(pieces)
    client.hearing = hearing
    var loop = ServerLoop(
      LanguageServer(EditorSession.files([:]), version: "1"), over: client)
    let code = loop.run()
    return (code, client.messages)
  }

  private func errors(_ messages: [Value]) -> [Value?] {
    messages.compactMap { $0.member("error") }.map { $0.member("code") }
  }

  private func diagnostics(_ messages: [Value]) -> [Value] {
    messages.filter { $0.member("method") == .string("textDocument/publishDiagnostics") }
  }

  // MARK: - Beginning and end

  @Test("Who says shutdown and exit ends with 0, who goes without with 1")
  func exitCodes() {
    #expect(serve([.bytes(Self.start + Self.shutdown + Self.exit)]).code == 0)
    #expect(serve([.bytes(Self.start + Self.shutdown)]).code == 0)
    #expect(serve([.bytes(Self.start + Self.exit)]).code == 1)
    #expect(serve([.bytes(Self.start)]).code == 1)
    #expect(serve([.bytes(Self.exit)]).code == 1)
    #expect(serve([]).code == 1)
  }

  @Test("What is wrong with opened texts is told before shutdown is answered")
  func toldBeforeShutdown() {
    let (code, messages) = serve([
      .bytes(Self.start + Self.open("vers: 1\n") + Self.shutdown + Self.exit)
    ])

    #expect(code == 0)
    let place = messages.firstIndex { $0.member("id") == .integer(9) }
    let told = messages.firstIndex { $0.member("method") != nil }
    #expect(told != nil && place != nil)
    if let told, let place { #expect(told < place) }
    #expect(diagnostics(messages).first?.at("params", "diagnostics")?.listValue?.isEmpty == false)
  }

  @Test("A client that closes early is told what it can still hear, and the server goes")
  func closesEarly() {
    #expect(serve([.bytes(Self.start + Self.open())], hearing: 0).code == 1)
    let (code, messages) = serve([.bytes(Self.start + Self.open())])
    #expect(code == 1)
    #expect(diagnostics(messages).count == 1)
  }

  // MARK: - Order

  @Test("Before initialize, and behind shutdown, requests are refused and notifications left alone")
  func phases() {
    let (_, early) = serve([
      .bytes(
        Self.request(3, "textDocument/hover") + Self.open("x") + Self.start + Self.shutdown
          + Self.exit)
    ])
    #expect(errors(early) == [.integer(-32002)])
    #expect(diagnostics(early).isEmpty)

    let (_, late) = serve([
      .bytes(Self.start + Self.shutdown + Self.request(3, "textDocument/hover") + Self.exit)
    ])
    #expect(errors(late) == [.integer(-32600)])

    let (_, twice) = serve([.bytes(Self.start + Self.start + Self.shutdown + Self.exit)])
    #expect(errors(twice) == [.integer(-32600)])
  }

  @Test("Of changes that wait, the last one counts: what is wrong is told once")
  func supersedes() {
    let changes = (2...9).flatMap { Self.change($0, Self.text + "nam\($0): x\n") }
    let (_, messages) = serve([
      .bytes(Self.start + Self.open() + changes), .nothing, .bytes(Self.shutdown + Self.exit),
    ])
    let told = diagnostics(messages)

    #expect(told.count == 1)
    #expect(told.first?.at("params", "version") == .integer(9))
    #expect(
      told.first?.at("params", "diagnostics")?.listValue?.first?.member("message")?.stringValue?
        .contains("nam9") == true)
  }

  @Test("A pause between changes shows what was wrong in it")
  func pauses() {
    // Between two looks at the input, one thing is done.
    let pause = [TransportInput](repeating: .nothing, count: 5)
    let (_, messages) = serve(
      [.bytes(Self.start + Self.open("vers: 1\n"))] + pause
        + [.bytes(Self.change(2, Self.text))] + pause + [.bytes(Self.shutdown + Self.exit)])

    #expect(diagnostics(messages).map { $0.at("params", "version") } == [.integer(1), .integer(2)])
    #expect(diagnostics(messages).last?.at("params", "diagnostics") == .list([]))
  }

  @Test("A request that is taken back while it waits is not done")
  func cancels() {
    let cancel = Self.message(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":4}}"#)
    let hover = #"{"textDocument":{"uri":"file:///w/a.yaml"},"position":{"line":0,"character":1}}"#
    let (_, messages) = serve([
      .bytes(
        Self.start + Self.open() + Self.request(4, "textDocument/hover", hover)
          + Self.request(5, "textDocument/hover", hover) + cancel + Self.shutdown + Self.exit)
    ])
    func answer(_ id: Int64) -> Value? { messages.first { $0.member("id") == .integer(id) } }

    #expect(answer(4)?.at("error", "code") == .integer(-32800))
    #expect(answer(5)?.at("result", "contents") != nil)
  }

  // MARK: - Nonsense

  /// Pieces, and the codes of the errors that are answered.
  static let nonsense: [(String, [UInt8], [Int64])] = [
    ("no JSON", message("{"), [-32700]),
    ("no UTF-8", Array("Content-Length: 2\r\n\r\n".utf8) + [0xFF, 0xFE], [-32700]),
    ("no map", message("[1]"), [-32600]), ("no method", message(#"{"id":7}"#), [-32600]),
    ("a list as id", message(#"{"id":[1],"method":"x"}"#), [-32600]),
    ("an unknown method", request(7, "textDocument/nonsense"), [-32601]),
    ("no document", request(7, "textDocument/hover"), [-32602]),
    (
      "a document that is not open",
      request(
        7, "textDocument/hover",
        #"{"textDocument":{"uri":"file:///x"},"position":{"line":0,"character":0}}"#), [-32602]
    ),
    (
      "no position",
      open()
        + request(
          7, "textDocument/hover",
          #"{"textDocument":{"uri":"file:///w/a.yaml"},"position":{"line":-1,"character":"x"}}"#),
      [-32602]
    ),
    ("a header without length", Array("Content-Type: x\r\n\r\n".utf8), [-32700]),
    ("a length that is none", Array("Content-Length: -5\r\n\r\n".utf8), [-32700]),
    (
      "a length that is too short", Array("Content-Length: 3\r\n\r\n{\"id\":7}".utf8),
      [-32700, -32700]
    ),
    ("plain text", Array("hello\nworld\r\n\r\n".utf8), [-32700]),
    ("bytes", [0x00, 0x80, 0xFF], [-32700]),
    ("an answer to nothing", message(#"{"id":7,"result":1}"#), []),
    ("an unknown notification", message(#"{"method":"$/nonsense"}"#), []),
    ("a change of nothing", change(2, "x"), []),
    ("an opened nothing", message(#"{"method":"textDocument/didOpen","params":[]}"#), []),
  ]

  @Test("Nonsense is answered with an error, and the session goes on", arguments: nonsense.indices)
  func survives(index: Int) {
    let (name, bytes, codes) = Self.nonsense[index]
    let (code, messages) = serve([.bytes(Self.start + bytes + Self.shutdown + Self.exit)])

    #expect(code == 0, "\(name): \(messages)")
    #expect(errors(messages) == codes.map { .integer($0) }, "\(name)")
    #expect(messages.contains { $0.member("id") == .integer(9) && $0.member("result") == .null })
  }

  @Test("However the input is cut into pieces, the answers are the same")
  func pieces() {
    let all = Self.start + Self.open("vers: 1\n") + Self.shutdown + Self.exit
    let whole = serve([.bytes(all)])
    for size in [1, 2, 3, 7, 50] {
      let cut = stride(from: 0, to: all.count, by: size).map {
        TransportInput.bytes(Array(all[$0..<min($0 + size, all.count)]))
      }
      let (code, messages) = serve(cut)
      #expect(code == whole.code)
      #expect(messages == whole.messages)
    }
  }

  @Test("Whatever is cut off or changed in a dialogue, the server ends with 0 or 1")
  func fuzzed() {
    var random = SplitMix64(seed: 11)
    let hover = #"{"textDocument":{"uri":"file:///w/a.yaml"},"position":{"line":2,"character":4}}"#
    let all =
      Self.start + Self.open() + Self.request(2, "textDocument/completion", hover)
      + Self.change(2, Self.text + "x") + Self.request(3, "textDocument/rename", hover)
      + Self.shutdown + Self.exit
    for _ in 0..<300 {
      var bytes = all
      for _ in 0..<(1 + random.next() % 4) {
        let place = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 3 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        }
      }
      let code = serve([.bytes(bytes)]).code
      #expect(code == 0 || code == 1)
    }
  }

  // MARK: - Sizes

  @Test("A document of a megabyte has answers; Benchmarks/editor asks about one of ten")
  func large() {
    let text = Self.text + String(repeating: "# a comment that says nothing\n", count: 35_000)
    let position = #"{"line":34000,"character":9}"#
    let edit =
      #"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///w/a.yaml","version":2},"#
      + #""contentChanges":[{"range":{"start":\#(position),"end":\#(position)},"text":"x"}]}}"#
    let (code, messages) = serve([
      .bytes(
        Self.start + Self.open(text) + Self.message(edit)
          + Self.request(
            4, "textDocument/completion",
            #"{"textDocument":{"uri":"file:///w/a.yaml"},"position":\#(position)}"#)
          + Self.shutdown + Self.exit)
    ])

    #expect(code == 0)
    #expect(messages.contains { $0.member("id") == .integer(4) && $0.member("result") != nil })
    #expect(diagnostics(messages).last?.at("params", "diagnostics") == .list([]))
  }

  @Test(
    "The encoding of positions is the client's first wish that is known, and UTF-16 without one")
  func encodings() {
    func agreed(_ offered: String) -> Value? {
      let start = Self.request(
        1, "initialize", #"{"capabilities":{"general":{"positionEncodings":\#(offered)}}}"#)
      return serve([.bytes(start + Self.shutdown + Self.exit)]).messages.first?
        .at("result", "capabilities", "positionEncoding")
    }

    #expect(agreed(#"["utf-8","utf-16"]"#) == .string("utf-8"))
    #expect(agreed(#"["ebcdic","utf-32"]"#) == .string("utf-32"))
    #expect(agreed("null") == .string("utf-16"))
    #expect(agreed(#"["ebcdic"]"#) == .string("utf-16"))
  }
}
