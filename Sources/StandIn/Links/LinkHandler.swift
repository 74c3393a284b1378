internal import NIOCore
internal import ScenarioModel
internal import ScenarioPlan

/// The link below everything that a connection speaks: what passes it is late, little or cut as was decided.
///
/// Nothing passes before it is known what was decided. Lives on the event loop.
final class LinkHandler: ChannelDuplexHandler, FaultyLink {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// How many bytes are held back before whoever sends them is asked to wait.
  private static let heldLimit = 1 << 20

  private let connection: ClientConnection
  private let reception: Reception
  private var context: ChannelHandlerContext?
  private(set) var ticket: Int?
  private var isSettled = false
  private var decision: LinkDecision?
  /// What the client sends, and what it gets.
  private var up = FaultPipeline()
  private var down = FaultPipeline()
  /// What came before it was known what was decided.
  private var early: [(item: LinkSegment, isUp: Bool)] = []
  private var hasFired = false
  private var isOver = false
  /// When it was closed, while the client may still be there.
  private var closing: Nanoseconds?
  private var slices = false
  private var appointment: (due: Nanoseconds, callOff: () -> Void)?
  private var isReadWaiting = false
  private var wasFull = false
  private var output: [LinkSegment] = []

  init(connection: ClientConnection, reception: Reception) {
    self.connection = connection
    self.reception = reception
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    connection.link = self
    let first = try? context.pipeline.syncOperations.handler(type: AcknowledgingHandler.self)
    first?.resetBehindLink = { [weak self] in self?.reset() }
  }

  func channelActive(context: ChannelHandlerContext) {
    context.fireChannelActive()
    reception.links.enter(self, connection)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
  }

  // MARK: - Decisions

  /// It is known what was decided; bytes may pass from here on.
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

  /// Something else holds from here on; what was held back comes first.
  func take(_ decision: LinkDecision?) {
    guard !isOver else { return }
    self.decision = decision
    hasFired = false
    let faults = decision?.faults ?? []
    if !faults.isEmpty { connection.isBroken = true }
    let toxics = faults.compactMap { if case .toxic(let toxic) = $0 { toxic } else { nil } }
    slices = toxics.contains { if case .slicer = $0.kind { true } else { false } }
    let random = decision?.random ?? SplitMix64(seed: 0)
    let now = reception.environment.elapsed()
    var items: [LinkSegment] = []
    up.replaceStages(with: toxics, stream: .up, random: random, at: now, into: &items)
    deliverUp(items)
    items = []
    down.replaceStages(with: toxics, stream: .down, random: random, at: now, into: &items)
    deliverDown(items)
    context?.flush()
    if faults.contains(.down) {
      tellFired()
      end(.closed)
    }
    look()
  }

  /// The decision is over at once, and everything passes: the stand-in closes.
  func open() {
    isSettled = true
    take(nil)
    isOver = true
    if closing != nil { closeAtOnce() }
    appointment?.callOff()
    appointment = nil
  }

  /// How the TLS handshake that begins goes wrong; `nil` if it does not.
  func takeHandshakeFault() -> ConnectionFault.HandshakeFault? {
    for case .tls(let fault) in decision?.faults ?? [] {
      tellFired()
      return fault
    }
    return nil
  }

  /// Whether so much is held back for the client that nothing should be added.
  var isFull: Bool { down.heldCount >= Self.heldLimit }

  // MARK: - From the client

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // What a client says behind a reply is the first that comes behind it.
    if reception.links.awaitsReplies { reception.links.reconsider() }
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
    guard up.heldCount < Self.heldLimit else {
      isReadWaiting = true
      return
    }
    context.read()
  }

  func channelInactive(context: ChannelHandlerContext) {
    isOver = true
    appointment?.callOff()
    appointment = nil
    connection.link = nil
    reception.links.leave(self, connection)
    context.fireChannelInactive()
  }

  // MARK: - To the client

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard closing == nil else { return promise?.fail(ChannelError.outputClosed) ?? () }
    if isOver || isSettled && down.isPlain { return context.write(data, promise: promise) }
    let bytes = unwrapOutboundIn(data)
    if bytes.readableBytes > 0 { pass(.bytes(bytes), isUp: false) }
    // From here on it is the link's business.
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

  /// Whoever answers wants the connection to be reset.
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
    let now = reception.environment.elapsed()
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
    look()
  }

  /// The instant has come at which something is due.
  private func advance() {
    appointment = nil
    let now = reception.environment.elapsed()
    var items: [LinkSegment] = []
    up.advance(to: now, into: &items)
    let hasRead = !items.isEmpty
    deliverUp(items)
    if hasRead { context?.fireChannelReadComplete() }
    items = []
    down.advance(to: now, into: &items)
    deliverDown(items)
    context?.flush()
    look()
  }

  /// Sees to it that the next instant is not missed, and to what else has changed.
  private func look() {
    if !hasFired, up.hasActed || down.hasActed { tellFired() }
    guard !isOver else { return }
    if isReadWaiting, up.heldCount < Self.heldLimit {
      isReadWaiting = false
      context?.read()
    }
    if wasFull, down.heldCount < Self.heldLimit / 2 {
      wasFull = false
      context?.fireChannelWritabilityChanged()
    }
    wasFull = wasFull || isFull
    let due = [up.due, down.due].compactMap(\.self).min()
    guard due != appointment?.due else { return }
    appointment?.callOff()
    appointment = nil
    guard let due else { return }
    let wait = max(.zero, due - reception.environment.elapsed())
    appointment = (
      due,
      reception.appoint(wait) { [self] in
        // An environment that cannot call off calls back for what is no longer due.
        if appointment?.due == due { advance() }
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
    if !hasFired, up.hasActed || down.hasActed { tellFired() }
    switch end {
    case .half: context.close(mode: .output, promise: nil)
    case .closed:
      context.flush()
      closing = reception.environment.elapsed()
      context.close(mode: .output, promise: nil)
      // Whoever answers need not go on.
      context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    case .reset: context.channel.resetAtOnce()
    }
  }

  /// The client speaks on although the connection is closed.
  ///
  /// The kernel answers that with a reset (RFC 9293, section 3.10.7.1), and would do so to what is under way
  /// already; which of the two comes first must not be left to real time.
  private func receiveLate(at closing: Nanoseconds) {
    guard reception.environment.elapsed() > closing else { return }
    self.closing = nil
    context?.channel.resetAtOnce()
  }

  private func closeAtOnce() {
    closing = nil
    context?.close(mode: .all, promise: nil)
  }

  private func tellFired() {
    hasFired = true
    if let ticket { reception.links.noteFired(ticket) }
  }
}
