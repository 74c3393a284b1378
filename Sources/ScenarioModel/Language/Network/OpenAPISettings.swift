package import Foundations

/// An entry of `network: { openapi: … }`: a document that describes an API.
package struct OpenAPISettings: Sendable {
  /// `replies:` where the replies come from that no entry of `responses:` gives.
  package enum Replies: String, Sendable, CaseIterable {
    /// From the document: its examples, or values that its schemas allow.
    case examples
    /// From nowhere: the document is there to check.
    case none
  }

  /// `check:` what is compared with the document.
  package enum Check: String, Sendable, CaseIterable {
    /// Requests and replies.
    case all
    /// Requests alone.
    case requests
    /// Replies alone.
    case replies
    /// Nothing.
    case none

    /// True if requests are compared.
    package var coversRequests: Bool { self == .all || self == .requests }
    /// True if replies are compared.
    package var coversReplies: Bool { self == .all || self == .replies }
  }

  /// `file:` the document, relative to the scenario file.
  package var file: Located<String>?
  /// `servers:` the URLs of the API, in place of those that the document has.
  package var servers: [Located<String>] = []
  /// `replies:`, `examples` unless said.
  package var replies = Replies.examples
  /// `check:`, `all` unless said.
  package var check = Check.all

  /// Creates the settings of a document.
  package init(file: Located<String>? = nil) {
    self.file = file
  }
}
