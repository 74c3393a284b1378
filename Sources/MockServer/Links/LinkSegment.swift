internal import Foundations
internal import NIOCore

/// A segment that travels on a link in one direction.
enum LinkSegment: Equatable {
  /// Bytes, never none.
  case bytes(ByteBuffer)
  /// The end of the stream.
  case end(LinkEnd)

  /// The number of bytes.
  var count: Int {
    if case .bytes(let buffer) = self { return buffer.readableBytes }
    return 0
  }
}

/// The end of one direction of a link.
enum LinkEnd: Equatable {
  /// The sender has nothing more to send, and still receives (FIN).
  case half
  /// The connection is closed.
  case closed
  /// The connection is reset (RST).
  case reset
}

/// One toxic at work on one direction of one connection: segments in at some instants, segments out
/// at others.
///
/// Instants are virtual time since the scenario's start. The output depends on what came at which
/// instant, and not on how it was cut into pieces.
protocol FaultStage {
  /// The instant of the next deadline; `nil` without one.
  var due: Nanoseconds? { get }
  /// The number of bytes that are held back.
  var heldCount: Int { get }
  /// True if it has changed anything so far.
  var hasActed: Bool { get }
  /// Starts on a connection that is open.
  mutating func begin(at now: Nanoseconds, into output: inout [LinkSegment])
  /// Handles what comes in.
  mutating func take(_ item: LinkSegment, at now: Nanoseconds, into output: inout [LinkSegment])
  /// Passes on what is due.
  mutating func advance(to now: Nanoseconds, into output: inout [LinkSegment])
  /// Passes on all that is held back: the toxic is taken away.
  mutating func release(into output: inout [LinkSegment])
}

extension FaultStage {
  mutating func begin(at now: Nanoseconds, into output: inout [LinkSegment]) {}
}

/// Segments that wait, in order.
struct HeldSegments {
  private var items = CircularBuffer<LinkSegment>()
  /// The number of bytes that they are.
  private(set) var count = 0

  var first: LinkSegment? { items.first }
  var isEmpty: Bool { items.isEmpty }

  mutating func append(_ item: LinkSegment) {
    items.append(item)
    count += item.count
  }

  /// Moves the first item, or as much of it as `limit` bytes allow, to the output; the number of bytes.
  @discardableResult
  mutating func moveFirst(upTo limit: Int = .max, into output: inout [LinkSegment]) -> Int {
    guard let item = items.popFirst() else { return 0 }
    guard case .bytes(var buffer) = item, buffer.readableBytes > limit,
      let part = buffer.readSlice(length: max(0, limit))
    else {
      count -= item.count
      output.append(item)
      return item.count
    }
    items.prepend(.bytes(buffer))
    count -= part.readableBytes
    if part.readableBytes > 0 { output.append(.bytes(part)) }
    return part.readableBytes
  }

  mutating func moveAll(into output: inout [LinkSegment]) {
    while !items.isEmpty { moveFirst(into: &output) }
  }

  mutating func removeAll() {
    items.removeAll()
    count = 0
  }
}
