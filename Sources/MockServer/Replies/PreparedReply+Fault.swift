internal import Foundations
internal import NIOCore
internal import ScenarioModel

extension PreparedReply {
  /// The maximum number of pieces that a slow body may have.
  private static let pieceLimit = 1_000_000
  /// The number of pieces that a slow body has for each second of virtual time, where it is long enough.
  private static let piecesPerSecond = 10
  /// Bytes that begin no protocol; they are the same in every run.
  private static let garbage: [UInt8] = (0..<64).map {
    UInt8(truncatingIfNeeded: 0x81 &+ $0 &* 0x3B)
  }

  /// Makes the reply go wrong.
  mutating func apply(_ fault: ReplyFault) throws(PreparationError) {
    switch fault {
    case .reset: play([.init(delay: .zero, action: .abandon(.reset))])
    case .empty: play([.init(delay: .zero, action: .abandon(.close))])
    case .goAway: play([.init(delay: .zero, action: .abandon(.goAway(code: 0)))])
    case .hang: play([.init(delay: .zero, action: .hang)])
    case .garbage:
      play([
        .init(delay: .zero, action: .sendRaw(ByteBuffer(bytes: Self.garbage))),
        .init(delay: .zero, action: .abandon(.close)),
      ])
    case .malformedChunk:
      play([.init(delay: .zero, action: .abandon(.malformedChunk))], withHead: true)
    case .close: try cut(at: 0)
    case .truncate(let bytes): try cut(at: bytes)
    case .slow(let rate): try slowDown(to: rate)
    }
  }

  private mutating func play(
    _ steps: [ReplyScript.Step], withHead: Bool = false, length: Int? = nil
  ) {
    content = .script(ReplyScript(beginsWithHead: withHead, length: length, steps: steps))
  }

  /// Cuts the body, so that the client waits for the rest.
  private mutating func cut(at count: Int) throws(PreparationError) {
    var source = try source()
    let length = source.length
    let part = try Self.read(&source, min(count, length))
    // A body that is not longer than the cut has to promise more than it is.
    play(
      [
        .init(delay: .zero, action: .send(part)), .init(delay: .zero, action: .abandon(.close)),
      ], withHead: true, length: max(length, count + 1))
  }

  /// Sends the body piece by piece, each when its last byte has had its time.
  private mutating func slowDown(to rate: Int) throws(PreparationError) {
    var source = try source()
    let length = source.length
    let pieceLength = max(1, rate / Self.piecesPerSecond)
    guard length / pieceLength < Self.pieceLimit else {
      throw PreparationError(
        message: "a body of \(length) bytes has too many pieces at \(rate) bytes per second")
    }
    var steps: [ReplyScript.Step] = []
    var sent = 0
    while sent < length {
      let part = try Self.read(&source, min(pieceLength, length - sent))
      let before = Self.time(of: sent, at: rate)
      sent += part.readableBytes
      steps.append(.init(delay: Self.time(of: sent, at: rate) - before, action: .send(part)))
    }
    play(steps, withHead: true, length: length)
  }

  /// The virtual time that so many bytes take.
  private static func time(of count: Int, at rate: Int) -> Nanoseconds {
    let (seconds, rest) = count.quotientAndRemainder(dividingBy: rate)
    let fraction = Double(rest) / Double(rate) * 1e9
    return .seconds(Int64(seconds)) + Nanoseconds(Int64(fraction.rounded()))
  }

  private func source() throws(PreparationError) -> BodySource {
    guard case .body(let source) = content else {
      throw PreparationError(message: "the fault applies to a body, but the reply has none")
    }
    return source
  }

  private static func read(
    _ source: inout BodySource, _ count: Int
  ) throws(PreparationError) -> ByteBuffer {
    do {
      return try source.next(count)
    } catch {
      throw PreparationError(message: (error as? FileBody.ReadError)?.message ?? "\(error)")
    }
  }
}
