internal import Foundations
internal import MockEngine
internal import NIOCore
internal import NIOHTTP1
internal import ScenarioPlan

extension PreparedReply {
  /// The actions of a planned stream; the expressions of each piece see the time at which it is due.
  ///
  /// - Parameters:
  ///   - start: when the stream begins; `nil` if that is not known.
  ///   - types: what describes messages of gRPC.
  static func script(
    of steps: [PlannedStreamStep], in scope: some RunScope, from start: WallInstant?,
    _ types: CallTypes? = nil
  ) throws(PreparationError) -> [ReplyScript.Step] {
    var script: [ReplyScript.Step] = []
    var due = start
    for step in steps {
      due = due.map { $0 + step.delay }
      let action: ReplyScript.Action
      switch step.action {
      case .send(let piece):
        action = .send(
          try bytes(of: piece, in: ClockScope(scope, at: due), types))
      case .close(.end): action = .finish(trailers: [:])
      case .close(.abrupt): action = .abandon(.close)
      case .close(.reset): action = .abandon(.reset)
      }
      script.append(ReplyScript.Step(delay: step.delay, action: action))
    }
    return script
  }

  /// The bytes of a piece.
  static func bytes(
    of piece: PlannedPiece, in scope: some RunScope, _ types: CallTypes? = nil
  ) throws(PreparationError) -> ByteBuffer {
    switch piece {
    case .text(let text):
      return ByteBuffer(string: try resolve(text, in: scope))
    case .json(let data):
      do {
        return ByteBuffer(string: try data.resolve(in: scope).jsonText())
      } catch {
        throw PreparationError(message: error.message)
      }
    case .bytes(let bytes):
      return ByteBuffer(bytes: bytes)
    case .file(let path):
      return try read(.file(try open(path)))
    case .computedFile(let name):
      return try read(try open(name, in: scope).source)
    case .message(let data, let type):
      guard let types else {
        throw PreparationError(message: "only a reply of gRPC can send a message")
      }
      let value: Value
      do {
        value = try data.resolve(in: scope)
      } catch {
        throw PreparationError(error)
      }
      do throws(CallProblem) {
        return ByteBuffer(bytes: try types.encode(value, as: type))
      } catch {
        throw PreparationError(message: error.message)
      }
    }
  }

  /// Makes a piece when its turn comes, so that its expressions see the time of then; that it can be made is checked.
  static func maker(
    of piece: PlannedPiece, in scope: some RunScope, _ clock: ReplyClock,
    _ types: CallTypes? = nil
  ) throws(PreparationError) -> () throws(PreparationError) -> ByteBuffer {
    let bytes = try bytes(of: piece, in: scope, types)
    guard piece.asksClock else { return { bytes } }
    return { () throws(PreparationError) in
      try Self.bytes(of: piece, in: ClockScope(scope, at: clock.now()), types)
    }
  }

  // MARK: - gRPC

  /// Makes the reply one of gRPC: messages behind five bytes each, and a status in the trailers.
  ///
  /// See "gRPC over HTTP2", Responses; without messages head and trailers are one.
  mutating func addGRPC(
    _ planned: PlannedGRPC, after delay: Nanoseconds, in scope: some RunScope, _ clock: ReplyClock,
    _ types: CallTypes?
  ) throws(PreparationError) {
    if !headers.contains(name: "content-type") {
      headers.add(name: "content-type", value: "application/grpc")
    }
    var fields: [(name: String, value: String)] = [("grpc-status", String(planned.status))]
    if let error = planned.error {
      let text = try Self.resolve(error, in: scope)
      fields.append(("grpc-message", Self.percentEncoded(text)))
    }
    guard planned.conversation.isEmpty else {
      for field in fields { trailers.add(name: field.name, value: field.value) }
      let steps = try GRPCConversation.steps(
        of: planned.conversation, in: scope, clock, types)
      content = .conversation(GRPCConversation(steps, trailers: trailers))
      return
    }
    guard !planned.messages.isEmpty else {
      for field in fields { headers.add(name: field.name, value: field.value) }
      for field in trailers { headers.add(name: field.name, value: field.value) }
      trailers = [:]
      return
    }
    for field in fields { trailers.add(name: field.name, value: field.value) }
    var steps = try Self.script(
      of: planned.messages, in: scope, from: clock.start(after: delay), types)
    for index in steps.indices {
      guard case .send(let message) = steps[index].action else { continue }
      steps[index].action = .send(GRPCMessageReader.frame(message))
    }
    content = .script(ReplyScript(steps: steps))
  }

  /// The form of `grpc-message`: everything but printable ASCII, and the percent sign, as `%XX`.
  private static func percentEncoded(_ text: String) -> String {
    PercentEncoding.encoded(text.utf8) {
      (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "%")
    }
  }
}
