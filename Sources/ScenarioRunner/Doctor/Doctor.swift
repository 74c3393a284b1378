internal import Supervisor

/// Finds out what this machine allows, each thing by doing it.
package enum Doctor {
  /// Examines this machine; call `RunnerProcess.prepare` before.
  ///
  /// - Parameter temporaryFolder: the folder in which runs make theirs.
  package static func examine(temporaryFolder: String) -> DoctorReport {
    let probe = MachineProbe.run()
    let confinement = Confinement.current(probe)
    let tracing = TracingFindings(probe: probe, confinement: confinement)
    var findings = MachineFindings.findings(confinement) + tracing.findings
    findings += LimitFindings.current().findings + MockServerFindings.findings(probe)
    findings += FolderFindings.findings(temporaryFolder: temporaryFolder)
    findings.append(WorldFinding().finding)
    return DoctorReport(findings: findings)
  }
}
