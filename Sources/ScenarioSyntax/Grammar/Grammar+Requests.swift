internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of patterns of requests.
  static let requestDefinitions: [LanguageDefinition] = [
    Grammar.request.definition,
    .shape(
      "fieldCondition",
      """
      Conditions on the values of a name: a condition that one value must meet, a list with a \
      condition for each value, or whether a value exists.
      """,
      .map(
        by: [
          (Grammar.fileState.keys, .the("fileState")),
          (Grammar.textConditions.keys, .the("textConditions")),
        ], or: .either(.text, .list(of: .textMatcher, atLeast: 1)))),
    Grammar.requestOrigin.definition,
    Grammar.clientCertificate.definition,
    Grammar.exactBytes.definition,
    Grammar.part.definition,
  ]
}

extension Grammar {
  static let request = MapGrammar<HTTPRequestPattern>(
    "request", "Which requests the entry answers.", rules: [.someOf(["url", "host", "path"])]
  ) {
    Field(
      "method", .either(.pattern("^[A-Z-]+$"), .list(of: .pattern("^[A-Z-]+$"), atLeast: 1)),
      "The method, or a list of methods (default: any).", \.methods
    ) { $0.decodeMethods($1) }
    Field(
      "url", .map(.the("textConditions"), or: .pattern(#"^(https?|\*)://"#)),
      """
      The URL. {name} matches one segment of the path, * a part of one, ** any number of segments. \
      A map holds conditions on the whole URL.
      """, \.url
    ) { $0.decodeURLCondition($1) }
    Field(
      "headers", .map(of: .the("fieldCondition")), "Conditions on headers, by name.", \.headers
    ) { $0.decodeHeaderConditions($1) }
    Field(
      "json", .the("jsonCondition"),
      """
      The body as JSON: $.path keys, { contains: … } for a subset, { schema: … }; any other \
      value must be equal.
      """, \.json
    ) { $0.decodeJSONMatcher($1) }
    Field(
      "message", .the("jsonCondition"),
      """
      The message of a gRPC call, decoded as the .proto files of `network.grpc` say, with the conditions of \
      `json`. Fields that a client leaves out have their defaults, but for messages, `optional` fields and members of \
      a `oneof`.
      """, \.more.message
    ) { $0.decodeJSONMatcher($1) }
    Field(
      "xml", .the("xmlCondition"),
      "The body as XML: XPath expressions with conditions, or the whole document.", \.xml
    ) { $0.decodeXMLMatcher($1) }
    Field(
      "body",
      .map(
        by: [
          (Grammar.exactBytes.keys, .the("exactBytes")),
          (Grammar.textConditions.keys, .the("textConditions")),
        ], or: .text), "The body as text, or its exact bytes."
    ) {
      $0.decodeBodyCondition($1, into: &$2)
    }
    Field(
      "host", .map(.the("textConditions"), or: .string),
      "The host, instead of a whole URL; * matches any characters. A map holds conditions.",
      \.more.host
    ) { $0.decodeAddress($1, "host") }
    Field(
      "path", .map(.the("textConditions"), or: .pattern("^/")),
      "The path, instead of a whole URL, with templates as in `url`. A map holds conditions.",
      \.more.path
    ) { $0.decodePathCondition($1) }
    Field(
      "query", .map(of: .the("fieldCondition")),
      "Conditions on query items by name, in any order.", \.more.query
    ) { $0.decodeNamedConditions($1, "query") }
    Field(
      "cookies", .map(of: .the("fieldCondition")), "Conditions on cookies, by name.", \.more.cookies
    ) { $0.decodeNamedConditions($1, "cookies") }
    Field(
      "form", .map(of: .the("fieldCondition")),
      "Conditions on form fields in the body, by name.", \.more.form
    ) { $0.decodeNamedConditions($1, "form") }
    Field(
      "parts", .map(of: .either(.the("part"), .textMatcher)),
      "Conditions on the parts of a multipart body, by name.", \.more.parts
    ) { $0.decodeParts($1) }
    Field(
      "exact", .truth,
      """
      Whether the query, form and parts may contain only the names with conditions here \
      (default: more are allowed).
      """, \.more.isExact)
    Field("from", .the("requestOrigin"), "The sender of the request.", \.more.process) {
      $0.decode(
        $1, as: Grammar.requestOrigin, subject: "\"from\"", from: Located("", at: $1.range))
    }
    Field(
      "client_certificate", .the("clientCertificate"),
      """
      Conditions on the certificate that the client presents (mutual TLS), or whether it presents one. \
      The host then asks for it, and refuses clients without one where no other entry answers them.
      """, \.more.clientCertificate
    ) { $0.decodeClientCertificate($1) }
  }

  static let clientCertificate = MapGrammar<CertificateConditions>(
    "clientCertificate",
    """
    Conditions on a client's certificate. Unless `validity` says otherwise, it is valid at the time of the request, by \
    the scenario's clock; who has signed it is not checked.
    """,
    rules: [
      .atLeastOneKey, .apart("absent", from: ["exists"] + certificateKeys),
      .apart("exists", from: certificateKeys),
    ]
  ) {
    Field("absent", .truth, "Whether the client presents none.") {
      $0.decodePresence($1, isThere: false, into: &$2)
    }
    Field("exists", .truth, "Whether the client presents one.") {
      $0.decodePresence($1, isThere: true, into: &$2)
    }
    certificateField("common_name", "A common name of the subject.")
    certificateField("subject", "The subject, as RFC 4514 writes names: `CN=alice,O=Example`.")
    certificateField("issuer", "The issuer, as RFC 4514 writes names.")
    certificateField(
      "alternative_name",
      "One of the alternative names: a host, an address of mail, a URI or an IP address.")
    certificateField(
      "fingerprint",
      "SHA-256 of the certificate: hexadecimal digits, or as `openssl x509 -fingerprint` prints them."
    )
    Field(
      "validity", .word(of: CertificateConditions.Validity.self),
      "Whether it is valid at the time of the request (default: `valid`).", \.validity)
  }

  private static let certificateKeys = [
    "alternative_name", "common_name", "fingerprint", "issuer", "subject", "validity",
  ]

  private static func certificateField(
    _ name: String, _ documentation: String
  ) -> Field<CertificateConditions> {
    Field(name, .the("fieldCondition"), documentation) {
      $0.decodeCertificateCondition($1, name, into: &$2)
    }
  }

  static let requestOrigin = MapGrammar<Located<String>>(
    "requestOrigin", "The sender of a request."
  ) {
    Field("process", .name, "The program's name; * matches any characters.") { $0 = $1 }
      .required("from: { process: curl }")
  }

  static let exactBytes = MapGrammar<Void>("exactBytes", "Bytes.", rules: [.exactlyOneKey]) {
    Field("base64", .string, "The exact bytes, as Base64.")
    Field(
      "file", .string, "A file that contains the bytes, relative to the scenario file.")
  }

  static let part = MapGrammar<PartCondition>("part", "Conditions on one part of a multipart body.")
  {
    Field("filename", .matcher(.text), "The file name of the part.", \.filename)
    Field("content_type", .matcher(.text), "The content type of the part.", \.contentType)
    Field("text", .matcher(.text), "The content as text.", \.text)
    Field("json", .the("jsonCondition"), "The content as JSON.", \.json) {
      $0.decodeJSONMatcher($1)
    }
    Field("xml", .the("xmlCondition"), "The content as XML.", \.xml) { $0.decodeXMLMatcher($1) }
    Field("base64", .string, "The exact content, as Base64.")
    Field(
      "file", .string, "A file that contains the same content, relative to the scenario file.")
  }
}
