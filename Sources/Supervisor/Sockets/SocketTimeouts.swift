internal import CSupervisor
internal import Foundations
internal import Glibc

/// Keeps the timeouts of the target's sockets (SO_RCVTIMEO, SO_SNDTIMEO), and of reading from its terminals, in virtual
/// time.
final class SocketTimeouts {
  unowned let kernel: any SocketKernel
  let isVirtual: Bool
  private var account = SocketTimeoutAccount()
  /// The samples of threads that slept in calls that are not watched.
  private var samples: [ThreadIdentifier: SocketSample] = [:]

  /// - Parameters:
  ///   - kernel: whose target it is.
  ///   - isVirtual: whether time is other than the machine's.
  init(kernel: any SocketKernel, isVirtual: Bool) {
    self.kernel = kernel
    self.isVirtual = isVirtual
  }

  /// The last sample of a thread that slept in a call that is not watched.
  subscript(tracee: Tracee) -> SocketSample? {
    get { samples.isEmpty ? nil : samples[tracee.identifier] }
    set { if !samples.isEmpty || newValue != nil { samples[tracee.identifier] = newValue } }
  }

  /// Returns whether a thread waits for a socket with a timeout.
  func isWaiting(_ tracee: Tracee) -> Bool { self[tracee]?.wait != nil }

  /// A call of a thread has ended, or was disturbed, and not for a timeout of its socket.
  func callEnded(of tracee: Tracee) {
    if self[tracee]?.wait?.isDue == false { forgetWait(of: tracee) }
  }

  /// True if the target has ever set one; without, no socket need be examined.
  var areInUse: Bool { account.areInUse }

  /// A timeout is set.
  ///
  /// - Parameter ofTerminals: true if it is one of reading from a terminal.
  func beginUse(ofTerminals: Bool = false) {
    account.areInUse = true
    if ofTerminals { account.haveTerminals = true }
  }

  /// The call in which a thread waits is made again for what is left of it.
  func callGoesOn(of tracee: Tracee) { self[tracee]?.wait?.goesOn = true }

  /// Records a timeout, for where sockets cannot be read.
  func record(_ value: TimeValue, ofSocket socket: UInt64, isSend: Bool) {
    account.table.record(value, ofSocket: socket, isSend: isSend)
  }

  /// Puts the waits of threads on the timeline that sleep in calls on sockets with timeouts.
  ///
  /// Such calls are not watched, since reading must cost nothing. Here everything sleeps and virtual time
  /// has not moved since: a wait that is not known yet has begun at this instant. One that is known holds
  /// while its thread has not run, and while the thread goes on with the same call by parts
  /// (`PartialCall`).
  ///
  /// - Parameter exception: a thread that stands in a stop.
  func recordWaits(but exception: Tracee? = nil) {
    guard account.areInUse else { return }
    var unknown: [Tracee] = []
    for tracee in kernel.watchedThreads.values where self[tracee]?.wait?.isDue != true {
      guard tracee !== exception, mayWaitForSocket(tracee) else {
        forgetWait(of: tracee)
        continue
      }
      if self[tracee]?.runCount != tracee.sampler.runCount() || isSuspended(tracee) {
        unknown.append(tracee)
      }
    }
    // The order of threads that fell asleep at one instant is unknown; this one is the same in each run.
    for tracee in unknown.sorted(by: { $0.identifier < $1.identifier }) {
      look(at: tracee)
    }
  }

  /// Records the same where time flows by itself, and no caller waits until everything sleeps.
  func recordWaitsWhileTimeFlows() {
    guard account.areInUse else { return }
    let real = RealClock.monotonic()
    guard real >= account.nextLook else { return }
    account.nextLook = real + SocketTimeoutAccount.lookInterval
    recordWaits()
  }

  private func look(at tracee: Tracee) {
    let count = tracee.sampler.runCount()
    let call = tracee.sampler.blockedCall()
    guard tracee.sampler.runCount() == count else { return }
    // One that runs may do so within the call in which it waits, and of one that has stopped a signal may leave the call
    // as it is: that shows when it sleeps again, or at its stop.
    guard let call, tracee.sampler.state() != .busy else { return suspendWait(of: tracee) }
    if var wait = self[tracee]?.wait, wait.goesOn {
      // One that has not got back to its call yet will be looked at again.
      guard call.number == wait.call.number else { return }
      wait.call = call
      wait.goesOn = false
      self[tracee] = SocketSample(runCount: count, wait: wait)
      return resumeWait(of: tracee)
    }
    if goesOn(tracee, with: call), tracee.sampler.runCount() == count {
      self[tracee]?.runCount = count
      return resumeWait(of: tracee)
    }
    forgetWait(of: tracee)
    self[tracee] = SocketSample(runCount: count, wait: wait(of: tracee, in: call))
  }

