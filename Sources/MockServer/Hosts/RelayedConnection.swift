internal import FaultEngine
internal import Foundations
internal import NIOCore
internal import ScenarioModel

/// A connection between two hosts that goes through the relay, so that it can be cut, and its bytes delayed.
///
/// Each end is a connection of the kernel's with one of the two targets. Lives on the event loop.
final class RelayedConnection {
  typealias Side = HostConnection.Side

  private struct End {
    var channel: (any Channel)?
    /// True once it has sent its end of stream.
    var hasEnded = false
    /// True once an end of stream is to be sent to it.
    var isTold = false
    /// True once the end of stream was sent to it.
    var isShut = false
    /// The data that arrived before this end was connected.
    var early: [LinkSegment] = []
    /// True once it is no more: what is sent to it is answered with a reset.
    var isGone = false
    /// True while it is read.
    var isRead = false
  }

  /// The requested connection.
  let request: HostConnection
  /// The probes that each end sends; `nil` for one that sends none.
  private var probes: [KeepAliveProbes?] = [nil, nil]
  private let clock: VirtualClock
  private let expire: (_ end: any Channel) -> EventLoopFuture<Void>
  private let whenEstablished: (RelayedConnection) -> Void
  private let whenOver: (RelayedConnection) -> Void
  /// The ends, by their sides.
  private var ends = [End(), End()]
  /// The data that each end sends.
  private var lines = [RelayedLine(), RelayedLine()]
  private let faults: HostConnectionFaults
  /// The fault decision about the data of each end.
  private var decisions: [LinkDecision?] = [nil, nil]
  private var timer: (due: Nanoseconds, cancel: () -> Void)?
  private var output: [LinkSegment] = []
  /// True while the hosts are cut off from each other.
  private var isCut = false
  /// True once both ends are gone.
  private(set) var isOver = false
  /// True once the client is connected.
  private(set) var isEstablished = false
  /// The reason of its end, once it has ended.
  private(set) var ending = HostConnectionChange.State.closed

  /// - Parameters:
  ///   - expire: makes the kernel time out a target's end whose data was not acknowledged.
  ///   - whenEstablished: called once the client is connected.
  ///   - whenOver: called once both ends are gone.
  init(
    _ request: HostConnection, _ faults: HostConnectionFaults, clock: VirtualClock,
    expire: @escaping (any Channel) -> EventLoopFuture<Void>,
    whenEstablished: @escaping (RelayedConnection) -> Void,
    whenOver: @escaping (RelayedConnection) -> Void
  ) {
    self.request = request
    self.clock = clock
    self.expire = expire
    self.whenEstablished = whenEstablished
    self.whenOver = whenOver
    self.faults = faults
    for side in Side.allCases { takeTimeouts(request.timeouts[side.rawValue], of: side) }
    faults.whenChanged = { [weak self] in self?.takeFaults() }
    takeFaults()
  }

  /// The handlers of an end's channel.
  func addHandlers(to channel: any Channel, at side: Side) throws {
    try channel.pipeline.syncOperations.addHandlers(
      AcknowledgingHandler(), RelayEndHandler(side: side, connection: self))
  }

  // MARK: - Ends

  /// Takes an end that is there; once both are, bytes go both ways.
  fileprivate func attach(_ channel: any Channel, at side: Side) {
    // It may have been abandoned while this end was being made.
    guard !isOver else { return channel.resetAtOnce() }
    ends[side.rawValue].channel = channel
    hear()
    if side == .client {
      isEstablished = true
      whenEstablished(self)
    }
    let early = ends[side.rawValue].early
    ends[side.rawValue].early = []
    deliver(early, to: side)
    channel.flush()
    updateReading()
  }

  /// There will be no such connection.
  func abandon() {
    let channels = ends.compactMap(\.channel)
    for side in Side.allCases { leave(side) }
    for channel in channels { channel.resetAtOnce() }
  }

  /// Cuts the hosts off from each other, or mends that.
  func setCut(_ isCut: Bool) {
    let now = clock.elapsed
    for side in Side.allCases {
      lines[side.rawValue].setCut(isCut, at: now)
      probes[side.rawValue]?.setCut(isCut, at: now)
    }
    self.isCut = isCut
    update()
  }

  // MARK: - Options of the ends

