import Glibc
import Testing

@Suite("The ways of packets")
struct PathTests {
  private func run(_ words: String, lines: String, network: String = "") throws
    -> BuiltRunner.Outcome
  {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      target: { command: "\(BuiltRunner.root)/.build/programs/paths \(words)" }
      timeout: 20s
      network: { unused: ignore \(network) }
      responses: [{ GET http://who.example.com/who: { text: me } }]
      expect: { exit: 0, stdout: { lines: [\(lines)] } }

      """, to: "paths.yaml")
    let outcome = try BuiltRunner.run(["run", path])
    withExtendedLifetime(folder) {}
    return outcome
  }

  /// SO_BINDTODEVICE, SO_BINDTOIFINDEX, IP_UNICAST_IF.
  @Test(
    "A socket that is to use a device reaches the mock server all the same",
    arguments: [(1, 25), (1, 62), (0, 50)])
  func devices(level: Int, option: Int) throws {
    let outcome = try run(
      "device \(level) \(option)", lines: "option=ok, connect=ok, send=ok, reply=me")

    outcome.expectExit(0)
    #expect(outcome.output.contains("1 connection to the mock server"))
  }

  @Test("A socket gets no route through other machines", arguments: [(0, 4), (41, 57)])
  func routes(level: Int, option: Int) throws {
    let rest = level == 41 ? "" : ", connect=ok, send=ok, reply=me"
    let outcome = try run("device \(level) \(option)", lines: "option=EPERM\(rest)")

    outcome.expectExit(0)
  }

  /// Whether the machine has an address of IPv4 beside those of loopback.
  private static var hasOwnAddress: Bool {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return false }
    defer { freeifaddrs(first) }
    var next = first
    while let entry = next?.pointee {
      if let address = entry.ifa_addr, Int32(address.pointee.sa_family) == AF_INET,
        entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0
      {
        return true
      }
      next = entry.ifa_next
    }
    return false
  }

  @Test(
    "A service of the tree is reached at the machine's own address, which is no real address",
    .enabled(if: hasOwnAddress, "the machine has no address but those of loopback"))
  func ownAddress() throws {
    let outcome = try run("own", lines: "connect=ok, reached=1, peer=own")
    outcome.expectExit(0)
    // Nothing was redirected, refused or reached for real.
    #expect(!outcome.output.contains("network:"), "\(outcome.text)")

    // What is said of loopback holds for it, too.
    let closed = try run(
      "own", lines: "connect=ECONNREFUSED, reached=0, peer=other", network: ", loopback: closed")
    closed.expectExit(0)
  }

  @Test("An address of a length that none has is refused as the kernel does")
  func lengths() throws {
    let outcome = try run(
      "length",
      lines: "negative=EINVAL, long=EINVAL, sendto=EINVAL, sendmsg=EINVAL, longest=ok")

    outcome.expectExit(0)
  }
}
