import Foundations
import Testing

@Suite("Hexadecimal digits")
struct HexadecimalTests {
  @Test("Bytes have two digits each")
  func digits() {
    #expect([0, 9, 0x0A, 0xA0, 0xFF].hexadecimal == "00090aa0ff")
    #expect([UInt8]().hexadecimal.isEmpty)
  }
}
