internal import Foundations

/// The reason why a text is not XPath, with its place.
package struct XPathMistake: Error {
  /// The reason.
  package var reason: PatternError
  /// The column in the text, counted from 1 in Unicode scalars.
  package var column: Int
}

/// An expression of XPath 1.0: `//order/@id`, `count(//item)`, `//item[@id='7']/price`.
///
/// All of the recommendation but variables, the namespace axis and `id()`. A name without a prefix means every
/// namespace, so that a document's prefixes need not be known.
package struct XPathQuery: Hashable, Sendable {
  /// The value that an expression has in a document.
  package enum Result: Sendable {
    /// Nodes in document order.
    case nodes([XMLDocument.Reference])
    /// A text.
    case text(String)
    /// A number, be it none.
    case number(Double)
    /// True or false.
    case truth(Bool)
  }

  /// The number of nodes that are visited at most; a path of many predicates could visit more than there is time for.
  package static let stepLimit = 20_000_000

  /// The expression as written.
  package let text: String
  let expression: XPathExpression

  /// Reads an expression.
  package init(_ text: String) throws(PatternError) {
    do throws(XPathMistake) {
      self = try Self.read(text)
    } catch {
      throw error.reason
    }
  }

  private init(_ text: String, _ expression: XPathExpression) {
    self.text = text
    self.expression = expression
  }

  /// Reads an expression; an error says where it is.
  package static func read(_ text: String) throws(XPathMistake) -> XPathQuery {
    do throws(XPathError) {
      var parser = try XPathParser(text)
      return XPathQuery(text, try parser.parse())
    } catch {
      let before = Array(text.utf8).prefix(error.offset)
      let column = 1 + before.count { $0 & 0xC0 != 0x80 }
      throw XPathMistake(
        reason: PatternError(
          "\"\(text.excerpt(limit: 200))\" is not XPath: column \(column): \(error.message)",
          help: error.help ?? "write a path such as //order/@id, or count(//item)"),
        column: column)
    }
  }

  /// The prefixes in its names.
  package var prefixes: Set<String> { expression.prefixes }

  /// True if it gives nodes, and not a text, a number, or true or false.
  package var givesNodes: Bool { expression.givesNodes }

  /// Returns the value in a document; `nil` if it takes too many steps.
  ///
  /// - Parameter namespaces: What prefixes in the expression stand for; others are compared as the document writes them.
  package func result(in document: XMLDocument, namespaces: [String: String] = [:]) -> Result? {
    var evaluation = XPathEvaluation(
      document: document, namespaces: namespaces, remaining: Self.stepLimit)
    let value = evaluation.value(of: expression, at: XPathEvaluation.Context(node: 0))
    guard evaluation.remaining > 0 else { return nil }
    return switch value {
    case .nodes(let nodes): .nodes(nodes.map { XMLDocument.Reference(index: $0) })
    case .text(let text): .text(text)
    case .number(let number): .number(number)
    case .truth(let truth): .truth(truth)
    }
  }
}
