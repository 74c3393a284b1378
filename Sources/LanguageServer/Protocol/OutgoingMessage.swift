internal import Foundations

/// The reason why a request was not done, by its code (JSON-RPC 2.0, 5.1; LSP 3.17, `ErrorCodes`).
enum ProtocolErrorCode: Int {
  case parseError = -32700
  case invalidRequest = -32600
  case methodNotFound = -32601
  case invalidParams = -32602
  case serverNotInitialized = -32002
  case requestCancelled = -32800
  case requestFailed = -32803
}

/// A message that the server sends.
enum OutgoingMessage {
  static func result(_ result: Value, for identifier: Value) -> Value {
    .object(["jsonrpc": .string("2.0"), "id": identifier, "result": result])
  }

  static func error(_ code: ProtocolErrorCode, _ message: String, for identifier: Value) -> Value {
    .object([
      "jsonrpc": .string("2.0"), "id": identifier,
      "error": .object(["code": .int(code.rawValue), "message": .string(message)]),
    ])
  }

  static func notification(_ method: String, _ parameters: Value) -> Value {
    .object(["jsonrpc": .string("2.0"), "method": .string(method), "params": parameters])
  }

  /// The bytes of a message with their header.
  static func framed(_ message: Value) -> [UInt8] {
    let content = Array(message.jsonText().utf8)
    return Array("Content-Length: \(content.count)\r\n\r\n".utf8) + content
  }
}
