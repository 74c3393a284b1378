/// An encoded form of a secret that may occur in a text.
struct SecretForm: Hashable {
  /// The bytes that do not depend on the text around the secret.
  let bytes: [UInt8]
  /// True if a digit of Base64 before them is the secret's in part.
  var widensLeft = false
  /// True if one behind them is.
  var widensRight = false

  /// The form as it is read from its end.
  var reversed: SecretForm {
    SecretForm(bytes: bytes.reversed(), widensLeft: widensRight, widensRight: widensLeft)
  }
}

/// The forms in which a secret may occur in a text that is not decoded.
enum SecretForms {
  /// A line of a secret with several is a secret itself, if it is not shorter than this.
  private static let minimumLine = 8
  private static let standard = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let forURLs = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The secret itself, without blanks around it, and the lines of one with several.
  ///
  /// Texts are often shown line by line. In a URL into which it was put without escapes, its plus signs are
  /// read as blanks.
  static func plain(_ secret: [UInt8]) -> [[UInt8]] {
    let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    var core = secret[...].drop(while: isBlank)
    while let last = core.last, isBlank(last) { core = core.dropLast() }
    var texts = [secret]
    if core.count >= SecretRedactor.minimumLength { texts.append(Array(core)) }
    if core.contains(UInt8(ascii: "+")) {
      texts.append(core.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 })
    }
    guard core.contains(0x0A) else { return texts }
    for line in core.split(separator: 0x0A) where line.count >= minimumLine {
      texts.append(line.last == 0x0D ? Array(line.dropLast()) : Array(line))
    }
    return texts
  }

  /// The forms of a secret: itself, hexadecimal, and Base64 at each of the three places that it may have
  /// within a longer text.
  static func all(of secret: [UInt8]) -> [SecretForm] {
    var forms = [SecretForm(bytes: secret)]
    for digits in ["0123456789abcdef", "0123456789ABCDEF"] {
      let digits = Array(digits.utf8)
      forms.append(
        SecretForm(bytes: secret.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }))
    }
    for alphabet in [standard, forURLs] {
      for shift in 0..<3 { forms.append(base64(secret, shift: shift, alphabet)) }
    }
    return forms
  }

  /// Returns the digits all bits of which are the secret's, if `shift` bytes are before it.
  private static func base64(
    _ secret: [UInt8], shift: Int, _ alphabet: [UInt8]
  ) -> SecretForm {
    let bytes = [UInt8](repeating: 0, count: shift) + secret
    var digits: [UInt8] = []
    var bits = 0
    var count = 0
    for byte in bytes {
      bits = (bits << 8 | Int(byte)) & 0xFFFF
      count += 8
      while count >= 6 {
        count -= 6
        digits.append(alphabet[(bits >> count) & 63])
      }
    }
    let start = (shift * 8 + 5) / 6
    return SecretForm(
      bytes: Array(digits.dropFirst(start)), widensLeft: shift > 0, widensRight: count > 0)
  }

  /// Returns whether a byte is a digit of Base64.
  static func isBase64Digit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"),
      UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