  private func wait(of tracee: Tracee, in call: BlockedCall) -> SocketWait? {
    if account.haveTerminals,
      let length = TerminalTimeout.length(of: call, by: tracee.identifier)
    {
      let identity = PartialCall.count(of: tracee).map { PartialCall.counted($0) }
      return wait(of: length, in: call, identity, result: 0, tracee)
    }
    for use in SocketUse.candidates(call) {
      if DescriptorTransfer.isNeeded {
        if let wait = wait(of: tracee, in: call, use) { return wait }
        continue
      }
      let copy = kernel.copyDescriptor(use.descriptor, of: tracee)
      guard copy >= 0 else { continue }
      defer { close(copy) }
      let option = use.direction == .receive ? SocketTimeout.receive : SocketTimeout.send
      guard let value = timeout(of: copy, option) else { continue }
      if let pipe = use.pipe, !isReady(pipe, of: tracee, for: use.direction) { continue }
      return wait(for: value, in: call, use, copy, tracee)
    }
    return nil
  }

  /// Returns the same where an examination of the socket would wake the thread.
  private func wait(
    of tracee: Tracee, in call: BlockedCall, _ use: SocketUse
  ) -> SocketWait? {
    guard let socket = tracee.socketNumber(use.descriptor),
      let value = account.table.timeout(ofSocket: socket, use.direction)
    else { return nil }
    // Of a splice(2) the socket is taken for what it waits for: it sleeps with the pipe locked, and a thread that
    // opened that anew would sleep with it.
    var wait = wait(for: value, in: call, use, -1, tracee)
    if use.direction == .connect, tracee.socketProtocol(use.descriptor) != "UNIX" {
      recordConnecting(socket, in: &wait)
    }
    return wait
  }

  private func wait(
    for value: TimeValue, in call: BlockedCall, _ use: SocketUse, _ copy: Int32, _ tracee: Tracee
  ) -> SocketWait {
    let length = Nanoseconds.seconds(value.seconds) + .microseconds(value.fraction)
    var wait = wait(
      of: length, in: call, PartialCall(call, use, copy, of: tracee), result: -KernelError.again,
      tracee)
    if use.direction == .connect, copy >= 0, domain(of: copy) != AF_UNIX {
      recordConnecting(number(of: copy), in: &wait)
    }
    return wait
  }

  /// Puts a wait on the timeline.
  ///
  /// - Parameter result: the result of the call on expiry.
  private func wait(
    of length: Nanoseconds, in call: BlockedCall, _ identity: PartialCall?, result: Int,
    _ tracee: Tracee
  ) -> SocketWait {
    let deadline = kernel.clock.monotonic(real: RealClock.monotonic()) + length
    kernel.recordWait(length, by: tracee.owner(ofCall: call.number))
    return SocketWait(
      call: call, length: length, deadline: deadline, identity: identity,
      ticket: kernel.file(.monotonic(deadline), for: .socket(tracee.identifier)),
      resultOnExpiry: result)
  }

  /// Records a connect(2) whose deadline is past: the kernel goes on connecting, and a second call
  /// gets EALREADY.
  private func recordConnecting(_ socket: UInt64, in wait: inout SocketWait) {
    let goesOn = account.connecting.contains(socket)
    wait.resultOnExpiry = goesOn ? -KernelError.alreadyConnecting : -KernelError.inProgress
    wait.connectingSocket = socket
  }

  /// Returns whether the pipe of a splice(2) holds bytes, or has room for some: then the call waits for the socket.
  private func isReady(
    _ pipe: Int32, of tracee: Tracee, for direction: SocketUse.Direction
  ) -> Bool {
    let copy = kernel.copyDescriptor(pipe, of: tracee)
    guard copy >= 0 else { return false }
    defer { close(copy) }
    let events = Int16(direction == .receive ? POLLOUT : POLLIN)
    var entry = pollfd(fd: copy, events: events, revents: 0)
    return poll(&entry, 1, 0) == 1 && entry.revents & events != 0
  }

  private func domain(of copy: Int32) -> Int32 { SocketKind.option(SO_DOMAIN, of: copy) }

  private func number(of copy: Int32) -> UInt64 {
    var status = stat()
    return fstat(copy, &status) == 0 ? UInt64(status.st_ino) : 0
  }

  // MARK: - Out of the call

  /// Takes the wait of a thread off the timeline that is out of its call, and may go on with it.
  private func suspendWait(of tracee: Tracee) {
    guard let ticket = self[tracee]?.wait?.ticket else { return }
    kernel.cancel(ticket)
    self[tracee]?.wait?.ticket = nil
  }

