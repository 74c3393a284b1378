internal import Foundations
internal import ScenarioEvents
internal import Supervisor

extension CaseLog.Inbox {
  /// Records an observation that only a timeline shows, or a failure.
  ///
  /// - Parameter hosts: the hosts of the targets.
  func add(_ sighting: TraceRecord, clock: ClockView, hosts: TargetNames = TargetNames([])) {
    let reading = clock.reading()
    switch sighting {
    case .born(let process, let ordinal, let parent, let program, let target):
      add(
        .processBorn(
          ProcessBirth(
            ordinal: ordinal, parent: parent, program: program, host: hosts[target: target],
            target: hosts.name(ofTarget: target))),
        process: process, virtualTime: reading.wall)
    case .waited(
      let wait, let processOrdinal, let threadOrdinal, let requested, let length, let realLength,
      let end):
      let span = WaitSpan(
        processOrdinal: processOrdinal, threadOrdinal: threadOrdinal, systemCall: wait.systemCall,
        from: reading.elapsed - length, to: reading.elapsed, requested: requested,
        realLength: realLength, end: WaitSpan.End(end))
      add(.waited(span), process: wait.process, virtualTime: reading.wall)
    case .wrote(let stream, let beginning, let count, let process):
      let piece = OutputPiece(
        stream: stream.rawValue, text: String(decoding: beginning, as: UTF8.self),
        byteCount: count, processOrdinal: process?.ordinal)
      add(.outputWritten(piece), process: process?.number, virtualTime: reading.wall)
    case .signalled(let process, let ordinal, let number):
      add(
        .signalled(
          SignalDelivery(processOrdinal: ordinal, signal: SignalNames.name(of: number))),
        process: process, virtualTime: reading.wall)
    case .connected(let report):
      add(
        .hostConnection(
          HostConnectionDescription(report, hosts, began: reading.elapsed - report.length)),
        process: report.process, virtualTime: reading.wall)
    }
  }
}

extension WaitSpan.End {
  fileprivate init(_ end: TraceRecord.WaitEnd) {
    self =
      switch end {
      case .due: .due
      case .woken: .woken
      case .interrupted: .interrupted
      case .gone: .gone
      }
  }
}
