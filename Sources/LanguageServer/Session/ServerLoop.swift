internal import Foundations

/// Serves a client until it goes.
///
/// All that has come is read before anything is done, so that a request can be cancelled and a text changed again; what
/// is wrong with texts is looked for when nothing else is to be done.
package struct ServerLoop<Transport: LanguageTransport> {
  private var server: LanguageServer
  private var transport: Transport
  private var reader = MessageReader()
  private var waiting: [MessageReader.Event] = []
  private var isClosed = false

  /// Prepares a loop.
  package init(_ server: LanguageServer, over transport: Transport) {
    self.server = server
    self.transport = transport
  }

  /// Serves, and returns the exit code of the process.
  package mutating func run() -> Int32 {
    while true {
      read()
      if let code = server.exitCode { return code }
      if !waiting.isEmpty {
        let event = waiting.removeFirst()
        guard send(answer(event)) else { server.close(); continue }
      } else if server.hasWork {
        guard send(server.work()) else { server.close(); continue }
      } else if isClosed {
        server.close()
      }
    }
  }

  /// Reads what has come, and waits only if there is nothing to do.
  private mutating func read() {
    while !isClosed, server.exitCode == nil {
      let isIdle = waiting.isEmpty && !server.hasWork
      switch transport.receive(waits: isIdle) {
      case .bytes(let bytes):
        reader.take(bytes)
        while let event = reader.next() { waiting.append(event) }
      case .nothing: return
      case .closed:
        isClosed = true
        if reader.isWithinMessage {
          waiting.append(.nonsense("the input ends within a message"))
        }
      }
    }
  }

  private mutating func answer(_ event: MessageReader.Event) -> [Value] {
    switch event {
    case .nonsense(let message): return [server.answer(nonsense: message)]
    case .message(let message):
      if let identifier = message.member("id"), message.member("method") != nil,
        isCancelled(identifier)
      {
        return [server.answer(cancelled: identifier)]
      }
      return server.receive(message)
    }
  }

  /// Returns whether the client has taken a request back by what it has sent behind.
  private func isCancelled(_ identifier: Value) -> Bool {
    waiting.contains { event in
      guard case .message(let message) = event,
        message.member("method") == .string("$/cancelRequest")
      else { return false }
      return message.member("params")?.member("id") == identifier
    }
  }

  private mutating func send(_ messages: [Value]) -> Bool {
    messages.allSatisfy { transport.send(OutgoingMessage.framed($0)) }
  }
}
