internal import Foundations
internal import Glibc
internal import MockServer
internal import Supervisor

/// Findings about what the mock server server and the supervisor's own thread need.
enum MockServerFindings {
  /// Loopback, calls, eventfd, and the certificates that targets trust.
  static func findings(_ probe: MachineProbe) -> [DoctorFinding] {
    [
      listening("listen on TCP loopback", SOCK_STREAM),
      listening("listen on UDP loopback", SOCK_DGRAM),
      missing(
        MockServerNeeds.loopbackShortage(), "reach loopback", "127.0.0.1"),
      missing(
        MachineShortage(among: RequiredCall.ofMockServer), "serve connections", "accept4"),
      eventDescriptor(probe.opensEventDescriptor),
      trust(TrustStore.bundlePaths.filter { access($0, R_OK) == 0 }),
    ]
  }

  /// Finds the bundles from which certificates are trusted.
  static func trust(_ bundles: [String]) -> DoctorFinding {
    bundles.isEmpty
      ? DoctorFinding(
        .warn, "trusted certificates", "no bundle at a known path",
        help: [
          "install ca-certificates: most programs that use TLS read its file, or fail without it"
        ])
      : DoctorFinding(.ok, "trusted certificates", bundles.joined(separator: ", "))
  }

  private static func missing(
    _ shortage: MachineShortage?, _ subject: String, _ means: String
  ) -> DoctorFinding {
    guard let shortage else { return DoctorFinding(.ok, subject, means) }
    return DoctorFinding(.fail, subject, shortage.message, help: [shortage.help])
  }

  private static func listening(_ subject: String, _ type: __socket_type) -> DoctorFinding {
    let errorNumber = listen(Int32(type.rawValue), isStream: type == SOCK_STREAM)
    return errorNumber == 0
      ? DoctorFinding(.ok, subject, "127.0.0.1")
      : DoctorFinding(
        .fail, subject, SystemText.error(errorNumber),
        help: ["bring the loopback interface up: ip link set lo up"])
  }

  /// Binds a socket to a free port, and listens; 0 or an errno.
  private static func listen(_ type: Int32, isStream: Bool) -> Int32 {
    let descriptor = socket(AF_INET, type | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    let result = LoopbackAddress.with(port: 0) { bind(descriptor, $0, $1) }
    guard result == 0 else { return errno }
    return !isStream || Glibc.listen(descriptor, 1) == 0 ? 0 : errno
  }

  private static func eventDescriptor(_ outcome: MachineProbe.Outcome) -> DoctorFinding {
    let subject = "wake its own threads"
    guard case .fails(let number) = outcome else { return DoctorFinding(.ok, subject, "eventfd") }
    return DoctorFinding(
      .fail, subject, "eventfd: \(SystemText.error(number))",
      help: ["raise the number of open files: ulimit -n \(LimitFindings.wantedDescriptors)"])
  }
}
