internal import NIOCore
internal import NIOHTTP1

/// The body of a request that is answered while it still comes.
///
/// Lives on the event loop. Parts that come before `connect` are kept, within bounds.
final class RequestFeed {
  /// A part of a request.
  enum Part {
    case bytes(ByteBuffer)
    /// The end, with the fields behind the body.
    case end(HTTPHeaders)
    /// The client has left.
    case lost
  }

  /// The maximum number of bytes that wait before the client has to pause.
  private static let maximumWaiting = 256 * 1024

  /// Called with whether the client may go on.
  var onPressure: (Bool) -> Void = { _ in }
  /// Called with each part before it is taken.
  var onPart: (Part) -> Void = { _ in }
  /// The body's beginning.
  private(set) var kept: [UInt8] = []
  /// The body's length so far.
  private(set) var length = 0

  private let maximumKept: Int
  private var waiting = CircularBuffer<Part>()
  private var waitingBytes = 0
  private var take: ((Part) -> Void)?
  private var hasEnded = false
  private var isLost = false

  init(keeping maximumKept: Int) {
    self.maximumKept = maximumKept
  }

  /// Receives the next part from the client.
  func send(_ part: Part) {
    if case .lost = part {} else if hasEnded { return }
    guard !isLost else { return }
    switch part {
    case .bytes(let bytes):
      length += bytes.readableBytes
      kept += bytes.readableBytesView.prefix(maximumKept - kept.count)
    case .end: hasEnded = true
    case .lost: isLost = true
    }
    onPart(part)
    if let take { return take(part) }
    waiting.append(part)
    if case .bytes(let bytes) = part { waitingBytes += bytes.readableBytes }
    if waitingBytes > Self.maximumWaiting { onPressure(false) }
  }

  /// Hands over what waits, and everything from here on.
  func connect(_ take: @escaping (Part) -> Void) {
    self.take = take
    if waitingBytes > Self.maximumWaiting { onPressure(true) }
    waitingBytes = 0
    while let part = waiting.popFirst() { take(part) }
  }

  /// Drops everything from here on.
  func disconnect() {
    take = { _ in }
    waiting.removeAll()
    onPart = { _ in }
    onPressure(true)
    onPressure = { _ in }
  }

  /// Records whether the other side takes more.
  func setWritable(_ value: Bool) {
    onPressure(value)
  }
}
