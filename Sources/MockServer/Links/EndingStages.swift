internal import Foundations
internal import NIOCore

/// `timeout`: nothing comes, and perhaps the connection is closed after a while.
///
/// Bytes that were held back come if the toxic is removed: the line was only broken.
struct TimeoutStage: FaultStage {
  private let timeout: Nanoseconds
  private var held = HeldSegments()
  private var isOver = false
  private(set) var due: Nanoseconds?
  private(set) var hasActed = false

  init(timeout: Nanoseconds) {
    self.timeout = timeout
  }

  var heldCount: Int { held.count }

  mutating func begin(at now: Nanoseconds, into output: inout [LinkSegment]) {
    if timeout > .zero { due = now + timeout }
  }

  mutating func take(_ item: LinkSegment, at now: Nanoseconds, into output: inout [LinkSegment]) {
    guard !isOver else { return }
    hasActed = true
    held.append(item)
  }

  mutating func advance(to now: Nanoseconds, into output: inout [LinkSegment]) {
    guard let due, due <= now else { return }
    self.due = nil
    isOver = true
    hasActed = true
    held.removeAll()
    output.append(.end(.closed))
  }

  mutating func release(into output: inout [LinkSegment]) {
    due = nil
    held.moveAll(into: &output)
  }
}

/// `reset_peer`: the connection is reset as soon as more than so many bytes come, or some time after that.
struct ResetPeerStage: FaultStage {
  private let timeout: Nanoseconds
  private var remaining: Int
  private var held = HeldSegments()
  private var isOver = false
  private(set) var due: Nanoseconds?

  init(timeout: Nanoseconds, bytes: Int) {
    self.timeout = timeout
    remaining = max(0, bytes)
  }

  var heldCount: Int { held.count }
  var hasActed: Bool { isOver || due != nil }

  mutating func take(_ item: LinkSegment, at now: Nanoseconds, into output: inout [LinkSegment]) {
    guard !isOver else { return }
    guard due == nil else { return held.append(item) }
    guard item.count > remaining else {
      remaining -= item.count
      return output.append(item)
    }
    held.append(item)
    if remaining > 0 { held.moveFirst(upTo: remaining, into: &output) }
    remaining = 0
    due = now + timeout
    advance(to: now, into: &output)
  }

  mutating func advance(to now: Nanoseconds, into output: inout [LinkSegment]) {
    guard let due, due <= now else { return }
    self.due = nil
    isOver = true
    held.removeAll()
    output.append(.end(.reset))
  }

  mutating func release(into output: inout [LinkSegment]) {
    due = nil
    held.moveAll(into: &output)
  }
}

/// `limit_data`: the connection is closed behind so many bytes.
struct LimitDataStage: FaultStage {
  private var remaining: Int
  private(set) var hasActed = false

  init(bytes: Int) {
    remaining = max(0, bytes)
  }

  var heldCount: Int { 0 }
  var due: Nanoseconds? { nil }

  mutating func begin(at now: Nanoseconds, into output: inout [LinkSegment]) {
    if remaining == 0 { close(into: &output) }
  }

  mutating func take(_ item: LinkSegment, at now: Nanoseconds, into output: inout [LinkSegment]) {
    guard !hasActed else { return }
    guard item.count >= remaining, case .bytes(var buffer) = item else {
      remaining -= item.count
      return output.append(item)
    }
    if let part = buffer.readSlice(length: remaining) { output.append(.bytes(part)) }
    close(into: &output)
  }

  private mutating func close(into output: inout [LinkSegment]) {
    remaining = 0
    hasActed = true
    output.append(.end(.closed))
  }

  mutating func advance(to now: Nanoseconds, into output: inout [LinkSegment]) {}
  mutating func release(into output: inout [LinkSegment]) {}
}
