internal import Cryptography
internal import Foundations
internal import Patterns

extension ExpressionFunction {
  private static let text = Parameter.value("text", .text)

  static let encodings: [ExpressionFunction] = [
    ExpressionFunction(
      "json", .encodings, [.value("x", .any)], gives: .text, "A value as JSON, on one line.",
      example: Example("json({'a': [1, null]})", #""{\"a\":[1,null]}""#),
      mistake: Example("json()", "json() takes one argument, not 0")
    ) { .string($0[0].jsonText()) },
    ExpressionFunction(
      "parse_json", .encodings, [text], gives: .any, "The value that a text of JSON means.",
      example: Example("parse_json('[1, {}]')", "[1,{}]"),
      mistake: Example("parse_json('[1')", "parse_json() cannot read the text")
    ) { (arguments) throws(PatternError) in
      do throws(JSONParseError) {
        return try JSONText.parse(arguments.text(0))
      } catch {
        throw arguments.error(
          "cannot read the text: \(error.line):\(error.column): \(error.message)",
          help: "hand it JSON")
      }
    },
    ExpressionFunction(
      "base64", .encodings, [text], gives: .text, "A text in Base64.",
      example: Example("base64('user:pass')", #""dXNlcjpwYXNz""#),
      mistake: Example("base64(1)", "base64() cannot take a number")
    ) { .string(Base64.encoded(Array($0.text(0).utf8))) },
    ExpressionFunction(
      "base64_decode", .encodings, [text], gives: .text, "Decodes Base64 to text.",
      example: Example("base64_decode('dXNlcjpwYXNz')", #""user:pass""#),
      mistake: Example("base64_decode('?')", "base64_decode() cannot read \"?\"")
    ) { (arguments) throws(PatternError) in
      try decoded(Base64.decoded(arguments.text(0)), arguments)
    },
    ExpressionFunction(
      "base64url", .encodings, [text], gives: .text,
      "A text in the letters of Base64 that URLs take, without padding.",
      example: Example("base64url('a?b>')", #""YT9iPg""#),
      mistake: Example("base64url(null)", "base64url() cannot take null")
    ) { .string(Base64.encodedForURL(Array($0.text(0).utf8))) },
    ExpressionFunction(
      "base64url_decode", .encodings, [text], gives: .text, "Decodes Base64url to text.",
      example: Example("base64url_decode('YT9iPg')", #""a?b>""#),
      mistake: Example("base64url_decode('a+b')", "base64url_decode() cannot read \"a+b\"")
    ) { (arguments) throws(PatternError) in
      try decoded(Base64.decodedFromURL(arguments.text(0)), arguments)
    },
    ExpressionFunction(
      "hex", .encodings, [.value("x", [.text, .integer])], gives: .text,
      "The bytes of a text, or a whole number, in hexadecimal digits.",
      example: Example("hex('Hi') + hex(255)", #""4869ff""#),
      mistake: Example("hex(1.5)", "hex() cannot take a number")
    ) { arguments in
      if case .integer(let integer) = arguments[0] { return .string(String(integer, radix: 16)) }
      return .string(arguments.text(0).utf8.hexadecimal)
    },
    ExpressionFunction(
      "hex_decode", .encodings, [text], gives: .text, "The text of bytes in hexadecimal digits.",
      example: Example("hex_decode('4869')", #""Hi""#),
      mistake: Example("hex_decode('486')", "hex_decode() cannot read \"486\"")
    ) { (arguments) throws(PatternError) in
      try decoded(bytes(ofDigits: arguments.text(0)), arguments)
    },
    ExpressionFunction(
      "url_encode", .encodings, [text], gives: .text,
      "A text, encoded for a query: all but letters, digits, - . _ ~ as %XX.",
      example: Example("url_encode('a b&c')", #""a%20b%26c""#),
      mistake: Example("url_encode([])", "url_encode() cannot take a list")
    ) { .string(PercentEncoding.encodedQuery($0.text(0))) },
    ExpressionFunction(
      "url_decode", .encodings, [text], gives: .text, "Decodes percent-encoding; + is a plus.",
      example: Example("url_decode('a%20b%26c')", #""a b&c""#),
      mistake: Example("url_decode('5%')", "url_decode() cannot read \"%\"")
    ) { (arguments) throws(PatternError) in
      if let broken = PercentEncoding.firstBrokenTriplet(in: arguments.text(0)) {
        throw arguments.error(
          "cannot read \"\(broken)\"", help: "write % and two hexadecimal digits, and %25 for a %")
      }
      return .string(PercentEncoding.decoded(arguments.text(0)))
    },
    ExpressionFunction(
      "sha256", .encodings, [text], gives: .text,
      "The SHA-256 of a text in hexadecimal digits, as `hash('sha256', text)`.",
      example: Example(
        "substr(sha256('abc'), 0, 16)", #""ba7816bf8f01cfea""#),
      mistake: Example("sha256(1)", "sha256() cannot take a number")
    ) { .string(SecureDigest.sha256($0.text(0).utf8)) },
    ExpressionFunction(
      "hash", .encodings, [.value("algorithm", .text), text], gives: .text,
      "The digest of a text in hexadecimal digits: md5, sha1, sha256, sha384 or sha512.",
      example: Example("hash('md5', 'abc')", #""900150983cd24fb0d6963f7d28e17f72""#),
      mistake: Example("hash('sha3', 'a')", "hash() does not know \"sha3\"")
    ) { (arguments) throws(PatternError) in
      let algorithm = try algorithm(arguments.text(0), arguments)
      return .string(algorithm.digest(of: Array(arguments.text(1).utf8)).hexadecimal)
    },
    ExpressionFunction(
      "hmac", .encodings,
      [.value("algorithm", .text), .value("key", .text), text], gives: .text,
      "The code of a text under a key (RFC 2104) in hexadecimal digits, by the algorithms of `hash`.",
      example: Example("substr(hmac('sha256', 'key', 'text'), 0, 16)", #""6afa9046a9579cad""#),
      mistake: Example("hmac('sha256', 'text')", "hmac() takes 3 arguments, not 2")
    ) { (arguments) throws(PatternError) in
      let algorithm = try algorithm(arguments.text(0), arguments)
      return .string(
        algorithm.authenticationCode(
          of: Array(arguments.text(2).utf8), key: Array(arguments.text(1).utf8)
        ).hexadecimal)
    },
    ExpressionFunction(
      "uuid5", .encodings, [.value("namespace", .text), .value("name", .text)], gives: .text,
      "The UUID of a name (version 5) in dns, url, oid, x500 or the namespace of a UUID.",
      example: Example("uuid5('dns', 'example.com')", #""cfbff0d1-9375-5685-968c-48ce8b15ae17""#),
      mistake: Example("uuid5('web', 'a')", "\"web\" is no namespace")
    ) { (arguments) throws(PatternError) in
      guard let namespace = UUIDText.namespace(arguments.text(0)) else {
        throw PatternError(
          "\"\(arguments.text(0))\" is no namespace",
          help: "write 'dns', 'url', 'oid', 'x500' or a UUID")
      }
      return .string(UUIDText.version5(namespace, arguments.text(1)))
    },
  ]

  /// Expressions have texts, and no bytes.
  private static func decoded(
    _ bytes: [UInt8]?, _ arguments: FunctionArguments
  ) throws(PatternError) -> Value {
    guard let bytes else {
      throw arguments.error("cannot read \(arguments[0].excerpt(limit: 40))")
    }
    guard UTF8Validation.firstInvalid(in: bytes) == nil else {
      throw arguments.error(
        "gives bytes that are no text", help: "expressions have texts alone; use { $file: … }")
    }
    return .string(String(decoding: bytes, as: UTF8.self))
  }

  private static func bytes(ofDigits text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: digits.count, by: 2) {
      let pair = digits[place...(place + 1)]
      guard pair.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        let byte = UInt8(String(decoding: pair, as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  private static func algorithm(
    _ name: String, _ arguments: FunctionArguments
  ) throws(PatternError) -> DigestAlgorithm {
    guard let algorithm = DigestAlgorithm(rawValue: name) else {
      throw arguments.error(
        "does not know \"\(name)\"",
        help: Suggestion.help(
          for: name, in: DigestAlgorithm.allCases.map(\.rawValue), label: "it knows"))
    }
    return algorithm
  }
}
