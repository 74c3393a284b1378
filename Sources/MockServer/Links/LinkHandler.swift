internal import FaultEngine
internal import Foundations
internal import NIOCore
internal import ScenarioModel

/// The link below all that a connection carries: delays, throttles or cuts what passes, as was decided.
///
/// Nothing passes before the decision. Lives on the event loop.
final class LinkHandler: ChannelDuplexHandler, FaultyLink, FaultTaker {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let connection: ClientConnection
  private let connections: FaultyConnections
  private var context: ChannelHandlerContext?
  private(set) var ticket: Int?
  private var isSettled = false
  private var decision: LinkDecision?
  /// The faults on the way from the client, and on the way to it.
  private var up = FaultPipeline()
  private var down = FaultPipeline()
  /// Segments that came before the decision.
  private var early: [(item: LinkSegment, isUp: Bool)] = []
  private var hasFired = false
  private var isOver = false
  /// The time at which it was closed, as long as the client may still send.
  private var closing: Nanoseconds?
  private var timer: (due: Nanoseconds, cancel: () -> Void)?
  private var pressure = BackPressure()
  /// Room for what passes at once, kept to be used again.
  private var output: [LinkSegment] = []

  init(connection: ClientConnection, connections: FaultyConnections) {
    self.connection = connection
    self.connections = connections
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    connection.link = self
    let first = try? context.pipeline.syncOperations.handler(type: AcknowledgingHandler.self)
    first?.resetBehindLink = { [weak self] in self?.reset() }
  }

  func channelActive(context: ChannelHandlerContext) {
    context.fireChannelActive()
    connections.enter(self, connection)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
  }

  // MARK: - Decisions

  /// Applies the first decision; bytes pass from here on.
  func settle(_ ticket: Int?, _ decision: LinkDecision?) {
    guard !isSettled else { return }
    isSettled = true
    self.ticket = ticket
    if let decision { take(decision) }
    let early = early
    self.early = []
    for (item, isUp) in early { pass(item, isUp: isUp) }
    context?.flush()
    if !early.isEmpty { context?.fireChannelReadComplete() }
  }

  /// Applies another decision; what was held back comes first.
  func take(_ decision: LinkDecision?) {
    guard !isOver else { return }
    self.decision = decision
    hasFired = false
    let faults = decision?.faults ?? []
    if !faults.isEmpty { connection.isBroken = true }
    let toxics = faults.compactMap { if case .toxic(let toxic) = $0 { toxic } else { nil } }
    let random = decision?.random ?? SplitMix64(seed: 0)
    let now = connections.clock.elapsed
    var items: [LinkSegment] = []
    up.replaceStages(with: toxics, stream: .up, random: random, at: now, into: &items)
    deliverUp(items)
    items = []
    down.replaceStages(with: toxics, stream: .down, random: random, at: now, into: &items)
    deliverDown(items)
    context?.flush()
    if faults.contains(.down) {
      reportFired()
      end(.closed)
    }
    update()
  }

  /// Passes everything at once: the mock server closes.
  func open() {
    isSettled = true
    take(nil)
    isOver = true
    if closing != nil { closeAtOnce() }
    timer?.cancel()
    timer = nil
  }

  func takeHandshakeFault() -> ConnectionFault.HandshakeFault? {
    for case .tls(let fault) in decision?.faults ?? [] {
      reportFired()
      return fault
    }
    return nil
  }

  var isFull: Bool { BackPressure.isFull(down.heldCount) }

  /// True if each piece for the client goes out by itself.
  private var slices: Bool {
    decision?.faults.contains {
      if case .toxic(let toxic) = $0, case .slicer = toxic.kind { true } else { false }
    } ?? false
  }

