internal import Foundations
internal import Patterns

/// Functions on XML.
extension ExpressionFunction {
  private static let path = Parameter.text("path") { text in
    do throws(PatternError) {
      _ = try XPathQuery(text)
      return nil
    } catch {
      return error
    }
  }

  static let markup: [ExpressionFunction] = [
    ExpressionFunction(
      "xpath", .encodings, [.value("xml", .text), path],
      result: { _ in [.null, .bool, .integer, .fraction, .text] },
      "What an XPath expression finds in a text of XML: the text of the first node, null where there is none; or the number or bool.",
      example: Example("xpath('<a><b>1</b></a>', '//b')", #""1""#),
      mistake: Example("xpath('<a>', '//b')", "xpath() cannot read the text as XML"),
      .eager { (arguments) throws(PatternError) in
        switch try found(arguments) {
        case .nodes(let nodes): nodes.first ?? .null
        case .value(let value): value
        }
      }),
    ExpressionFunction(
      "xpath_all", .encodings, [.value("xml", .text), path], gives: .list,
      "The texts of all nodes that an XPath expression finds in a text of XML, in a list.",
      example: Example("xpath_all('<a><b>1</b><b>2</b></a>', '//b')", #"["1","2"]"#),
      mistake: Example("xpath_all('<a/>', 'count(//b)')", "xpath_all() cannot take \"count(//b)\"")
    ) { (arguments) throws(PatternError) in
      guard case .nodes(let nodes) = try found(arguments) else {
        throw arguments.error(
          "cannot take \"\(arguments.text(1))\", which finds no nodes",
          help: "write a path, or use xpath(xml, path)")
      }
      return .list(nodes)
    },
    ExpressionFunction(
      "xml_escape", .encodings, [.value("x", .inText)], gives: .text,
      "A text as it stands in XML, between tags and in attributes: & < > \" ' as entities.",
      example: Example("xml_escape('a < \"b\" & c')", #""a &lt; &quot;b&quot; &amp; c""#),
      mistake: Example("xml_escape([1])", "xml_escape() cannot take a list")
    ) { (arguments) throws(PatternError) in
      .string(try escaped(arguments[0].textForm ?? "", arguments))
    },
  ]

  /// What an expression finds.
  private enum Found {
    case nodes([Value])
    case value(Value)
  }

  private static func found(_ arguments: FunctionArguments) throws(PatternError) -> Found {
    let query = try XPathQuery(arguments.text(1))
    let document: XMLDocument
    do throws(XMLParseError) {
      document = try XMLDocument(arguments.text(0))
    } catch {
      throw arguments.error(
        "cannot read the text as XML: \(error.line):\(error.column): \(error.message)",
        help: "pass it a document")
    }
    switch query.result(in: document) {
    case nil:
      throw arguments.error(
        "visits more than \(XPathQuery.stepLimit) nodes",
        help: "write a path that begins further down")
    case .nodes(let nodes)?:
      guard let texts = document.values(of: nodes) else {
        throw arguments.error(
          "finds texts of more than \(XMLDocument.maximumTexts) bytes together",
          help: "write a path that begins further down")
      }
      return .nodes(texts.map { .string($0) })
    case .text(let text)?: return .value(.string(text))
    case .truth(let truth)?: return .value(.bool(truth))
    case .number(let number)?:
      guard number.isFinite else { return .value(.null) }
      return .value(Int64(exactly: number).map(Value.integer) ?? .number(number))
    }
  }

  private static func escaped(
    _ text: String, _ arguments: FunctionArguments
  ) throws(PatternError) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&apos;"
      // Other ends of a line would be read as a line feed, and an attribute's as a blank.
      case "\t", "\n", "\r": result += "&#\(scalar.value);"
      case "\0"..<" ", "\u{FFFE}", "\u{FFFF}":
        throw arguments.error(
          "cannot write the character U+\(String(scalar.value, radix: 16, uppercase: true)), which XML does not allow",
          help: "remove it with replace(…)")
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
