internal import Glibc
internal import ScenarioEvents
internal import Supervisor

/// The requirements of a mock server, or a host of a target, on this machine, without descriptors.
enum MockServerNeeds {
  /// The missing requirement, determined once, at first use; `nil` if there is none.
  static let shortage = loopbackShortage() ?? MachineShortage(among: RequiredCall.ofMockServer)

  /// Refuses what would be found out by the target alone, whose connections would lead nowhere.
  static func require() throws(Failure) {
    guard let shortage else { return }
    throw Failure(
      category: .error, type: MachineObstacle.failureType, message: shortage.message,
      help: shortage.help)
  }

  /// Any port but 0 (services(5)).
  private static let discardPort: UInt16 = 9

  /// Says that nothing reaches 127.0.0.1, to which sockets can be bound all the same.
  static func loopbackShortage() -> MachineShortage? {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // udp(7): to connect sends nothing, and fails where no route is.
    let result = LoopbackAddress.with(port: discardPort) { connect(descriptor, $0, $1) }
    guard result != 0, errno == ENETUNREACH else { return nil }
    return MachineShortage(
      message: "the loopback interface is down", help: "ip link set lo up")
  }
}
