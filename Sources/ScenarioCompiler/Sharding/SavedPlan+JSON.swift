internal import FoundationEssentials
internal import Foundations
internal import ScenarioPlan

extension SavedPlan {
  private struct Header: Decodable {
    var version: Int
    var runner: String?
  }

  /// The part of a plan that its name is made of.
  private struct Named: Encodable {
    var version: Int
    var inputs: [PlanInput]
  }

  /// Passes on the text whose digest is the plan's name: the cases, their order, and the files they
  /// were made from.
  ///
  /// The assignment to shards and the plan's author are left out: the shards of a run and the run
  /// of all have one name. It comes in pieces, since the text of many cases is much longer than
  /// they are.
  package func digestedText(_ take: (String) -> Void) throws(PlanFormatError) {
    let form: JSONEncoder.OutputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let read = inputs.filter { !$0.isSelection }
    take(try Self.text(of: Named(version: version, inputs: read), form) + "\n")
    for planned in cases { take(try Self.text(of: planned, form) + "\n") }
  }

  /// The plan as JSON with a final newline: the same text for the same plan every time.
  ///
  /// - Throws: `PlanFormatError` if the plan holds what JSON cannot, such as a number that is not finite.
  package func jsonText() throws(PlanFormatError) -> String {
    try Self.text(of: self) + "\n"
  }

  private static func text(
    of value: some Encodable,
    _ form: JSONEncoder.OutputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
  ) throws(PlanFormatError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = form
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch {
      throw PlanFormatError(
        message: "the plan cannot be written: \(error)", help: "this is a bug in the runner")
    }
  }

  /// Reads a plan that `jsonText()` has written; what its digest is, the caller has to compare.
  ///
  /// - Parameters:
  ///   - bytes: the text.
  ///   - runner: the version of the runner that reads.
  /// - Throws: `PlanFormatError` if the text is no plan, one of another version, or one that contradicts
  ///   itself.
  package init(json bytes: [UInt8], runner: String) throws(PlanFormatError) {
    let data = Data(bytes)
    let header: Header
    do {
      header = try JSONDecoder().decode(Header.self, from: data)
    } catch {
      throw Self.damaged(error)
    }
    guard header.version == Self.formatVersion else {
      let writer = header.runner.map { " by scenario \(Self.word($0))" } ?? ""
      throw PlanFormatError(
        message: "it was written\(writer) in version \(header.version) of the format, and scenario"
          + " \(runner) reads version \(Self.formatVersion)", help: Self.advice)
    }
    do {
      self = try JSONDecoder().decode(SavedPlan.self, from: data)
    } catch {
      throw Self.damaged(error)
    }
    if let problem {
      throw PlanFormatError(message: "it is inconsistent: \(problem)", help: Self.advice)
    }
  }

  private static let advice = "write it again with \"scenario plan … -o FILE\""

  /// Returns the error for a plan that cannot be decoded: decoders' messages are long and name
  /// their types; the place and the reason are kept.
  private static func damaged(_ error: any Error) -> PlanFormatError {
    var reason = "it is not JSON, or is truncated"
    if let error = error as? DecodingError {
      switch error {
      case .keyNotFound(let key, let context):
        reason = "\"\(word(key.stringValue))\" is missing in \(place(context))"
      case .typeMismatch(_, let context), .valueNotFound(_, let context):
        reason = "unexpected value at \(place(context))"
      case .dataCorrupted(let context) where !context.codingPath.isEmpty:
        reason = "unexpected value at \(place(context))"
      default: break
      }
    }
    return PlanFormatError(message: "it is damaged: \(reason)", help: advice)
  }

  private static func place(_ context: DecodingError.Context) -> String {
    let keys = context.codingPath.prefix(12).map { key in
      key.intValue.map { "[\($0)]" } ?? word(key.stringValue)
    }
    return keys.isEmpty ? "the document" : "\"\(keys.joined(separator: "."))\""
  }

  /// Returns a text of the file, short enough for a message and without control characters.
  private static func word(_ text: String) -> String {
    String(
      text.unicodeScalars.prefix(40).map { $0.value < 32 || $0.value == 127 ? "?" : Character($0) })
  }

  /// The contradiction in the plan; `nil` if there is none.
  private var problem: String? {
    var identifiers: Set<String> = []
    for planned in cases {
      guard identifiers.insert(planned.identifier).inserted else {
        return "the case \"\(Self.word(planned.identifier))\" occurs in it twice"
      }
      guard planned.timeout.count >= 0, planned.range.line > 0, !planned.target.command.isEmpty
      else { return "the case \"\(Self.word(planned.identifier))\" cannot be run" }
    }
    guard let shards else { return nil }
    guard shards.count > 0, shards.count <= Shard.limit, shards.shards.count == cases.count,
      shards.shards.allSatisfy({ (1...shards.count).contains($0) })
    else { return "its shards do not match its cases" }
    return nil
  }
}
