/// What a name that may stand several times in a request must have as its values.
///
/// Items of a query, headers, cookies and fields of a form are such names.
public enum FieldCondition: Sendable {
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
public struct NamedCondition: Sendable {
  /// The name.
  public var name: Located<String>
  /// The condition.
  public var condition: FieldCondition

  /// Creates a condition.
  public init(name: Located<String>, condition: FieldCondition) {
    self.name = name
    self.condition = condition
  }
}

/// One entry of `parts:`: what a part of a multipart body (RFC 7578) must be.
public struct PartCondition: Sendable {
  /// The part's name.
  public var name: Located<String>
  /// `filename:`.
  public var filename: Matcher?
  /// `content_type:`, without its parameters where the matcher names none.
  public var contentType: Matcher?
  /// `text:`, or a bare value.
  public var text: Matcher?
  /// `json:`.
  public var json: Matcher?
  /// `base64:` or `file:`, byte for byte.
  public var bytes: ExactBytes?

  /// Creates a condition that any part of the name satisfies.
  public init(name: Located<String>) {
    self.name = name
  }
}

/// Bytes that an author gives.
public enum ExactBytes: Sendable {
  /// `base64:`
  case literal([UInt8])
  /// `file:` relative to the scenario file.
  case file(Located<String>)
}

/// `url:`, `host:` or `path:` of a request.
public enum AddressCondition: Sendable {
  /// A pattern, as in the short form.
  case pattern(Located<String>)
  /// `{ matches: … }` and the other conditions on text.
  case matcher(Matcher)
}

/// What a request must have beside its address.
public struct RequestConditions: Sendable {
  /// `host:` instead of a whole URL.
  public var host: AddressCondition?
  /// `path:` instead of a whole URL.
  public var path: AddressCondition?
  /// `query:` items by name.
  public var query: [NamedCondition] = []
  /// `cookies:` by name.
  public var cookies: [NamedCondition] = []
  /// `form:` fields of an `application/x-www-form-urlencoded` body.
  public var form: [NamedCondition] = []
  /// `parts:` of a multipart body.
  public var parts: [PartCondition] = []
  /// `body: { base64: … }` or `body: { file: … }`, byte for byte.
  public var bytes: ExactBytes?
  /// `from: { process: NAME }`: the program that sends the request; may hold `*`.
  public var process: Located<String>?

  /// Creates conditions that every request satisfies.
  public init() {}
}
