@testable import Foundations
import Testing

@Suite("Secrets are found in every form that programs give them")
struct SecretRedactorTests {
  private static let secret = "p@ss w0rd/x+\"y"
  private static let redactor = SecretRedactor(values: [secret, "tok_12345678"])

  @Test(
    "Forms and what is left of them",
    arguments: [
      ("a p@ss w0rd/x+\"y b", "a *** b"), ("p%40ss%20w0rd%2fx%2B%22y!", "***!"),
      ("q=p%40ss+w0rd%2Fx%2B%22y&b", "q=***&b"), (#"{"k":"p@ss w0rd\/x+\"y"}"#, #"{"k":"***"}"#),
      ("hex 746f6b5f3132333435363738.", "hex ***."), ("746F6B5F3132333435363738", "***"),
      ("xtok_12345678tok_12345678z", "x***z"), (#"tok\u005f12345678"#, "***"),
      (#"tok\x5f12345678 tok\x{5F}12345678"#, "*** ***"), ("dG9rXzEyMzQ1Njc4", "***"),
      ("tok_1234… tok_123", "***… ***"),
      (
        "tok_1234\n[5 bytes of stdout were not kept]",
        "***\n[5 bytes of stdout were not kept]"
      ),
      ("a tok…", "a ***…"), ("a to…", "a to…"), ("…678 z", "…*** z"), ("…78", "…78"),
      ("x tok_1\n…[900 bytes omitted]…\n45678 tok_12", "x ***\n…[900 bytes omitted]…\n*** ***"),
      ("tok\n[5 bytes of stdout were not kept]", "***\n[5 bytes of stdout were not kept]"),
      ("tok\n[info] tok", "tok\n[info] tok"), ("345678 and", "*** and"), ("45678 and", "45678 and"),
      ("p@ss w0rd/x+\\…", "***\\…"), ("p%40ss%2…", "***%2…"), ("tok\u{fffd}…", "***\u{fffd}…"),
      ("…\u{fffd}678", "…\u{fffd}***"), ("NjIz… dG9rX…", "NjIz… ***…"),
      (#"…2F\"y"#, #"…2F\"y"#), (#"…/x+\"y""#, #"…***""#),
    ])
  func forms(text: String, expected: String) {
    #expect(Self.redactor.redacted(text) == expected)
  }

  @Test(
    "What is no secret stays",
    arguments: [
      "", "tok_1 2345678", "tok_!", "tok_1", "p@ss", "%", "%4", "\\", "\\u12", "\\x{", "+++",
      "tok_1234 and more", "TOK_12345678", "naïve 😀",
    ])
  func others(text: String) {
    #expect(Self.redactor.redacted(text) == text)
    #expect(SecretRedactor().redacted(text) == text)
  }

  @Test("Wherever a text is cut, no more than two letters of a secret are left on either side")
  func cuts() {
    let secret = "tok_12345678"
    let whole = "some words \(secret) more of them"
    let letters = Array(whole)
    for cut in 1..<letters.count {
      let shown = Self.redactor.redacted(
        "\(String(letters[..<cut]))…\n…\(String(letters[cut...]))")
      for start in 0...(secret.count - 3) {
        let part = String(secret.dropFirst(start).prefix(3))
        #expect(!shown.contains(part), "\(shown)")
      }
      #expect(shown.contains("some words") == (cut >= 10))
    }
  }

  @Test("Base64 hides nothing, whatever stands around a secret, in both alphabets")
  func base64() {
    let secrets = ["tok_12345678", "???>>>~~~ÿ", "abcdef", "\u{1F600}-secret"]
    for secret in secrets {
      let redactor = SecretRedactor(values: [secret])
      for before in 0..<7 {
        for after in 0..<4 {
          let plain =
            String(repeating: "u", count: before) + secret
            + String(
              repeating: "z", count: after)
          let encoded = Self.encoded(Array(plain.utf8))
          for text in [
            encoded, encoded.replacing("+", with: "-").replacing("/", with: "_"),
            encoded.filter { $0 != "=" },
          ] {
            let shown = redactor.redacted("Basic \(text).")
            #expect(shown.contains("***"), "\(secret) \(before) \(after)")
            // No more is left than what the rest alone would have taken.
            #expect(shown.count <= 13 + 4 * ((before + 2) / 3) + 4 * ((after + 2) / 3))
          }
        }
      }
    }
  }

  @Test("A secret of several lines is hidden line by line")
  func lines() {
    let key = "-----BEGIN KEY-----\nMIIEvQIBADAN\nabc\nBgkqhkiG9w0B\n-----END KEY-----\n"
    let redactor = SecretRedactor(values: [key])

    #expect(redactor.redacted("+ MIIEvQIBADAN\n- BgkqhkiG9w0B\nabc") == "+ ***\n- ***\nabc")
    #expect(redactor.redacted("x \(key)y") == "x ***y")
    #expect(redactor.redacted(key.replacing("\n", with: "\\n")) == "***")
  }

  @Test("What other searches find is hidden with the values, as one where they touch")
  func searches() {
    let redactor = SecretRedactor(
      values: ["secret"],
      searches: [{ $0.utf8.count > 3 ? [0..<2] : [] }, { $0.utf8.count > 3 ? [2..<4] : [] }])

    #expect(!redactor.isEmpty)
    #expect(redactor.redacted("éab is secret") == "*** is ***")
    #expect(redactor.redacted("abc") == "abc")
  }

  @Test("Values that are too short hide nothing")
  func short() {
    #expect(SecretRedactor(values: ["12345", ""]).isEmpty)
    #expect(!SecretRedactor(values: ["123456"]).isEmpty)
  }

  @Test("Any bytes around a secret leave nothing of it, and the rest as it is")
  func context() {
    var state: UInt64 = 42
    for _ in 0..<300 {
      var parts: [String] = []
      for _ in 0..<2 {
        var text = ""
        for _ in 0..<Int(state % 9) {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          let choices = ["%", "+", "\\", "\"", "tok_", "é", " ", "\\u", "t", "\n", "…"]
          text += choices[Int(state >> 33) % choices.count]
        }
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        parts.append(text)
      }
      let shown = Self.redactor.redacted(parts[0] + "tok_12345678" + parts[1])
      #expect(!shown.contains("12345678"))
      #expect(shown.contains("***"))
      #expect(shown.hasSuffix(parts[1]) || parts[1].contains("tok_"), "\(parts)")
    }
  }

  private static func encoded(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      var letters = ""
      for _ in 0..<4 {
        letters = String(digits[bits & 63]) + letters
        bits >>= 6
      }
      text += letters.prefix(group.count + 1) + String(repeating: "=", count: 3 - group.count)
    }
    return text
  }
}
