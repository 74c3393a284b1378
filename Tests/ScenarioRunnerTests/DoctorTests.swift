import Foundations
import Glibc
import ScenarioEvents
import Supervisor
import Testing

@testable import ScenarioRunner

@Suite("What the doctor says")
struct DoctorTests {
  @Test("Each finding is a line in columns, help stands below, and the last line says it all")
  func rendering() {
    let report = DoctorReport(findings: [
      DoctorFinding(.ok, "kernel", "Linux 6.1"),
      DoctorFinding(.fail, "hold a process", "PTRACE_SEIZE: denied", help: ["do this", "or that"]),
      DoctorFinding(.warn, "files", "100", help: ["more"]),
      DoctorFinding(.skip, "memory", "depends on a check that failed above"),
    ])

    #expect(
      report.text(isColoured: false) == """
        ok    kernel          Linux 6.1
        fail  hold a process  PTRACE_SEIZE: denied
              help: do this
              help: or that
        warn  files           100
              help: more
        skip  memory          depends on a check that failed above
        scenarios cannot run here: 1 of 4 checks failed, 1 warning

        """)
    #expect(!report.isGood)
  }

  @Test("A warning alone does not keep scenarios from running")
  func warnings() {
    let report = DoctorReport(findings: [DoctorFinding(.warn, "files", "100")])

    #expect(report.isGood)
    #expect(report.text(isColoured: false).hasSuffix("\nscenarios can run here, 1 warning\n"))
  }

  @Test("Colour changes nothing but colour, and no value can bring any of its own")
  func colour() {
    let report = DoctorReport(findings: [DoctorFinding(.ok, "kernel", "\u{1B}[31mLinux")])

    #expect(report.text(isColoured: true).hasPrefix("\u{1B}[32mok   \u{1B}[0m kernel  \\x{1B}[31m"))
    #expect(!report.text(isColoured: false).contains("\u{1B}"))
  }

  @Test("JSON holds the same, for programs")
  func json() throws {
    let text = try DoctorReport(findings: [DoctorFinding(.ok, "kernel", "6")]).jsonText()

    let compact = try JSONText.parse(text).jsonText()
    #expect(
      compact
        == #"{"findings":[{"help":[],"status":"ok","subject":"kernel","value":"6"}]}"#)
  }

  @Test("A process that is traced itself is told by whom, and not of its container")
  func traced() {
    var confinement = Confinement(tracer: 17, tracerName: "strace")
    confinement.container = .docker

    #expect(
      confinement.tracingHelp == [
        "process 17 (strace) traces this process: run outside of it"
      ])
  }

  @Test(
    "Each container has its own words for allowing ptrace",
    arguments: [
      (Confinement.Container.docker, "docker run --cap-add SYS_PTRACE"),
      (.podman, "podman run --cap-add SYS_PTRACE"),
      (.kubernetes, "capabilities: { add: [SYS_PTRACE] }"),
    ])
  func containers(container: Confinement.Container, expected: String) {
    var confinement = Confinement()
    confinement.container = container

    #expect(confinement.tracingHelp.contains { $0.contains(expected) })
    #expect(!confinement.tracingHelp.contains { $0.contains("yama") })
  }

  @Test("Yama is named with its value where its value is the reason", arguments: [0, 1, 2, 3])
  func yama(scope: Int) {
    let help = Confinement(ptraceScope: scope).tracingHelp.joined(separator: "\n")

    #expect(help.contains("ptrace_scope is \(scope)") == (scope >= 2))
  }

  @Test("Root that can neither trace nor become other users is warned of targets that do")
  func users() {
    var confinement = Confinement()
    confinement.container = .docker
    confinement.isRootWithoutTracing = true
    func finding() -> DoctorFinding? {
      TracingFindings(probe: MachineProbe.run(), confinement: confinement).findings
        .first { $0.subject == "follow other users" }
    }

    #expect(finding()?.status == .ok)
    confinement.mayChangeUser = false
    #expect(finding()?.status == .warn)
    #expect(finding()?.help == ["docker run --cap-add SYS_PTRACE …"])
    confinement.isRootWithoutTracing = false
    #expect(finding()?.status == .ok)
  }

  @Test("What could not be tried is not called broken; what failed is, with its errno in words")
  func outcomes() {
    var probe = MachineProbe.run()
    probe.traces = .fails(1)
    probe.stopsAtCall = .notReached

    let findings = TracingFindings(probe: probe, confinement: Confinement()).findings

    let held = findings.first { $0.subject == "hold a process" }
    #expect(held?.status == .fail)
    #expect(held?.value == "PTRACE_SEIZE: Operation not permitted")
    #expect(held?.help.isEmpty == false)
    #expect(findings.first { $0.subject == "stop at a call" }?.status == .skip)
    #expect(findings.first { $0.subject == "filter calls" }?.status == .ok)
  }

  @Test("Where descriptors cannot be copied, it is well if the process sends them")
  func descriptors() {
    var probe = MachineProbe.run()
    probe.opensProcess = .works
    func finding() -> DoctorFinding? {
      TracingFindings(probe: probe, confinement: Confinement(container: .docker)).findings
        .first { $0.subject == "copy its descriptors" }
    }

    probe.copiesDescriptor = .fails(1)
    probe.sendsDescriptor = .works
    #expect(finding()?.status == .ok)
    #expect(finding()?.value.hasSuffix("the process sends them itself") == true)

    probe.sendsDescriptor = .fails(1)
    #expect(finding()?.status == .fail)
    #expect(finding()?.help.first == "docker run --cap-add SYS_PTRACE …")
  }

  @Test("A call that stays refused is a warning: few scenarios set clocks")
  func refusedCalls() {
    var probe = MachineProbe.run()
    probe.answersRefusedCall = .fails(1)

    let findings = TracingFindings(
      probe: probe, confinement: Confinement(container: .kubernetes)
    ).findings

    let finding = findings.first { $0.subject == "answer refused calls" }
    #expect(finding?.status == .warn)
    #expect(finding?.help.first?.contains("seccompProfile: { type: Unconfined }") == true)
  }

  @Test("Under user emulation nothing but another machine helps, whatever else confines it")
  func emulation() {
    var confinement = Confinement(ptraceScope: 3)
    confinement.container = .docker
    confinement.emulator = "QEMU"

    #expect(confinement.tracingHelp == Confinement.emulationHelp("QEMU"))
    #expect(confinement.filterHelp == Confinement.emulationHelp("QEMU"))
    #expect(MachineProbe.isEmulated(processor: "QEMU TCG CPU version 2.5+"))
    #expect(MachineProbe.isEmulated(processor: "VirtualApple @ 2.50GHz"))
    #expect(!MachineProbe.isEmulated(processor: "AMD EPYC"))

    // An emulated machine has a kernel, which has ptrace and may forbid it.
    var probe = MachineProbe.run()
    probe.traces = .fails(ENOSYS)
    #expect(probe.lacksTracing)
    probe.traces = .fails(EPERM)
    #expect(!probe.lacksTracing)
    probe.traces = .works
    #expect(!probe.lacksTracing)
  }

  @Test("What a machine refuses makes a condition undecided, where the case has a world of its own")
  func obstacle() throws {
    let findings = [
      DoctorFinding(.ok, "make a process", "fork"),
      DoctorFinding(.fail, "write as the process", "denied", help: ["allow it"]),
    ]
    let obstacle = try #require(MachineObstacle(findings))
    let failure = Failure(category: .expectation, type: "expect.exit", message: "exit is 1")

    #expect(obstacle.message == "this machine does not let the runner write as the process: denied")
    #expect(obstacle.help.first == "allow it")
    #expect(MachineObstacle([findings[0]]) == nil)
    let reported = failure.asDecided(hasWorld: true) { obstacle }
    #expect(reported.map(\.category) == [.error, .error])
    #expect(reported.map(\.type) == ["Machine", "expect.exit"])
    #expect(failure.asDecided(hasWorld: false) { obstacle } == [failure])
    #expect(failure.asDecided(hasWorld: true) { nil } == [failure])
  }

  @Test(
    "Limits warn from where large targets outgrow them",
    arguments: [(1_023 as UInt64?, DoctorFinding.Status.warn), (1_024, .ok), (nil, .ok)])
  func limits(descriptors: UInt64?, expected: DoctorFinding.Status) {
    #expect(LimitFindings(descriptors: descriptors).findings.first?.status == expected)
  }

  @Test(
    "Time is held only if the target read the scenario's clock and slept a day of it",
    arguments: [
      ("1893456000\n1893542400\n", Nanoseconds.seconds(86_400), DoctorFinding.Status.ok),
      // As the sleep of coreutils 9.7 does.
      ("1893456000\n1893542400\n", .seconds(86_400) + Nanoseconds(1), .ok),
      ("1893456000\n1893542400\n", .seconds(86_400) + .milliseconds(1), .fail),
      ("1893456000\n1893456000\n", .seconds(86_400), .fail),
      ("1893456000\n1893542400\n", .seconds(1), .fail),
      ("1700000000\n1700086400\n", .seconds(86_400), .fail),
      ("", .zero, .fail),
    ])
  func world(output: String, elapsed: Nanoseconds, expected: DoctorFinding.Status) {
    let observation = WorldFinding.Observation(output: output, elapsed: elapsed)

    #expect(WorldFinding(observation: observation).finding.status == expected)
  }

  @Test("No trusted certificates and a folder without exec are warnings")
  func warned() {
    #expect(MockServerFindings.trust([]).status == .warn)
    #expect(MockServerFindings.trust(["/etc/ssl/cert.pem"]).status == .ok)
    #expect(FolderFindings.execution(errorNumber: 13, folder: "/tmp").status == .warn)
    #expect(FolderFindings.execution(errorNumber: 0, folder: "/tmp").status == .ok)
    #expect(MachineFindings.architecture("aarch64").status == .fail)
  }
}
