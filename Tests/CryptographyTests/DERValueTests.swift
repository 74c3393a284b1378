import Foundations
import Testing

@testable import Cryptography

/// The examples are those of ITU-T X.690 and of RFC 5280, but for the dates.
@Suite("DER")
struct DERValueTests {
  @Test(
    "Lengths take as few bytes as they can",
    arguments: [
      (0, [0x04, 0x00]), (127, [0x04, 0x7f]), (128, [0x04, 0x81, 0x80]),
      (201, [0x04, 0x81, 0xc9]), (255, [0x04, 0x81, 0xff]), (256, [0x04, 0x82, 0x01, 0x00]),
      (65_535, [0x04, 0x82, 0xff, 0xff]), (65_536, [0x04, 0x83, 0x01, 0x00, 0x00]),
    ] as [(Int, [UInt8])])
  func lengths(count: Int, head: [UInt8]) {
    let value = DERValue.octetString([UInt8](repeating: 7, count: count))
    #expect(value.bytes == head + [UInt8](repeating: 7, count: count))
  }

  @Test(
    "Numbers have no byte too many, and none that makes them negative",
    arguments: [
      ([], [0x00]), ([0], [0x00]), ([0, 0, 1], [0x01]), ([0x7f], [0x7f]), ([0x80], [0x00, 0x80]),
      ([0x00, 0xff, 0x01], [0x00, 0xff, 0x01]),
    ] as [([UInt8], [UInt8])])
  func integers(magnitude: [UInt8], content: [UInt8]) {
    #expect(DERValue.integer(magnitude).bytes == [0x02, UInt8(content.count)] + content)
  }

  @Test("Object identifiers have their numbers in base 128")
  func objectIdentifiers() {
    #expect(DERValue.objectIdentifier(2, 5, 29, 15).bytes == [0x06, 0x03, 0x55, 0x1d, 0x0f])
    // ecdsa-with-SHA256
    #expect(
      DERValue.objectIdentifier(1, 2, 840, 10045, 4, 3, 2).bytes
        == [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02])
    #expect(DERValue.objectIdentifier(2, 999, 3).bytes == [0x06, 0x03, 0x88, 0x37, 0x03])
  }

  @Test(
    "Dates are UTCTime through 2049 and GeneralizedTime from then on, and end where certificates' dates do",
    arguments: [
      (Int64.min, "500101000000Z"), (-631_152_001, "500101000000Z"),
      (-631_152_000, "500101000000Z"), (-631_151_999, "500101000001Z"), (-1, "691231235959Z"),
      (0, "700101000000Z"), (951_782_400, "000229000000Z"), (951_868_799, "000229235959Z"),
      (2_147_483_648, "380119031408Z"), (2_524_607_999, "491231235959Z"),
      (2_524_608_000, "20500101000000Z"), (4_107_542_400, "21000301000000Z"),
      (253_402_300_799, "99991231235959Z"), (253_402_300_800, "99991231235959Z"),
      (Int64.max, "99991231235959Z"),
    ])
  func times(seconds: Int64, text: String) {
    let value = DERValue.time(WallInstant(seconds: seconds, nanoseconds: 999_999_999))
    let tag: UInt8 = text.utf8.count == 13 ? 0x17 : 0x18
    #expect(value.bytes == [tag, UInt8(text.utf8.count)] + Array(text.utf8))
  }

  @Test("A name with characters beyond ASCII is refused, and a bug's text names it")
  func names() throws {
    let refused = CryptographyError.notASCII(name: "m\u{fc}nchen.test")
    #expect(throws: refused) { try AlternativeName.host("m\u{fc}nchen.test").value() }
    #expect(refused.description == "the name \"m\u{fc}nchen.test\" has characters beyond ASCII")
    #expect(try AlternativeName.host("a.b").value().bytes == [0x82, 3, 0x61, 0x2e, 0x62])
    #expect(try AlternativeName.address([127, 0, 0, 1]).value().bytes == [0x87, 4, 127, 0, 0, 1])
  }
}
