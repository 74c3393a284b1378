internal import MockServer
internal import ScenarioEvents
internal import ScenarioPlan
internal import Supervisor

/// Makes what a case needs outside of its folders.
struct CaseParts: Sendable {
  /// Makes what holds the targets, and lets the mock server find it.
  var supervisor:
    @Sendable (SupervisorConfiguration, SupervisorLink) throws(LaunchError) -> any CaseSupervisor
  /// Starts what the targets talk to; `nil` where the case needs nothing.
  var mockServer:
    @Sendable (
      MockServerSurroundings, PlannedCase, CaseDirectory, () throws(Failure) -> RunAuthority,
      RunOptions
    ) throws(Failure) -> (any CaseMockServer)?
  /// Finds what this machine refuses; asked once something has failed.
  var obstacle: @Sendable () -> MachineObstacle?

  /// The supervisor, the mock server, and this machine.
  static let real = CaseParts(
    supervisor: { configuration, link throws(LaunchError) in
      let supervisor = try Supervisor(configuration)
      link.set(supervisor)
      return supervisor
    },
    mockServer: { surroundings, plannedCase, directory, authority, options throws(Failure) in
      try surroundings.mockServer(for: plannedCase, in: directory, authority: authority, options)
    },
    obstacle: { MachineObstacle.found })
}
