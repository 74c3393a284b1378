internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// Lists of cases that another program has made.
struct CaseListOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Run only the cases listed in this file, one per line; - is standard input.",
      discussion: "A line is FILE::NAME, FILE, or the class name of JUnit reports.",
      valueName: "file|-"))
  var testList: String?

  @Option(help: ArgumentHelp("Skip the cases listed in this file.", valueName: "file|-"))
  var excludeList: String?

  /// True if there are any.
  var areGiven: Bool { testList != nil || excludeList != nil }

  /// Reduces a plan to the cases of the lists.
  ///
  /// - Returns: Whether the list to run names nothing: such a part of a run has nothing to do and
  ///   no fault.
  func apply(to input: inout PlannedInput) throws -> Bool {
    guard areGiven else { return false }
    var keeps = [Bool](repeating: true, count: input.plan.cases.count)
    var isEmpty = false
    if let testList {
      let entries = try Self.read(testList)
      let names = Set(input.plan.cases.flatMap(\.listedNames))
      if let unknown = entries.first(where: { !names.contains($0) }) {
        throw Refusal(
          "the list \"\(testList)\" names \"\(unknown)\", which is not a case of this selection",
          help:
            "\"scenario list --format json\" prints all cases; write each line as FILE::NAME or FILE"
        ).reported(.badArguments)
      }
      isEmpty = entries.isEmpty
      let wanted = Set(entries)
      keeps = input.plan.cases.map { !wanted.isDisjoint(with: $0.listedNames) }
    }
    if let excludeList {
      let unwanted = Set(try Self.read(excludeList))
      for (place, planned) in input.plan.cases.enumerated()
      where !unwanted.isDisjoint(with: planned.listedNames) { keeps[place] = false }
    }
    input.keep { keeps[$0] }
    return isEmpty
  }

  /// The lines of a list without those that are empty or begin with `#`.
  private static func read(_ path: String) throws -> [String] {
    let bytes: [UInt8]
    do throws(FileReadError) {
      bytes = path == "-" ? try readStandardInput() : try FileTree.read(path)
    } catch {
      throw Refusal(
        error.message(path: path), help: "name a file with one case per line"
      ).reported(.unreadableFile)
    }
    return bytes.split { $0 == 10 || $0 == 13 }.map { line in
      entry(String(decoding: line, as: UTF8.self))
    }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
  }

  private static func entry(_ line: String) -> String {
    var line = line[...]
    while line.first?.isWhitespace ?? false { line = line.dropFirst() }
    while line.last?.isWhitespace ?? false { line = line.dropLast() }
    // Jenkins' parallel-test-executor takes class names for those of Java.
    for ending in [".java", ".class"] where line.hasSuffix(ending) {
      return line.dropLast(ending.count).split(separator: "/").joined(separator: ".")
    }
    return line.hasPrefix("./") ? String(line.dropFirst(2)) : String(line)
  }

  private static func readStandardInput() throws(FileReadError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system(errorNumber: errno) }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= FileTree.readLimit else { throw .tooLarge(limit: FileTree.readLimit) }
    }
  }
}

extension PlannedCase {
  /// The names that a list may give the case.
  fileprivate var listedNames: [String] {
    let className = ReportName.className(file: file)
    return [identifier, file, className, "\(className)::\(name)"]
  }
}
