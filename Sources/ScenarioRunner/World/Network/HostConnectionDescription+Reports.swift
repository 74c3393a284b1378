internal import Foundations
internal import MockServer
internal import ScenarioEvents
internal import ScenarioPlan
internal import Supervisor

extension HostConnectionDescription {
  /// Describes what a call has led to.
  init(_ report: HostConnectionReport, _ hosts: TargetNames, began: Nanoseconds) {
    let (state, error): (State, String?) =
      switch report.answer {
      case .established: (.established, nil)
      case .pending: (.pending, nil)
      case .failed(let number): (.failed, ErrorNumber.numbered(number)?.name ?? "error \(number)")
      }
    self.init(
      number: report.number, from: hosts[host: report.from], to: hosts[host: report.to],
      port: Int(report.port), processOrdinal: report.processOrdinal, began: began, state: state,
      error: error)
  }

  /// Describes what became of a connection that is relayed.
  init(_ change: HostConnectionChange, _ hosts: TargetNames) {
    let connection = change.connection
    self.init(
      number: connection.number, from: hosts[host: connection.from],
      to: hosts[host: connection.to], port: Int(connection.port),
      processOrdinal: connection.maker.processOrdinal, began: connection.began,
      state: State(change.state))
  }
}

extension HostConnectionDescription.State {
  fileprivate init(_ state: HostConnectionChange.State) {
    self =
      switch state {
      case .pending: .pending
      case .established: .established
      case .abandoned: .abandoned
      case .timedOut: .timedOut
      case .closed: .closed
      case .reset: .reset
      }
  }
}
