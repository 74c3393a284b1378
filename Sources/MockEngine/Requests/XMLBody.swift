package import Patterns
internal import Synchronization

/// A body that is read as XML once, when the first entry asks for it: most bodies are no XML, and may be large.
package final class XMLBody: Sendable {
  /// The result of reading.
  package enum Content: Sendable {
    /// There is no body, or not all of it.
    case none
    /// A document.
    case document(XMLDocument)
    /// The body is no XML, for this reason.
    case malformed(XMLParseError)

    fileprivate init(_ body: [UInt8]) {
      guard !body.isEmpty else {
        self = .none
        return
      }
      do throws(XMLParseError) {
        self = .document(try XMLDocument(bytes: body))
      } catch {
        self = .malformed(error)
      }
    }
  }

  private let body: [UInt8]
  private let read = Mutex<Content?>(nil)

  /// - Parameter body: the whole body; empty where there is none.
  init(_ body: [UInt8]) { self.body = body }

  /// The body as XML.
  package var content: Content {
    read.withLock { read in
      let content = read ?? Content(body)
      read = content
      return content
    }
  }
}
