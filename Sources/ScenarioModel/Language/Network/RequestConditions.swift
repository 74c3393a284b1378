package import Foundations

/// The condition on the values of a name that may occur several times in a request.
///
/// Items of a query, headers, cookies and fields of a form are such names.
package enum FieldCondition: Sendable {
  /// `{ absent: true }`
  case absent
  /// `{ exists: true }`, with any value.
  case exists
  /// One of the values satisfies it.
  case some(Matcher)
  /// `[a, b]`: as many values as matchers, each with one of its own, in any order.
  case each([Matcher])
}

/// A name and what must be so of its values.
package struct NamedCondition: Sendable {
  /// The name.
  package var name: Located<String>
  /// The condition.
  package var condition: FieldCondition

  /// Creates a condition.
  package init(name: Located<String>, condition: FieldCondition) {
    self.name = name
    self.condition = condition
  }
}

/// One entry of `parts:`: the condition on a part of a multipart body (RFC 7578).
package struct PartCondition: Sendable {
  /// The part's name.
  package var name: Located<String>
  /// `filename:`.
  package var filename: Matcher?
  /// `content_type:`, without its parameters where the matcher names none.
  package var contentType: Matcher?
  /// `text:`, or a bare value.
  package var text: Matcher?
  /// `json:`.
  package var json: Matcher?
  /// `xml:`.
  package var xml: Matcher?
  /// `base64:` or `file:`, byte for byte.
  package var bytes: ExactBytes?

  /// Creates a condition that any part of the name satisfies.
  package init(name: Located<String>) {
    self.name = name
  }
}

/// Bytes that an author gives.
package enum ExactBytes: Sendable {
  /// `base64:`
  case literal([UInt8])
  /// `file:` relative to the scenario file.
  case file(Located<String>)
}

/// `url:`, `host:` or `path:` of a request.
package enum AddressCondition: Sendable {
  /// A pattern, as in the short form.
  case pattern(Located<String>)
  /// `{ matches: … }` and the other conditions on text.
  case matcher(Matcher)
}

/// The conditions on the certificate that a client presents.
package struct CertificateConditions: Sendable {
  /// Whether a certificate is valid by the scenario's clock.
  package enum Validity: String, Sendable, CaseIterable {
    case valid
    case expired
    case notYetValid = "not_yet_valid"
  }

  /// The place of its key.
  package var range: SourceRange
  /// `{ exists: … }` or `{ absent: … }`; `nil` for conditions on what it says.
  package var isThere: Bool?
  /// Conditions on what it says, by name.
  package var fields: [NamedCondition] = []
  /// `validity:`; valid by default.
  package var validity = Validity.valid

  /// Creates conditions that every valid certificate satisfies.
  package init(at range: SourceRange) { self.range = range }
}

/// The conditions on a request besides its address.
package struct RequestConditions: Sendable {
  /// `host:` instead of a whole URL.
  package var host: AddressCondition?
  /// `path:` instead of a whole URL.
  package var path: AddressCondition?
  /// `query:` items by name.
  package var query: [NamedCondition] = []
  /// `cookies:` by name.
  package var cookies: [NamedCondition] = []
  /// `form:` fields of an `application/x-www-form-urlencoded` body.
  package var form: [NamedCondition] = []
  /// `parts:` of a multipart body.
  package var parts: [PartCondition] = []
  /// `body: { base64: … }` or `body: { file: … }`, byte for byte.
  package var bytes: ExactBytes?
  /// `exact: true`: nothing of the query, of a form that is named and of parts that are named but what is named.
  package var isExact = false
  /// `from: { process: NAME }`: the program that sends the request; may hold `*`.
  package var process: Located<String>?
  /// `message:` of a call of gRPC, decoded.
  package var message: Matcher?
  /// `client_certificate:` conditions by name.
  package var clientCertificate: CertificateConditions?

  /// Creates conditions that every request satisfies.
  package init() {}
}
