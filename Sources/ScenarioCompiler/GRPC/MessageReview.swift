internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ProtocolBuffers
internal import ScenarioModel
internal import ScenarioPlan

/// Compares data and conditions with the message that they are about, with the places of what is wrong, and gives them
/// the form in which messages are read.
struct MessageReview {
  private(set) var diagnostics: [Diagnostic] = []

  private mutating func report(_ problem: MessageProblem, at range: SourceRange) {
    diagnostics.append(
      Diagnostic(problem.message, code: .badMessage, at: range, help: problem.help))
  }

  // MARK: - Data

  /// - Parameters:
  ///   - node: what the author wrote; `nil` below what a factory made.
  ///   - isWhole: whether the data is all of what is there, so that what it does not name has its default.
  mutating func review(
    _ data: PlannedData, _ node: DataNode?, _ range: SourceRange, at place: MessagePlace,
    isWhole: Bool
  ) -> PlannedData {
    // Each key on its own, so that every mistake is found.
    if place.hasFields, let members = data.members {
      let count = diagnostics.count
      let reviewed = review(members, node, range, at: place, isWhole: isWhole)
      guard let value = data.literal, diagnostics.count == count else { return reviewed }
      return normalize(value, node, range, at: place, isWhole: isWhole)
    }
    switch data {
    case .value(let value): return normalize(value, node, range, at: place, isWhole: isWhole)
    case .text: return data
    case .list(let elements):
      let nodes = node?.elements
      return .list(
        elements.enumerated().map { index, element in
          let below = nodes.flatMap { index < $0.count ? $0[index] : nil }
          return review(
            element, below, below?.range ?? range, at: place.element, isWhole: isWhole)
        })
    case .map(let members): return review(members, node, range, at: place, isWhole: isWhole)
    }
  }

  private mutating func review(
    _ members: OrderedDictionary<String, PlannedData>, _ node: DataNode?, _ range: SourceRange,
    at place: MessagePlace, isWhole: Bool
  ) -> PlannedData {
    var result: OrderedDictionary<String, PlannedData> = [:]
    for (key, member) in members {
      let field = node?.field(key)
      do throws(MessageProblem) {
        let (name, below) = try place.below(key)
        if member == .value(.null), place.hasFields { continue }
        result[name] = review(
          member, field?.value, field?.value.range ?? range, at: below, isWhole: isWhole)
      } catch {
        report(error, at: field?.key.range ?? range)
      }
    }
    do throws(MessageProblem) {
      try place.check(members.filter { $0.value != .value(.null) }.map(\.key))
    } catch {
      report(error, at: node?.range(of: error.path, isKey: error.isKey) ?? range)
    }
    guard isWhole else { return .map(result) }
    for (key, value) in place.defaults where result[key] == nil { result[key] = .value(value) }
    return .map(result)
  }

  private mutating func normalize(
    _ value: Value, _ node: DataNode?, _ range: SourceRange, at place: MessagePlace, isWhole: Bool
  ) -> PlannedData {
    do throws(MessageProblem) {
      return .value(try place.normalized(value, isWhole: isWhole))
    } catch {
      report(error, at: node?.range(of: error.path, isKey: error.isKey) ?? range)
      return .value(value)
    }
  }

  /// Checks a whole message that needs nothing from the run.
  mutating func check(
    _ value: Value, _ node: DataNode, as message: MessageReference, _ codec: MessageCodec
  ) {
    do throws(MessageProblem) {
      _ = try codec.encode(value, as: message)
    } catch {
      report(error, at: node.range(of: error.path, isKey: error.isKey))
    }
  }

  // MARK: - Conditions

  /// Reviews a condition in place.
  mutating func review(
    _ planned: PlannedMatcher, _ written: Matcher, at place: MessagePlace
  ) -> PlannedMatcher {
    var result = planned
    result.condition = review(planned.condition, written.condition, planned.range, at: place)
    return result
  }

