import Foundations
import Testing

@Suite("Hosts that are this machine")
struct LocalHostTests {
  @Test(
    "A name or an address of this machine is known in any form that clients read",
    arguments: [
      ("localhost", "localhost.test"), ("LocalHost.", "mylocalhost"),
      ("api.localhost", "localhost.com"),
      ("127.0.0.1", "128.0.0.1"), ("127.255.0.9", "126.255.255.255"), ("127.1", "10.1"),
      ("127.0.1", "127.0.65536"), ("0.0.0.0", "0.0.0.1"), ("0", "1"),
      ("2130706433", "2113929215"), ("0x7f000001", "0x0a000001"), ("0x7F.1", "0x7g.1"),
      ("0177.0.0.1", "0179.0.0.1"), ("017700000001", "127.0.0.0.1"),
      ("127.000.000.001", "127.0.0.256"),
      ("[::1]", "[::2]"), ("::", "[1::]"), ("[0:0:0:0:0:0:0:1]", "[2001:db8::1]"),
      ("[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]"), ("[::ffff:0:0]", "[::fffe:0:0]"),
      ("0x0", "0x-1"), ("127.0.0.1.", "127..1"), ("0.0", "+127.0.0.1"),
    ])
  func forms(local: String, other: String) {
    #expect(LocalHost.isNamed(by: local), "\(local)")
    #expect(!LocalHost.isNamed(by: other), "\(other)")
  }

  @Test("What is no host is none of this machine", arguments: ["", ".", "*", "127.*", "0x", "-"])
  func none(text: String) {
    #expect(!LocalHost.isNamed(by: text))
  }
}