  /// Puts it back, with the same deadline.
  private func resumeWait(of tracee: Tracee) {
    guard let wait = self[tracee]?.wait, wait.ticket == nil else { return }
    self[tracee]?.wait?.ticket = kernel.file(
      .monotonic(wait.deadline), for: .socket(tracee.identifier))
  }

  private func isSuspended(_ tracee: Tracee) -> Bool {
    self[tracee]?.wait.map { $0.ticket == nil } ?? false
  }

  // MARK: - The end

  /// Forgets what a thread waited for.
  func forgetWait(of tracee: Tracee) {
    guard let sample = self[tracee] else { return }
    kernel.cancel(sample.wait?.ticket)
    self[tracee] = nil
    tracee.isInterrupted = false
  }

  /// The deadline of a wait is due: its thread is interrupted, unless it is out of its call.
  func fire(of thread: ThreadIdentifier, _ item: Timeline<WaitOwner>.Item) {
    guard let tracee = kernel.tracees[thread], let look = self[tracee], let wait = look.wait,
      wait.ticket == item.ticket
    else { return }
    guard mayWaitForSocket(tracee),
      tracee.sampler.runCount() == look.runCount || goesOn(tracee, with: wait.call)
    else {
      // The next look shows whether it goes on with its call, or has left it.
      self[tracee]?.wait?.ticket = nil
      return
    }
    kernel.advance(to: item.instant, because: .wait(tracee.owner(ofCall: wait.call.number)))
    kernel.countWake(of: tracee.owner(ofCall: wait.call.number), after: wait.length)
    kernel.reportSocketWait(of: tracee, call: wait.call.number, length: wait.length)
    self[tracee]?.wait?.isDue = true
    tracee.isInterrupted = true
    kernel.interrupt(tracee)
  }

  /// A thread has stopped because it was interrupted: if that was for a socket's timeout, its call ends as
  /// the kernel ends it then.
  func endWait(of tracee: Tracee) {
    guard let wait = self[tracee]?.wait, wait.isDue else { return }
    guard var registers = try? Registers.read(from: tracee.identifier),
      wait.call.isCall(of: registers)
    else { return forgetWait(of: tracee) }
    registers.result = result(registers.result, of: tracee)
    try? registers.write(to: tracee.identifier)
  }

  /// Keeps the deadline of a call that a thread makes again because a signal without effect has
  /// disturbed it, up to the call's exit.
  func watchRepeatedCall(of tracee: Tracee) {
    tracee.state = .running
    guard let registers = try? Registers.read(from: tracee.identifier) else { return }
    guard let wait = self[tracee]?.wait, wait.call.isCall(of: registers) else {
      forgetWait(of: tracee)
      return kernel.resume(tracee)
    }
    kernel.complete(tracee, original: registers, with: registers) { _ in }
  }

  /// Returns the result of a call that has ended with `result`, if it was ended for a socket's
  /// timeout: what was transferred before counts, as it does for the kernel.
  func result(_ result: Int, of tracee: Tracee) -> Int {
    guard let wait = self[tracee]?.wait else { return result }
    guard wait.isDue else {
      // A signal that comes next decides whether the call goes on.
      if !TimedWait.isInterruption(result) { forgetWait(of: tracee) }
      return result
    }
    forgetWait(of: tracee)
    guard TimedWait.isInterruption(result) else {
      if result > 0, wait.call.number == SystemCallNumber.recvmmsg {
        kernel.clearInterruption(
          ofSocket: Int32(truncatingIfNeeded: wait.call.arguments[0]), of: tracee)
      }
      return result
    }
    if let socket = wait.connectingSocket { account.recordConnecting(socket) }
    return wait.resultOnExpiry
  }

  /// Returns a description, for people, of a thread's wait; `nil` if it is not for a socket with a
  /// timeout.
  func describeWait(of tracee: Tracee) -> String? {
    guard let look = self[tracee], let wait = look.wait,
      tracee.sampler.runCount() == look.runCount
    else { return nil }
    let rest = wait.deadline - kernel.clock.monotonic(real: RealClock.monotonic())
    let name = SystemCallTable.current.name(of: wait.call.number)
    return "sleeps in \(name), \(max(.zero, rest).description) of virtual time left"
  }

  /// Returns whether a thread may sleep in a call on a socket whose timeout is not kept yet.
  private func mayWaitForSocket(_ tracee: Tracee) -> Bool {
    switch tracee.state {
    case .running, .restoring, .completing, .repeating: true
    case .waiting(let active):
      if case .datagrams = active.wait.kind { !active.isDue } else { false }
    case .pausing, .startingProgram, .stoppedWithGroup, .waitingForChild, .parked: false
    }
  }
}
