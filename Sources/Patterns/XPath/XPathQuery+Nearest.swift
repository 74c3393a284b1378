internal import Foundations

extension XPathQuery {
  /// The nearest thing to what a path looks for and does not find.
  package struct Nearest: Sendable {
    /// How far the path leads, and what is missing there.
    package var reason: String
    /// The name that was meant, in the form of a question; `nil` if none is near.
    package var help: String?
    /// The nodes to which the path leads still.
    package var nodes: [XMLDocument.Reference]
  }

  /// Returns the nearest thing in a document in which the path finds no node.
  package func nearest(
    in document: XMLDocument, namespaces: [String: String] = [:]
  ) -> Nearest {
    var evaluation = XPathEvaluation(
      document: document, namespaces: namespaces, remaining: Self.stepLimit)
    guard case .path(_, let steps) = expression else {
      return Nearest(reason: "\(text.excerpt(limit: 80)) finds no node", nodes: [])
    }
    for index in steps.indices.reversed() {
      let before = evaluation.follow(Array(steps[..<index]), from: [0])
      guard !before.isEmpty else { continue }
      var step = steps[index]
      step.predicates = []
      let named = evaluation.follow([step], from: before)
      guard named.isEmpty else { return unfulfilled(steps[index], named) }
      return missing(steps[index], behind: before, isAtStart: index == 0, in: document)
    }
    return Nearest(reason: "the path leads nowhere", nodes: [])
  }

  /// Steps are told by their text up to their names, as an author has written them.
  private func written(upTo end: Int) -> String {
    String(decoding: Array(text.utf8)[..<end], as: UTF8.self).excerpt(limit: 80)
  }

  private func unfulfilled(_ step: XPathStep, _ named: [Int]) -> Nearest {
    let predicates = String(
      decoding: Array(text.utf8)[step.place.upperBound..<step.end], as: UTF8.self)
    let count = "\(named.count) node\(named.count == 1 ? "" : "s")"
    return Nearest(
      reason:
        "\(written(upTo: step.place.upperBound)) finds \(count), and \(predicates.excerpt(limit: 80)) holds for none",
      nodes: named.map { XMLDocument.Reference(index: $0) })
  }

  private func missing(
    _ step: XPathStep, behind before: [Int], isAtStart: Bool, in document: XMLDocument
  ) -> Nearest {
    let isAttribute = step.axis == .attribute
    let what = String(decoding: Array(text.utf8)[step.place], as: UTF8.self)
    // Slashes stand between what leads there and the step.
    var way = Array(text.utf8)[..<step.place.lowerBound]
    while way.last == UInt8(ascii: "/") { way.removeLast() }
    let place = String(decoding: way, as: UTF8.self).excerpt(limit: 80)
    let reason =
      isAtStart || place.isEmpty
      ? "the document has no \"\(what)\"\(step.axis == .child ? " outermost" : "")"
      : "\(place) finds \(before.count) node\(before.count == 1 ? "" : "s"), and"
        + " \(before.count == 1 ? "it has no" : "none has a") \"\(what)\""
    guard case .name(let prefix, let local) = step.test else {
      return Nearest(reason: reason, nodes: before.map { XMLDocument.Reference(index: $0) })
    }
    let candidates = names(
      around: before, isAttribute: isAttribute, isDeep: step.axis != .child && !isAttribute,
      in: document)
    var help: String?
    if let other = candidates.first(where: { $0.local == local }), !prefix.isEmpty {
      help =
        "\"\(other.qualified)\" is there, in "
        + (other.namespace.isEmpty ? "no namespace" : "the namespace \"\(other.namespace)\"")
        + ": write \"\(local)\", without a prefix, for any"
    } else {
      help = Suggestion.question(for: local, in: Set(candidates.map(\.local)).sorted())
    }
    return Nearest(
      reason: reason, help: help,
      nodes: isAtStart ? [] : before.map { XMLDocument.Reference(index: $0) })
  }

  /// The number of nodes whose names are looked at.
  private static let searchedNodes = 100_000

  private func names(
    around nodes: [Int], isAttribute: Bool, isDeep: Bool, in document: XMLDocument
  ) -> [XMLDocument.Name] {
    var names: Set<XMLDocument.Name> = []
    for node in nodes.prefix(1_000) {
      let end =
        isAttribute
        ? document.attributes(of: node).upperBound
        : min(Int(document.nodes[node].end), node + Self.searchedNodes)
      var index = isAttribute ? node + 1 : document.firstChild(of: node)
      while index < end {
        let kind = document.nodes[index].kind
        if kind == (isAttribute ? .attribute : .element), let name = document.name(of: index) {
          names.insert(name)
        }
        index = isDeep || isAttribute ? index + 1 : Int(document.nodes[index].end)
      }
    }
    return names.sorted { $0.qualified < $1.qualified }
  }
}
