internal import NIOCore
internal import NIOHTTP1

/// A body whose pieces come from elsewhere, while the reply is on its way.
///
/// Lives on the event loop. Pieces that come before the reply's time are kept.
final class BodyStream {
  /// The `content-length` that is announced; `nil` where the end marks itself.
  let length: Int?
  /// Called when the client takes more, or no more for a while, and when it has left; ask `isWritable` and
  /// `isOpen`.
  var onChange: (() -> Void)?
  /// True if the other side takes more; what is sent regardless is kept in memory.
  private(set) var isWritable = true
  /// True if pieces are still wanted.
  private(set) var isOpen = true

  private var waiting: [ReplyScript.Action] = []
  private var take: ((ReplyScript.Action) -> Void)?

  init(length: Int? = nil) {
    self.length = length
  }

  /// Sends a piece.
  func send(_ part: ByteBuffer) {
    pass(.send(part))
  }

  /// Ends the message.
  func finish(trailers: HTTPHeaders = [:]) {
    pass(.finish(trailers: trailers))
    isOpen = false
  }

  /// Abandons the message without its end.
  func abandon(_ manner: AbortMode) {
    pass(.abandon(manner))
    isOpen = false
  }

  private func pass(_ action: ReplyScript.Action) {
    guard isOpen else { return }
    if let take { take(action) } else { waiting.append(action) }
  }

  // MARK: - The other side

  /// Hands over what waits, and everything from here on.
  func connect(_ take: @escaping (ReplyScript.Action) -> Void) {
    self.take = take
    let kept = waiting
    waiting = []
    for action in kept { take(action) }
  }

  /// Records whether the client takes more.
  func setWritable(_ value: Bool) {
    guard isWritable != value else { return }
    isWritable = value
    onChange?()
  }

  /// Ends the stream: the client has left.
  func disconnect() {
    take = nil
    guard isOpen else { return }
    isOpen = false
    onChange?()
  }
}
