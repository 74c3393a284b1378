internal import Foundations
internal import ScenarioEvents
internal import ScenarioPlan
internal import ScenarioSyntax

/// Collects the changes to texts of scenario files that the cases of a run want.
///
/// A text that several cases share, as the rows of a matrix do, changes only if all of them have passed in this
/// run and want it to say the same.
struct TextRewriting: Sendable {
  private struct Request: Hashable {
    var identifier: String
    var edit: LiteralEdit

    var isChange: Bool { !edit.old.utf8.elementsEqual(edit.new.utf8) }
  }

  private var requests: [SourceRange: Set<Request>] = [:]
  private var changing: Set<String> = []

  /// Adds what a case wants texts to say, be it what they say.
  mutating func add(_ edits: [LiteralEdit], of identifier: String) {
    for edit in edits {
      let request = Request(identifier: identifier, edit: edit)
      requests[edit.range, default: []].insert(request)
      if request.isChange { changing.insert(identifier) }
    }
  }

  /// Returns whether a case wants a text to say something else.
  func changes(for identifier: String) -> Bool { changing.contains(identifier) }

  /// Rewrites the files.
  ///
  /// - Parameter casesOf: all cases that a file plans.
  /// - Returns: The files that were rewritten, and for each case that wants a text to change why it stays.
  func perform(
    casesOf: (_ file: String) -> [PlannedCase]
  ) -> (files: [String], failures: [String: [Failure]]) {
    var files: [String] = []
    var failures: [String: [Failure]] = [:]
    let wanted = requests.filter { $0.value.contains(where: \.isChange) }
    for (file, ranges) in Dictionary(grouping: wanted.keys, by: \.file).sorted(by: {
      $0.key < $1.key
    }) {
      let sharing = sharers(of: Set(ranges), among: casesOf(file))
      var edits: [LiteralEdit] = []
      var refusals: [(SourceRange, Failure)] = []
      for range in ranges {
        guard let requests = wanted[range],
          let edit = requests.filter(\.isChange).min(by: { $0.identifier < $1.identifier })?.edit
        else { continue }
        if let failure = Self.disagreement(requests, sharing[range] ?? []) {
          refusals.append((range, failure))
        } else {
          edits.append(edit)
        }
      }
      do throws(FileReadError) {
        let refused = try Self.rewrite(file, edits, &files)
        refusals += refused.compactMap { diagnostic in
          diagnostic.range.map {
            ($0, Self.failure(diagnostic.message, help: diagnostic.help))
          }
        }
      } catch {
        refusals += edits.map {
          ($0.range, Self.failure(error.writeMessage(path: file), help: "make it writable"))
        }
      }
      for (range, failure) in refusals.sorted(by: { $0.0.line < $1.0.line }) {
        for request in wanted[range] ?? [] where request.isChange {
          failures[request.identifier, default: []].append(failure.at(range))
        }
      }
    }
    return (files, failures)
  }

  /// Writes what can be written; what cannot.
  private static func rewrite(
    _ file: String, _ edits: [LiteralEdit], _ files: inout [String]
  ) throws(FileReadError) -> [Diagnostic] {
    guard !edits.isEmpty else { return [] }
    let bytes = try FileTree.read(file)
    let (text, refused) = LiteralRewriting.apply(
      edits, to: String(decoding: bytes, as: UTF8.self), path: file)
    guard !bytes.elementsEqual(text.utf8) else { return refused }
    try FileTree.rewrite(file, with: Array(text.utf8))
    files.append(file)
    return refused
  }

  // MARK: - Who shares a text

  /// The cases that compare something with texts; those that never run have no say.
  private func sharers(
    of ranges: Set<SourceRange>, among cases: [PlannedCase]
  ) -> [SourceRange: [String]] {
    var sharers: [SourceRange: [String]] = [:]
    for planned in cases where planned.skip == nil {
      for range in planned.writtenTexts.intersection(ranges) {
        sharers[range, default: []].append(planned.identifier)
      }
    }
    return sharers
  }

  /// Returns the reason why a text stays because of the cases that share it; `nil` if they agree.
  private static func disagreement(_ requests: Set<Request>, _ sharers: [String]) -> Failure? {
    if Set(requests.map { $0.edit.new.withoutFinalNewline }).count > 1 {
      let lines = requests.sorted { $0.identifier < $1.identifier }.map {
        "\($0.identifier): \(Value.string($0.edit.new).jsonText().prefix(100))"
      }
      return failure(
        "cannot update this expected text: the cases that share it have different output",
        shown(lines))
    }
    let known = Set(requests.map(\.identifier))
    let unknown = sharers.filter { !known.contains($0) }
    guard !unknown.isEmpty else { return nil }
    return failure(
      "cannot update this expected text: other cases share it and have not passed in this run",
      shown(unknown), help: "run them too, or give each its own text with `snapshot: true`")
  }

  private static func shown(_ lines: [String]) -> [String] {
    let limit = 10
    return lines.count > limit
      ? lines.prefix(limit) + ["… \(lines.count - limit) more"] : lines
  }

  private static func failure(
    _ message: String, _ details: [String] = [],
    help: String? = "give each its own text with `snapshot: true`, or change it by hand"
  ) -> Failure {
    Failure(category: .error, type: "Rewrite", message: message, details: details, help: help)
  }
}

extension String {
  /// The text without one newline at its end, as it is compared.
  fileprivate var withoutFinalNewline: [UInt8] {
    utf8.last == UInt8(ascii: "\n") ? Array(utf8.dropLast()) : Array(utf8)
  }
}
