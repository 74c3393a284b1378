internal import Foundations
internal import ScenarioPlan

extension TracerLoop {
  /// Returns the interceptors that this run needs, in the order in which they see a call.
  func listInterceptors() -> Interceptors {
    var list: [any Interceptor] = []
    if configuration.survey?.branches != nil || branch != nil {
      list.append(
        BranchGuard(kernel: self, branch: branch, keepsTime: keepsTime) { [unowned self] in
          pending.stop()
        })
    }
    let isVirtual = configuration.clock != nil
    list.append(WakingCalls(waits: waits, isVirtual: isVirtual))
    list.append(ProcessContainment(kernel: self))
    if let bounds = configuration.fileBounds,
      let containment = FileContainment(kernel: self, bounds: bounds)
    {
      list.append(containment)
    }
    if configuration.fileBounds != nil || configuration.changesWorld { list.append(UnmountCalls()) }
    guard configuration.changesWorld else {
      return Interceptors(
        list + [
          CloneWatch(kernel: self, isAsking: false), TracedProcesses(kernel: self, isAsking: false),
          OrphanedProcesses(kernel: self),
        ])
    }
    if isVirtual {
      let quiescence = waits.quiescence
      list += [
        DelayedSendCalls(waits: waits), quiescence.operations, quiescence.namespaces,
      ]
    }
    if configuration.takesTurns {
      list.append(
        ThreadTurns(kernel: self, seed: configuration.seed, entropy: configuration.entropy))
    }
    if let functions = faults.functions { list.append(functions) }
    let isSeeded = configuration.entropy.isSeeded
    if isSeeded { list.append(RandomFileOpens(kernel: self)) }
    if isVirtual { list.append(PacketTimeRequests(kernel: self)) }
    var counter: TimestampCounterGuard?
    if isVirtual || isSeeded {
      let guardian = TimestampCounterGuard(
        kernel: self, time: self, isSeeded: isSeeded, isVirtual: isVirtual)
      list.append(guardian)
      counter = guardian
    }
    if let watch = configuration.fileWatch { list.append(FileObserver(watch)) }
    if let template = configuration.fileTemplate { list.append(FileTemplateWriter(template)) }
    if faults.isNeeded { list.append(faults) }
    if let limits = configuration.limits {
      list.append(ResourceLimits(kernel: self, limits: limits))
    }
    if configuration.stampsFiles { list.append(FileStamper(kernel: self, time: self)) }
    if isVirtual {
      list.append(
        TimerCalls(
          time: self, timers: timers,
          descriptors: TimerDescriptorCalls(
            time: self, timers: timers, descriptors: timers.descriptors,
            cancelledReads: timers.cancelledReads)))
    }
    if isSeeded { list.append(EntropySeeder(configuration.entropy)) }
    if let counter { list.append(TimestampCounterFlags(counter)) }
    if let plan = configuration.clock {
      list.append(placement)
      list.append(ClockSetting(kernel: self, time: self, isSettable: plan.isSettable))
      list.append(ClockFiles(kernel: self, time: self))
    }
    if !configuration.fileReplacements.isEmpty {
      list.append(FileReplacer(configuration.fileReplacements))
    }
    let loopback = ownLoopback()
    if let hosts = configuration.hosts {
      let timeouts = configuration.hostLinks.map {
        HostTimeouts(kernel: self, network: hosts, links: $0)
      }
      list.append(
        HostSockets(
          kernel: self, network: hosts, links: configuration.hostLinks, timeouts: timeouts,
          clients: loopback, reporter: output.reporter))
      if let timeouts { list.append(timeouts) }
    }
    if let loopback { list.append(loopback) }
    if let router = configuration.router {
      list.append(
        NetworkRedirector(
          kernel: self, router: router, hosts: configuration.hosts,
          trustVariables: configuration.trustVariables))
    }
    list.append(CloneWatch(kernel: self, isAsking: true))
    list.append(LeakDetectors(kernel: self))
    list.append(TracedProcesses(kernel: self, isAsking: true))
    list.append(OrphanedProcesses(kernel: self))
    if configuration.router?.confines ?? false { list.append(ConfinedSockets(kernel: self)) }
    list.append(
      SocketOptionCalls(
        sockets: waits.sockets,
        times: ConnectionTimesReporter(kernel: self, time: self, isVirtual: isVirtual),
        isVirtual: isVirtual))
    list.append(waits.messages)
    list.append(TerminalTimeoutCalls(timeouts: waits.sockets, isVirtual: isVirtual))
    list.append(output.terminals)
    if let plan = configuration.clock {
      list.append(SpinCalls(spinners: waits.spinners, holdsYields: plan.flow != .real))
    }
    if let functions = faults.functions { list.append(FunctionMappings(functions: functions)) }
    if faults.disks != nil { list.append(DiskQueues(kernel: self)) }
    list.append(UntimedCalls(spinners: waits.spinners))
    list.append(waits)
    return Interceptors(list)
  }

  /// Returns what gives the targets on no host ports of the case's own; `nil` where they share all with this machine.
  private func ownLoopback() -> LoopbackSockets? {
    let router = configuration.router
    func sockets(_ block: LoopbackBlock?, _ demand: PortDemand?) -> LoopbackSockets {
      LoopbackSockets(
        kernel: self, block: block, demand: demand, hosts: configuration.hosts,
        reachesOthers: !(router?.confines ?? false)
      ) { router?.isHere($0) ?? $0.isLoopback }
    }
    switch configuration.loopback {
    case .shared: return nil
    case .onDemand(let ports, let reach):
      return sockets(nil, PortDemand(ports: ports, reach: reach))
    case .own(let block): return sockets(block, nil)
    }
  }
}
