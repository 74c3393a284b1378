package import Foundations
internal import OrderedCollections

/// A language server as a value: messages in, messages out (LSP 3.17).
package struct LanguageServer: Sendable {
  /// The phase of the session.
  enum Phase: Sendable {
    case new
    case initialized
    case shutDown
    case exited
  }

  /// The version that is given to the client.
  let version: String
  var workspace: Workspace
  var encoding = PositionEncoding.utf16
  var takesSnippets = false
  private(set) var phase = Phase.new

  /// Prepares a session.
  package init(_ files: WorkspaceFiles, version: String) {
    workspace = Workspace(files)
    self.version = version
  }

  /// The exit code of the process, once the session is over: 0 if the client asked for `shutdown` before, otherwise 1
  /// (LSP 3.17, `exit`).
  package private(set) var exitCode: Int32?

  /// True if there are texts whose mistakes the client does not know.
  package var hasWork: Bool { phase == .initialized && !workspace.dirty.isEmpty }

  /// Publishes the mistakes of one text.
  package mutating func work() -> [Value] {
    guard phase == .initialized, let address = workspace.dirty.first else { return [] }
    workspace.review(address)
    return [published(address)].compactMap(\.self)
  }

  /// Answers a message that was no JSON.
  package func answer(nonsense message: String) -> Value {
    OutgoingMessage.error(.parseError, message, for: .null)
  }

  /// Answers a request that the client wants no more.
  package func answer(cancelled identifier: Value) -> Value {
    OutgoingMessage.error(.requestCancelled, "the request was cancelled", for: identifier)
  }

  /// The client is gone.
  package mutating func close() {
    exitCode = exitCode ?? (phase == .shutDown ? 0 : 1)
    phase = .exited
  }

  /// Handles a message, and returns those to be sent for it.
  package mutating func receive(_ message: Value) -> [Value] {
    guard case .map(let members) = message else {
      return [OutgoingMessage.error(.invalidRequest, "a message must be an object", for: .null)]
    }
    guard case .string(let method)? = members["method"] else {
      // Answers to requests that were never sent are ignored.
      if members["id"] != nil, members["result"] != nil || members["error"] != nil { return [] }
      return [
        OutgoingMessage.error(
          .invalidRequest, "the message has no \"method\"", for: members["id"] ?? .null)
      ]
    }
    let parameters = members["params"] ?? .null
    guard let identifier = members["id"] else {
      return notify(method, parameters)
    }
    switch identifier {
    case .integer, .string: break
    default:
      return [
        OutgoingMessage.error(
          .invalidRequest, "the \"id\" of a request must be a number or a string", for: .null)
      ]
    }
    switch phase {
    case .new where method != "initialize":
      return [
        OutgoingMessage.error(
          .serverNotInitialized, "\"\(method)\" was sent before \"initialize\"", for: identifier)
      ]
    case .shutDown, .exited:
      return [
        OutgoingMessage.error(
          .invalidRequest, "\"\(method)\" was sent after \"shutdown\"", for: identifier)
      ]
    case .initialized where method == "initialize":
      return [
        OutgoingMessage.error(.invalidRequest, "\"initialize\" was sent twice", for: identifier)
      ]
    case .new, .initialized: break
    }
    return request(method, parameters, identifier)
  }

  private mutating func request(
    _ method: String, _ parameters: Value, _ identifier: Value
  ) -> [Value] {
    switch method {
    case "initialize":
      phase = .initialized
      return [OutgoingMessage.result(initialize(parameters), for: identifier)]
    case "shutdown":
      // A client that opens a text and shuts down gets its mistakes.
      var messages: [Value] = []
      while hasWork { messages += work() }
      phase = .shutDown
      return messages + [OutgoingMessage.result(.null, for: identifier)]
    default:
      do throws(RequestError) {
        return [OutgoingMessage.result(try answer(method, parameters), for: identifier)]
      } catch {
        return [OutgoingMessage.error(error.code, error.message, for: identifier)]
      }
    }
  }

  private mutating func notify(_ method: String, _ parameters: Value) -> [Value] {
    if method == "exit" {
      close()
      return []
    }
    guard phase == .initialized else { return [] }
    return hear(method, parameters)
  }
}
