internal import NIOHTTP1

/// Puts replies on their way.
///
/// Lives on the event loop.
final class ReplySender {
  private let clock: VirtualClock
  private let recorder: RequestRecorder
  private var dates = HTTPDate.Cache()

  init(clock: VirtualClock, recorder: RequestRecorder) {
    self.clock = clock
    self.recorder = recorder
  }

  /// The fields of a reply that leaves now.
  func finalHeaders(_ headers: HTTPHeaders) -> HTTPHeaders {
    let now = clock.now
    var headers = headers
    VirtualDates.resolve(&headers, at: now)
    if !headers.contains(name: "date"), let date = dates.text(now) {
      headers.add(name: "date", value: date)
    }
    return headers
  }

  /// Makes the writer of a reply to a connection.
  func writer(
    of reply: PreparedReply, isHeadRequest: Bool, wire: any ReplyWire, record: RecordedRequest?
  ) -> ReplyWriter {
    let isForeign = if case .feed = reply.content { true } else { false }
    return ReplyWriter(
      reply, isHeadRequest: isHeadRequest, wire: wire,
      schedule: { [clock] delay, work in clock.schedule(after: delay, work) },
      breakdown: { [recorder] message in
        if let record { recorder.reportBroken(record, message) }
      },
      sent: { [recorder] piece in
        if let record {
          recorder.reportPiece(
            piece, isFromClient: false, of: record, isForeign: isForeign, isFramed: true)
        }
      })
  }
}
