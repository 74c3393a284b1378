/// Paths: axes, tests and predicates (XPath 1.0, section 2).
extension XPathEvaluation {
  /// Returns the nodes at the end of a path, in document order, each once.
  mutating func follow(_ steps: [XPathStep], from start: [Int]) -> [Int] {
    var current = start
    for step in steps where remaining > 0 { current = follow(step, from: current) }
    return current
  }

  private mutating func follow(_ step: XPathStep, from contexts: [Int]) -> [Int] {
    let isFree = step.predicates.allSatisfy(\.isFreeOfPosition)
    let isDescendant = step.axis == .descendant || step.axis == .descendantOrSelf
    let matcher = matcher(of: step)
    var found: [Int] = []
    var visited = 0
    for context in contexts where remaining > 0 {
      if isDescendant, isFree {
        // What lies in a node that was visited was visited with it, but for its attributes.
        let isAttribute = document.nodes[context].kind == .attribute
        guard isAttribute || context >= visited else { continue }
        if !isAttribute { visited = Int(document.nodes[context].end) }
      }
      let candidates = nodes(on: step.axis, from: context, matcher)
      let taken = filter(candidates, by: step.predicates)
      found += step.axis.isReverse ? taken.reversed() : taken
    }
    return contexts.count > 1 ? Self.ordered(found) : found
  }

  /// Returns nodes in document order, each once.
  static func ordered(_ nodes: [Int]) -> [Int] {
    let isOrdered = zip(nodes, nodes.dropFirst()).allSatisfy { $0 < $1 }
    guard !isOrdered else { return nodes }
    var result: [Int] = []
    for node in nodes.sorted() where result.last != node { result.append(node) }
    return result
  }

  /// Returns those of some nodes, in the order in which positions count, for which all predicates hold (section 2.4).
  mutating func filter(_ nodes: [Int], by predicates: [XPathExpression]) -> [Int] {
    var current = nodes
    for predicate in predicates {
      if case .number(let number) = predicate {
        guard let position = Int(exactly: number), current.indices.contains(position - 1) else {
          return []
        }
        current = [current[position - 1]]
        continue
      }
      var kept: [Int] = []
      for (offset, node) in current.enumerated() where remaining > 0 {
        let context = Context(node: node, position: offset + 1, size: current.count)
        remaining -= 1
        let value = value(of: predicate, at: context)
        if case .number(let number) = value {
          if number == Double(offset + 1) { kept.append(node) }
        } else if truth(of: value) {
          kept.append(node)
        }
      }
      current = kept
    }
    return current
  }

  /// The test of a step, which predicates ask for once for each node.
  private mutating func matcher(of step: XPathStep) -> XPathNameMatcher {
    if let known = matchers[step.place] { return known }
    let matcher = XPathNameMatcher(step, document, namespaces)
    matchers[step.place] = matcher
    return matcher
  }

  // MARK: - Axes

  private mutating func nodes(
    on axis: XPathStep.Axis, from context: Int, _ matcher: XPathNameMatcher
  ) -> [Int] {
    var found: [Int] = []
    func take(_ node: Int) {
      if matcher.matches(document, node) { found.append(node) }
    }
    let nodes = document.nodes
    let node = nodes[context]
    var visited = 1
    switch axis {
    case .itself: take(context)
    case .child:
      var child = document.firstChild(of: context)
      // An element's attributes stand before its children.
      visited += child - context
      while child < Int(node.end) {
        take(child)
        child = Int(nodes[child].end)
        visited += 1
      }
    case .attribute:
      let attributes = document.attributes(of: context)
      visited += attributes.count
      for attribute in attributes { take(attribute) }
    case .descendant, .descendantOrSelf:
      if axis == .descendantOrSelf { take(context) }
      visited += max(0, Int(node.end) - context)
      for index in (context + 1)..<max(context + 1, Int(node.end))
      where nodes[index].kind != .attribute {
        take(index)
      }
    case .parent: if context != 0 { take(Int(node.parent)) }
    case .ancestor, .ancestorOrSelf:
      if axis == .ancestorOrSelf { take(context) }
      var place = context
      while place != 0 {
        place = Int(nodes[place].parent)
        take(place)
        visited += 1
      }
    case .followingSibling, .precedingSibling:
      guard node.kind != .attribute, context != 0 else { break }
      let siblings = self.siblings(of: context, isFollowing: axis == .followingSibling)
      let parent = Int(node.parent)
      visited += siblings.count + document.firstChild(of: parent) - parent
      for sibling in siblings { take(sibling) }
    case .following:
      let start =
        node.kind == .attribute ? document.firstChild(of: Int(node.parent)) : Int(node.end)
      visited += nodes.count - start
      for index in start..<max(start, nodes.count) where nodes[index].kind != .attribute {
        take(index)
      }
    case .preceding:
      visited += context
      for index in stride(from: context - 1, to: 0, by: -1)
      where nodes[index].kind != .attribute && Int(nodes[index].end) <= context {
        take(index)
      }
    }
    remaining -= visited
    return found
  }

  /// The siblings on one side, the nearest first.
  private func siblings(of context: Int, isFollowing: Bool) -> [Int] {
    let parent = Int(document.nodes[context].parent)
    let end = isFollowing ? Int(document.nodes[parent].end) : context
    var place = isFollowing ? Int(document.nodes[context].end) : document.firstChild(of: parent)
    var siblings: [Int] = []
    while place < end {
      siblings.append(place)
      place = Int(document.nodes[place].end)
    }
    return isFollowing ? siblings : siblings.reversed()
  }
}