  /// The side whose end is at an address; `nil` if it is not one of this connection's, or no more.
  ///
  /// A target may set options as soon as its kernel has the connection, which is before this has
  /// the channel.
  ///
  /// - Parameter other: the address that it is connected to; `nil` while it is not.
  func side(at end: LoopbackEnd, facing other: LoopbackEnd?) -> Side? {
    guard let side = request.side(at: end, facing: other), !self[side].isGone else { return nil }
    return other == nil && self[side].channel != nil ? nil : side
  }

  /// Replaces the options by which the kernel gives the connection up at an end.
  func setTimeouts(_ timeouts: TCPTimeouts, of side: Side) {
    takeTimeouts(timeouts, of: side)
    update()
  }

  private func takeTimeouts(_ timeouts: TCPTimeouts, of side: Side) {
    lines[side.rawValue].setUserTimeout(timeouts.user)
    probes[side.rawValue] = KeepAliveProbes(timeouts, at: clock.elapsed, isCut: isCut)
  }

  /// Each end has got bytes, or what acknowledges its own.
  private func hear() {
    guard !isCut else { return }
    let now = clock.elapsed
    for side in Side.allCases { probes[side.rawValue]?.hear(at: now) }
  }

  /// Applies other decisions; what was held back comes first.
  private func takeFaults() {
    guard !isOver else { return }
    let now = clock.elapsed
    for side in Side.allCases {
      let decision = faults.decision(of: side)
      guard decision != decisions[side.rawValue] else { continue }
      decisions[side.rawValue] = decision
      var items: [LinkSegment] = []
      lines[side.rawValue].replaceFaults(
        with: decision?.toxics ?? [], stream: side == .client ? .up : .down,
        random: decision?.random ?? SplitMix64(seed: 0), at: now, into: &items)
      deliver(items, to: side.other)
      self[side.other].channel?.flush()
    }
    guard faults.isDown else { return update() }
    for side in Side.allCases {
      if let channel = self[side].channel { tellEnd(side, channel, closes: true) }
    }
    faults.recordFired(of: .client)
    faults.recordFired(of: .server)
  }

  // MARK: - What comes

  fileprivate func receive(_ bytes: ByteBuffer, from side: Side) {
    hear()
    if lines[side.rawValue].isPlain, let channel = self[side.other].channel {
      return channel.write(bytes, promise: nil)
    }
    pass(.bytes(bytes), from: side)
  }

  fileprivate func flush(from side: Side) {
    self[side.other].channel?.flush()
  }

  fileprivate func inputEnded(at side: Side) {
    guard !self[side].hasEnded else { return }
    ends[side.rawValue].hasEnded = true
    pass(.end(.half), from: side)
  }

  /// The kernel's connection with an end is no more.
  fileprivate func channelEnded(at side: Side, hasFailed: Bool) {
    guard !isOver, !self[side].isGone else { return }
    // Where both sides are to end, the kernel says of the second one only that the connection is over.
    let isReset = hasFailed || !self[side].isShut
    if isReset, ending == .closed { ending = .reset }
    if !isReset { inputEnded(at: side) }
    leave(side)
    if isReset { pass(.end(.reset), from: side) }
  }

  private func leave(_ side: Side) {
    ends[side.rawValue].isGone = true
    ends[side.rawValue].channel = nil
    guard self[side.other].isGone, !isOver else { return }
    isOver = true
    timer?.cancel()
    timer = nil
    faults.end()
    whenOver(self)
  }

  private func pass(_ item: LinkSegment, from side: Side) {
    guard !isOver else { return }
    var items = output
    output = []
    lines[side.rawValue].take(item, at: clock.elapsed, into: &items)
    deliver(items, to: side.other)
    items.removeAll(keepingCapacity: true)
    output = items
    update()
  }

  private func advance() {
    timer = nil
    let now = clock.elapsed
    for side in Side.allCases {
      var items: [LinkSegment] = []
      lines[side.rawValue].advance(to: now, into: &items)
      deliver(items, to: side.other)
      self[side.other].channel?.flush()
      if lines[side.rawValue].hasExpired || probesEnd(of: side).map({ $0 <= now }) ?? false {
        giveUp(side)
      }
    }
    update()
  }