  private mutating func review(
    _ planned: PlannedMatcher.Condition, _ written: Matcher.Condition, _ range: SourceRange,
    at place: MessagePlace
  ) -> PlannedMatcher.Condition {
    switch (planned, written) {
    case (.equals(let data), .equals(let node)):
      return .equals(review(data, node, node.range, at: place, isWhole: true))
    case (.json(let data), .json(.document(let node))):
      return .json(review(data, node, node.range, at: place, isWhole: true))
    case (.jsonSubset(let data), .json(.subset(let node))):
      return .jsonSubset(review(data, node, node.range, at: place, isWhole: false))
    case (.contains(let data), .contains(let node)):
      // A part of a text, or an element of a list, is none of the field itself.
      guard data.members != nil || data.elements != nil else { return planned }
      // A map is an element of a list.
      let place = data.members != nil && place.isList ? place.element : place
      return .contains(review(data, node, node.range, at: place, isWhole: false))
    case (.oneOf(let choices), .oneOf(let nodes)):
      return .oneOf(
        zip(choices, nodes).map { review($0, $1, $1.range, at: place, isWhole: true) })
    case (.not(let inner), .not(let written)): return .not(review(inner, written, at: place))
    case (.each(let inner), .each(let written)):
      return .each(review(inner, written, at: place.element))
    case (.any(let inner), .any(let written)):
      return .any(review(inner, written, at: place.element))
    case (.allOf(let parts), .allOf(let written)):
      return .allOf(zip(parts, written).map { review($0, $1, at: place) })
    case (.anyOf(let parts), .anyOf(let written)):
      return .anyOf(zip(parts, written).map { review($0, $1, at: place) })
    case (.jsonPaths(let paths), .json(.paths(let written))):
      return .jsonPaths(zip(paths, written).map { review($0, $1, at: place) })
    default: return planned
    }
  }

  private mutating func review(
    _ planned: PlannedFieldMatcher, _ written: FieldMatcher, at place: MessagePlace
  ) -> PlannedFieldMatcher {
    guard let query = try? JSONPathQuery(planned.name) else { return planned }
    var place = place
    var result = planned
    do throws(MessageProblem) {
      guard let steps = query.steps else {
        for segment in query.segments {
          guard !segment.isDescendant, segment.selectors.count == 1 else { return planned }
          if case .key(let key) = segment.selectors[0] {
            let (name, below) = try place.below(key)
            guard name == key else {
              diagnostics.append(
                Diagnostic(
                  "a path with wildcards needs the name that JSON has for \"\(key)\"",
                  code: .badMessage, at: written.name.range, help: "write \"\(name)\""))
              return planned
            }
            place = below
          } else {
            place = place.element
          }
        }
        result.matcher = review(planned.matcher, written.matcher, at: place)
        return result
      }
      var text = "$"
      for step in steps {
        switch step {
        case .key(let key):
          let (name, below) = try place.below(key)
          text += PathStep.key(name).text
          place = below
        case .index:
          text += step.text
          place = place.element
        }
      }
      result.name = text
      result.matcher = review(planned.matcher, written.matcher, at: place)
    } catch {
      report(error, at: written.name.range)
    }
    return result
  }
}

extension DataNode {
  /// The place of what a path leads to, or of the last that is there.
  ///
  /// - Parameter isKey: whether the last key is meant, and not what stands behind it.
  fileprivate func range(of path: [PathStep], isKey: Bool) -> SourceRange {
    var node = self
    for (index, step) in path.enumerated() {
      switch step {
      case .key(let key):
        guard let field = node.field(key) else { return node.range }
        if isKey, index == path.count - 1 { return field.key.range }
        node = field.value
      case .index(let index):
        guard let elements = node.elements, elements.indices.contains(index) else {
          return node.range
        }
        node = elements[index]
      }
    }
    return node.range
  }
}
