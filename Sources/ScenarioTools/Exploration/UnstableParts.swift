/// The differences between two runs without faults, which therefore say nothing about faults.
package struct UnstableParts: Sendable, Hashable, Codable {
  /// Lines of standard output, from 0; `nil` is all of it.
  package var outputLines: Set<Int>? = []
  /// The same of standard error.
  package var errorLines: Set<Int>? = []
  /// A file that is there in both runs, and says something else.
  package struct VaryingFile: Sendable, Hashable, Codable {
    /// The lines that differ, from 0; `nil` is the whole content.
    package var lines: Set<Int>?
    /// True if its permissions differ.
    package var hasVaryingMode: Bool
  }

  /// Files that are there only once, or of another kind.
  package var files: Set<String> = []
  /// Files that are there in both runs, and differ.
  package var varyingFiles: [String: VaryingFile] = [:]
  /// The names of files of which each run gives others.
  package var names: [VaryingName] = []
  /// True if the requests differ.
  package var requests = false

  /// Creates parts without differences.
  package init() {}

  /// Compares two runs.
  package init(between first: RunObservation, and second: RunObservation) {
    outputLines = Self.lines(first.output, second.output)
    errorLines = Self.lines(first.errorOutput, second.errorOutput)
    for path in Set(first.files.keys).union(second.files.keys)
    where first.files[path] != second.files[path] {
      guard let one = first.files[path], let other = second.files[path], one.kind == other.kind
      else {
        files.insert(path)
        continue
      }
      varyingFiles[path] = VaryingFile(one, other)
    }
    names = Self.names(first.files, second.files)
    requests = first.requests != second.requests
  }

  /// Adds what differs between other runs; of two that have the same first run, or the same case.
  ///
  /// - Parameter ofWholes: whether a file or stream that differs in another line is not compared at all any more, as
  ///   one does of which each run may change another line.
  /// - Returns: True if that is more than was known.
  @discardableResult
  package mutating func formUnion(_ other: UnstableParts, ofWholes: Bool = false) -> Bool {
    let before = self
    outputLines = Self.union(outputLines, other.outputLines)
    errorLines = Self.union(errorLines, other.errorLines)
    files.formUnion(other.files)
    varyingFiles.merge(other.varyingFiles) { one, other in
      VaryingFile(
        lines: Self.union(one.lines, other.lines),
        hasVaryingMode: one.hasVaryingMode || other.hasVaryingMode)
    }
    for path in files { varyingFiles[path] = nil }
    names += other.names.filter { !names.contains($0) }
    requests = requests || other.requests
    if ofWholes { widen(since: before) }
    return self != before
  }

  private mutating func widen(since before: UnstableParts) {
    if outputLines != before.outputLines { outputLines = nil }
    if errorLines != before.errorLines { errorLines = nil }
    for (path, varying) in varyingFiles {
      let known = before.varyingFiles[path].map(\.lines) ?? []
      if varying.lines != known { varyingFiles[path]?.lines = nil }
    }
  }

  /// All lines where one of both is all lines.
  private static func union(_ first: Set<Int>?, _ second: Set<Int>?) -> Set<Int>? {
    guard let first, let second else { return nil }
    return first.union(second)
  }

  private static func names(
    _ first: [String: RunObservation.File], _ second: [String: RunObservation.File]
  ) -> [VaryingName] {
    var others = second.keys.filter { first[$0] == nil }.sorted()
    var names: [VaryingName] = []
    for path in first.keys.filter({ second[$0] == nil }).sorted() {
      let pair = others.lazy.enumerated().compactMap { index, other in
        VaryingName(path, other).map { (index, $0) }
      }.first
      guard let (index, name) = pair else { continue }
      others.remove(at: index)
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  private static func lines(_ first: ObservedStream, _ second: ObservedStream) -> Set<Int>? {
    guard first.digest != second.digest else { return [] }
    let (one, other) = (first.lines, second.lines)
    guard one.count == other.count, first.size <= ObservedStream.limit else { return nil }
    return Set(one.indices.filter { one[$0] != other[$0] })
  }

  /// The differences, a few words each; empty where two runs are the same.
  package var summary: [String] {
    func text(_ lines: Set<Int>?, of name: String) -> [String] {
      guard let lines else { return [name] }
      guard let first = lines.min() else { return [] }
      return ["\(name) (line \(first + 1)\(lines.count > 1 ? " and \(lines.count - 1) more" : ""))"]
    }
    return text(outputLines, of: "stdout") + text(errorLines, of: "stderr")
      + files.sorted().map { "the file \($0)" }
      + varyingFiles.sorted { $0.key < $1.key }.flatMap { path, varying in
        text(
          varying.lines, of: varying.lines == nil ? "the content of \(path)" : "the file \(path)")
          + (varying.hasVaryingMode ? ["the permissions of \(path)"] : [])
      } + (requests ? ["the requests"] : [])
  }

  /// Returns whether two streams agree in all that is stable.
  static func agree(
    _ first: ObservedStream, _ second: ObservedStream, but unstable: Set<Int>?
  ) -> Bool {
    guard first.digest != second.digest || first.size != second.size else { return true }
    guard let unstable else { return true }
    guard !unstable.isEmpty else { return false }
    let (one, other) = (first.lines, second.lines)
    return one.count == other.count
      && one.indices.allSatisfy { unstable.contains($0) || one[$0] == other[$0] }
  }
}

extension UnstableParts.VaryingFile {
  /// Compares a file of one kind in two runs.
  init(_ first: RunObservation.File, _ second: RunObservation.File) {
    hasVaryingMode = first.mode != second.mode
    guard !first.hasContent(of: second) else {
      lines = []
      return
    }
    guard let (one, other) = Self.lines(first, second), one.count == other.count else { return }
    lines = Set(one.indices.filter { one[$0] != other[$0] })
  }

  /// Returns whether two runs have left the same content, as far as it is stable.
  func agree(_ first: RunObservation.File, _ second: RunObservation.File) -> Bool {
    guard let unstable = lines, !first.hasContent(of: second) else { return true }
    guard !unstable.isEmpty, let (one, other) = Self.lines(first, second) else { return false }
    return one.count == other.count
      && one.indices.allSatisfy { unstable.contains($0) || one[$0] == other[$0] }
  }

  /// The lines of two texts; `nil` where one is none, or too long to be kept.
  private static func lines(
    _ first: RunObservation.File, _ second: RunObservation.File
  ) -> (first: [Substring], second: [Substring])? {
    guard let first = first.text, let second = second.text else { return nil }
    return (first.allLines, second.allLines)
  }
}

extension RunObservation.File {
  /// Returns whether the content is that of another.
  func hasContent(of other: RunObservation.File) -> Bool {
    size == other.size && digest == other.digest
  }
}

extension String {
  /// The lines; behind a last line break there is an empty one.
  var allLines: [Substring] { split(separator: "\n", omittingEmptySubsequences: false) }
}
