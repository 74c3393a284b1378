internal import FoundationEssentials
internal import ScenarioPlan

/// The reason why a saved plan cannot be read.
package struct PlanFormatError: Error, Hashable, Sendable {
  /// Lower case, no full stop.
  package var message: String
  /// The exact fix.
  package var help: String
}

extension ExecutionPlan {
  /// The version of the format that this code writes and reads.
  package static let formatVersion = 1

  private struct Header: Decodable {
    var version: Int
  }

  /// The plan as JSON with a final newline: the same text for the same plan every time.
  ///
  /// - Throws: `PlanFormatError` if the plan holds what JSON cannot, such as a number that is not
  /// finite.
  package func jsonText() throws(PlanFormatError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    } catch {
      throw PlanFormatError(
        message: "the plan cannot be written: \(error)", help: "this is a bug in the runner")
    }
  }

  /// Reads a plan that `jsonText()` has written.
  ///
  /// - Throws: `PlanFormatError` if the text is no plan, or one of another version.
  package init(jsonText: String) throws(PlanFormatError) {
    let data = Data(jsonText.utf8)
    do {
      let header = try JSONDecoder().decode(Header.self, from: data)
      guard header.version == Self.formatVersion else {
        throw PlanFormatError(
          message: "the plan has version \(header.version), not \(Self.formatVersion)",
          help: "write it again with \"scenario plan -o FILE\"")
      }
      self = try JSONDecoder().decode(ExecutionPlan.self, from: data)
    } catch let error as PlanFormatError {
      throw error
    } catch {
      throw PlanFormatError(
        message: "the text is not a plan: \(error)",
        help: "write a plan with \"scenario plan -o FILE\"")
    }
  }
}
