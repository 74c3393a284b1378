internal import Foundations
internal import MockEngine
internal import NIOCore
internal import Patterns
internal import ProtocolBuffers

extension CallTypes {
  /// The largest message behind a coding, in bytes.
  private static var maximumMessage: Int { GRPCMessageReader.maximumMessage }

  /// The call that a complete request makes; `nil` if it makes none that the .proto files describe.
  func call(of request: IncomingRequest) -> IncomingCall? {
    call(of: request, body: request.body, request.bodyLength)
  }

  /// The call of a request whose body has come by now; `nil` if only its beginning is kept.
  func call(of request: IncomingRequest, body: [UInt8], _ length: Int) -> IncomingCall? {
    guard let method = method(atPath: request.target.path), body.count == length,
      request.header("content-type")?.lowercased().hasPrefix("application/grpc") ?? false
    else { return nil }
    var reader = GRPCMessageReader()
    var messages: [[UInt8]] = []
    for message in reader.read(ByteBuffer(bytes: body)) {
      guard let bytes = Self.unpacked(message, by: request.header("grpc-encoding")) else {
        var call = self.call(method, messages)
        call.problem =
          "message \(messages.count + 1) is compressed as \"\(request.header("grpc-encoding") ?? "")\", and cannot be unpacked"
        return call
      }
      messages.append(bytes)
    }
    var call = self.call(method, messages)
    if call.problem != nil { return call }
    if reader.isLost || !reader.isBetweenMessages {
      call.problem = "the body ends within message \(messages.count + 1)"
    } else if !method.streamsRequests, messages.count != 1 {
      call.problem = "\(method.name) takes one message, and \(messages.count) came"
    }
    return call
  }

  private static func unpacked(
    _ message: GRPCMessageReader.Message, by name: String?
  ) -> [UInt8]? {
    guard message.isPacked else { return Array(message.bytes.readableBytesView) }
    let decoded = try? name.flatMap { ContentCoding(name: $0) }?.decode(
      message.bytes, isWhole: true, limit: maximumMessage)
    return decoded.map { Array($0.bytes.readableBytesView) }
  }

  /// The messages of a reply, decoded, from its bytes; `nil` if they are none.
  ///
  /// - Parameter isFramed: whether each message stands behind its five bytes.
  func values(
    _ bytes: [UInt8], ofMethodAt path: String, isFromClient: Bool, isFramed: Bool
  ) -> [Value]? {
    guard let method = method(atPath: path) else { return nil }
    let type = isFromClient ? method.input.name : method.output.name
    guard isFramed else {
      return (try? decode(bytes, as: type, showsDefaults: false)).map { [$0] }
    }
    var reader = GRPCMessageReader()
    var values: [Value] = []
    for message in reader.read(ByteBuffer(bytes: bytes)) {
      guard !message.isPacked,
        let value = try? decode(
          Array(message.bytes.readableBytesView), as: type, showsDefaults: false)
      else { return nil }
      values.append(value)
    }
    return reader.isBetweenMessages && !values.isEmpty ? values : nil
  }
}
