package import Foundations

/// An entry of `network: { openapi: … }`: a document that describes an API.
package struct OpenAPISettings: Sendable {
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
  package var replies = DescribedReplySource.examples
  /// `check:`, `all` unless said.
  package var check = Check.all

  /// Creates the settings of a document.
  package init(file: Located<String>? = nil) {
    self.file = file
  }
}
