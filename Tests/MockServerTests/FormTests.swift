import Foundations
import Testing

@testable import MockServer

struct FormTests {
  @Test(
    "Dates have the form of HTTP",
    arguments: [
      (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
      (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
      (-446_734_800, "Sat, 05 Nov 1955 11:00:00 GMT"),
      (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
      (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
      (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"),
    ] as [(Int64, String)])
  func dates(seconds: Int64, text: String) {
    #expect(HTTPDate.text(WallInstant(seconds: seconds)) == text)
  }

  @Test("Dates that HTTP cannot write are left out", arguments: [253_402_300_800, Int64.min, .max])
  func impossibleDates(seconds: Int64) {
    #expect(HTTPDate.text(WallInstant(seconds: seconds)) == nil)
  }

  @Test("Files have the type of their ending")
  func types() {
    #expect(MediaType.ofFile(path: "/a/b.JSON") == "application/json")
    #expect(MediaType.ofFile(path: "/a.json/b") == "application/octet-stream")
    #expect(MediaType.ofFile(path: "") == "application/octet-stream")
  }

  @Test("Host names are compared in one form, and nonsense is none")
  func hostNames() {
    #expect(HostName.normalized("API.Test.") == "api.test")
    #expect(HostName.normalized("a_b-c.test") == "a_b-c.test")
    for text in ["", ".", "a b", "a/b", "a:1", "ä.test", String(repeating: "a", count: 254)] {
      #expect(HostName.normalized(text) == nil)
    }
  }

  @Test("Addresses are read strictly")
  func addresses() {
    #expect(IPv4Address("198.18.0.1")?.bytes == [198, 18, 0, 1])
    for text in ["", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1..2.3", "+1.2.3.4"] {
      #expect(IPv4Address(text) == nil)
    }
    #expect(AddressLiteral.bytes(of: "::1") == [UInt8](repeating: 0, count: 15) + [1])
    #expect(AddressLiteral.bytes(of: "example") == nil)
  }

  @Test("The address book ends where the range ends")
  func fullBook() {
    let book = FakeIPPool()
    let count = FakeIPPool.lastAddress.rawValue - FakeIPPool.firstAddress.rawValue + 1

    for number in 0..<count where book.address(ofHost: "h\(number)") == nil {
      Issue.record("too early: \(number)")
    }

    #expect(book.address(ofHost: "one-more") == nil)
    #expect(book.address(ofHost: "h0") == FakeIPPool.firstAddress)
    #expect(book.name(ofAddress: FakeIPPool.lastAddress) == "h\(count - 1)")
  }

  @Test("Names that have addresses from the beginning keep them, and no other name gets them")
  func reservedAddresses() {
    let book = FakeIPPool(
      hosts: ["n1.test": IPv4Address(198, 18, 0, 1), "n2.test": IPv4Address(198, 18, 0, 2)],
      reserved: 3)

    #expect(book.address(ofHost: "other.test") == IPv4Address(198, 18, 0, 4))
    #expect(book.address(ofHost: "n2.test") == IPv4Address(198, 18, 0, 2))
    #expect(book.name(ofAddress: IPv4Address(198, 18, 0, 1)) == "n1.test")
    #expect(book.name(ofAddress: IPv4Address(198, 18, 0, 3)) == nil)
  }
}
