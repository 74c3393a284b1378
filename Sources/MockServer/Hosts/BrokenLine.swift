internal import Foundations

/// One direction of a connection whose hosts may be cut off from each other: segments in at some instants, segments out at
/// others, none of them lost.
///
/// While it is cut, everything is held back; after that it comes when its sender sends it again, as TCP does. Pure.
struct BrokenLine {
  private var held = HeldSegments()
  /// When the first of what is held back was sent.
  private var since: Nanoseconds?
  /// When all of it comes.
  private var release: Nanoseconds?
  /// How long the sender's data may stay without an acknowledgement; `nil` for as long as TCP sends it again.
  var userTimeout: Nanoseconds?
  /// True while nothing passes.
  private(set) var isCut = false
  /// True if the sender has given up: nothing comes any more.
  private(set) var hasExpired = false

  /// True if everything passes as it comes.
  var isPlain: Bool { !isCut && held.isEmpty && !hasExpired }
  /// True if nothing is held back.
  var isEmpty: Bool { held.isEmpty }
  /// The number of bytes that are held back.
  var heldCount: Int { held.count }

  /// When something happens by itself.
  var due: Nanoseconds? {
    guard let since, !hasExpired else { return nil }
    return isCut ? since + patience : release
  }

  /// How long the sender keeps on; a timeout is looked at when data is sent again.
  private var patience: Nanoseconds {
    userTimeout.map { max($0, RetransmissionSchedule.data.instants[0]) }
      ?? RetransmissionSchedule.data.end
  }

  /// Cuts the line, or mends it.
  mutating func setCut(_ isCut: Bool, at now: Nanoseconds) {
    guard isCut != self.isCut else { return }
    self.isCut = isCut
    release = nil
    guard !isCut, let since else { return }
    let schedule = RetransmissionSchedule.data
    release =
      since + min(schedule.next(from: now - since) ?? schedule.end, max(patience, now - since))
  }

  /// Takes a segment in.
  mutating func take(_ item: LinkSegment, at now: Nanoseconds, into output: inout [LinkSegment]) {
    guard !hasExpired else { return }
    guard !isPlain else { return output.append(item) }
    if held.isEmpty { since = now }
    held.append(item)
  }

  /// Carries out what is due.
  mutating func advance(to now: Nanoseconds, into output: inout [LinkSegment]) {
    guard let due, due <= now else { return }
    if isCut {
      hasExpired = true
      held.removeAll()
    } else {
      held.moveAll(into: &output)
    }
    since = nil
    release = nil
  }
}