  /// When an end gives up because no probe gets an answer; `nil` for never.
  ///
  /// While data waits for an acknowledgement, no probe is sent.
  private func probesEnd(of side: Side) -> Nanoseconds? {
    guard self[side].channel != nil, lines[side.rawValue].isAcknowledged else { return nil }
    return probes[side.rawValue]?.end
  }

  /// Times out an end whose data or probes were not acknowledged; the other end gets no notice.
  private func giveUp(_ side: Side) {
    guard !self[side].isGone, let channel = self[side].channel else { return }
    ending = .timedOut
    ends[side.rawValue].isGone = true
    ends[side.rawValue].channel = nil
    let bound = NIOLoopBound((self, channel), eventLoop: channel.eventLoop)
    expire(channel).whenComplete { _ in
      let (connection, channel) = bound.value
      channel.resetAtOnce()
      connection.leave(side)
    }
  }

  // MARK: - What goes out

  private func deliver(_ items: [LinkSegment], to side: Side) {
    for item in items {
      guard let channel = self[side].channel else {
        if self[side].isGone { return answerForGone(side.other) }
        ends[side.rawValue].early.append(item)
        continue
      }
      switch item {
      case .bytes(let bytes): channel.write(bytes, promise: nil)
      case .end(.half): tellEnd(side, channel, closes: false)
      case .end(.closed): tellEnd(side, channel, closes: true)
      case .end(.reset):
        // A fault resets both ends; the end that resets by itself is gone.
        if ending == .closed { ending = .reset }
        recordActions()
        return abandon()
      }
    }
  }

  /// Ends the output behind all that was written: a channel whose input has ended would drop that.
  private func tellEnd(_ side: Side, _ channel: any Channel, closes: Bool) {
    guard !self[side].isTold else { return }
    ends[side.rawValue].isTold = true
    let bound = NIOLoopBound((self, channel), eventLoop: channel.eventLoop)
    channel.writeAndFlush(ByteBuffer()).whenSuccess {
      let (connection, channel) = bound.value
      connection.ends[side.rawValue].isShut = true
      channel.close(mode: closes ? .all : .output, promise: nil)
    }
  }

  /// Resets an end that still sends to a closed one.
  private func answerForGone(_ side: Side) {
    guard let channel = self[side].channel else { return }
    leave(side)
    channel.resetAtOnce()
  }

  // MARK: - Time and room

  private func update() {
    guard !isOver else { return }
    updateReading()
    recordActions()
    let due = (lines.map(\.due) + Side.allCases.map { probesEnd(of: $0) }).compactMap(\.self).min()
    guard due != timer?.due else { return }
    timer?.cancel()
    timer = nil
    guard let due else { return }
    timer = (
      due,
      clock.scheduleCancellable(after: max(.zero, due - clock.elapsed)) { [self] in
        if timer?.due == due { advance() }
      }
    )
  }

  private func recordActions() {
    for side in Side.allCases where lines[side.rawValue].hasActed { faults.recordFired(of: side) }
  }

  /// Reads an end only while the other one takes more.
  fileprivate func updateReading() {
    for side in Side.allCases {
      guard let channel = self[side].channel, !self[side].hasEnded else { continue }
      let other = self[side.other]
      let reads =
        (other.isGone || other.channel?.isWritable ?? false)
        && !BackPressure.isFull(lines[side.rawValue].heldCount)
      guard reads != self[side].isRead else { continue }
      ends[side.rawValue].isRead = reads
      channel.setReading(reads)
    }
  }

  private subscript(side: Side) -> End { ends[side.rawValue] }
}

/// One end of a relayed connection.
private final class RelayEndHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let side: RelayedConnection.Side
  private let connection: RelayedConnection
  private var hasFailed = false

  init(side: RelayedConnection.Side, connection: RelayedConnection) {
    self.side = side
    self.connection = connection
  }

  func channelActive(context: ChannelHandlerContext) {
    connection.attach(context.channel, at: side)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    connection.receive(unwrapInboundIn(data), from: side)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    connection.flush(from: side)
    context.fireChannelReadComplete()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    connection.updateReading()
    context.fireChannelWritabilityChanged()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event { connection.inputEnded(at: side) }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    connection.channelEnded(at: side, hasFailed: hasFailed)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    hasFailed = true
    context.close(promise: nil)
  }
}