  // MARK: - From the client

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // What a client sends behind a reply may have faults that begin with that reply.
    if connections.awaitsReplies { connections.reconsider() }
    if let closing { return receiveLate(at: closing) }
    if isOver || isSettled && up.isPlain { return context.fireChannelRead(data) }
    pass(.bytes(unwrapInboundIn(data)), isUp: true)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event, closing != nil { return closeAtOnce() }
    guard case ChannelEvent.inputClosed = event, !isOver, !isSettled || !up.isPlain else {
      return context.fireUserInboundEventTriggered(event)
    }
    pass(.end(.half), isUp: true)
  }

  func read(context: ChannelHandlerContext) {
    if pressure.mayRead(held: up.heldCount) { context.read() }
  }

  func channelInactive(context: ChannelHandlerContext) {
    isOver = true
    timer?.cancel()
    timer = nil
    connection.link = nil
    connections.leave(self, connection)
    context.fireChannelInactive()
  }

  // MARK: - To the client

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard closing == nil else { return promise?.fail(ChannelError.outputClosed) ?? () }
    if isOver || isSettled && down.isPlain { return context.write(data, promise: promise) }
    let bytes = unwrapOutboundIn(data)
    if bytes.readableBytes > 0 { pass(.bytes(bytes), isUp: false) }
    // The link keeps it from here on.
    promise?.succeed()
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    guard closing == nil else {
      if let promise { context.channel.closeFuture.cascade(to: promise) }
      return
    }
    guard !isOver, mode != .input, !isSettled || !down.isPlain else {
      return context.close(mode: mode, promise: promise)
    }
    if mode == .output {
      pass(.end(.half), isUp: false)
      promise?.succeed()
    } else {
      if let promise { context.channel.closeFuture.cascade(to: promise) }
      pass(.end(.closed), isUp: false)
    }
  }

  /// Resets the connection behind what is held back.
  func reset() {
    guard closing == nil else { return }
    guard !isOver, !isSettled || !down.isPlain else { return end(.reset) }
    pass(.end(.reset), isUp: false)
  }

  // MARK: - Passing

  private func pass(_ item: LinkSegment, isUp: Bool) {
    guard isSettled else {
      early.append((item, isUp))
      return
    }
    let now = connections.clock.elapsed
    var items = output
    output = []
    if isUp {
      up.take(item, at: now, into: &items)
      deliverUp(items)
    } else {
      down.take(item, at: now, into: &items)
      deliverDown(items)
    }
    items.removeAll(keepingCapacity: true)
    output = items
    update()
  }

  /// Passes what is due now.
  private func advance() {
    timer = nil
    let now = connections.clock.elapsed
    var items: [LinkSegment] = []
    up.advance(to: now, into: &items)
    let hasRead = !items.isEmpty
    deliverUp(items)
    if hasRead { context?.fireChannelReadComplete() }
    items = []
    down.advance(to: now, into: &items)
    deliverDown(items)
    context?.flush()
    update()
  }

  /// Sets the timer for what is due next, and lets both sides go on that had to wait.
  private func update() {
    if !hasFired, up.hasActed || down.hasActed { reportFired() }
    guard !isOver else { return }
    if pressure.takesPostponedRead(held: up.heldCount) { context?.read() }
    if pressure.becomesWritable(held: down.heldCount) { context?.fireChannelWritabilityChanged() }
    let due = [up.due, down.due].compactMap(\.self).min()
    guard due != timer?.due else { return }
    timer?.cancel()
    timer = nil
    guard let due else { return }
    let wait = max(.zero, due - connections.clock.elapsed)
    timer = (
      due,
      connections.clock.scheduleCancellable(after: wait) { [self] in
        // An environment that cannot cancel calls back for what is no longer due.
        if timer?.due == due { advance() }
      }
    )
  }

  private func deliverUp(_ items: [LinkSegment]) {
    for item in items {
      guard !isOver, let context else { return }
      switch item {
      case .bytes(let bytes): context.fireChannelRead(wrapInboundOut(bytes))
      case .end(.half): context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
      case .end(.reset): end(.reset)
      case .end(.closed):
        // What is on its way to the client comes first.
        pass(.end(.closed), isUp: false)
      }
    }
  }

  private func deliverDown(_ items: [LinkSegment]) {
    for item in items {
      guard !isOver, let context else { return }
      switch item {
      case .bytes(let bytes):
        context.write(wrapOutboundOut(bytes), promise: nil)
        if slices { context.flush() }
      case .end(let end): self.end(end)
      }
    }
  }

  private func end(_ end: LinkEnd) {
    guard let context else { return }
    if end != .half { isOver = true }
    if !hasFired, up.hasActed || down.hasActed { reportFired() }
    switch end {
    case .half: context.close(mode: .output, promise: nil)
    case .closed:
      context.flush()
      closing = connections.clock.elapsed
      context.close(mode: .output, promise: nil)
      // The handlers above need not answer any more.
      context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    case .reset: context.channel.resetAtOnce()
    }
  }

  /// Handles bytes of a client after the connection is closed.
  ///
  /// The kernel answers them with a reset (RFC 9293, section 3.10.7.1), which would also affect
  /// what is under way already; which of the two comes first must not be left to real time.
  private func receiveLate(at closing: Nanoseconds) {
    guard connections.clock.elapsed > closing else { return }
    self.closing = nil
    context?.channel.resetAtOnce()
  }

  private func closeAtOnce() {
    closing = nil
    context?.close(mode: .all, promise: nil)
  }

  private func reportFired() {
    hasFired = true
    if let ticket { connections.recordFired(ticket) }
  }
}
