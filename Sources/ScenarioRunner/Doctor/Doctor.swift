internal import Supervisor

/// Finds out what this machine allows, each thing by doing it.
public enum Doctor {
  /// Looks at everything; call `RunnerProcess.prepare` before.
  ///
  /// - Parameter temporaryFolder: where runs make their folders.
  public static func examine(temporaryFolder: String) -> DoctorReport {
    let confinement = Confinement.current()
    let probe = MachineProbe.run()
    let tracing = TracingFindings(probe: probe, confinement: confinement)
    return DoctorReport(
      findings: MachineFindings.findings(confinement) + tracing.findings
        + LimitFindings.current().findings + StandInFindings.findings(probe)
        + FolderFindings.findings(temporaryFolder: temporaryFolder) + [WorldFinding().finding])
  }
}
