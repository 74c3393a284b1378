import Foundations
import ScenarioCompiler
import ScenarioModel
import ScenarioSyntax
import Testing

/// What `scenario explain` shows is true.
@Suite("Examples of codes")
struct ExplanationTests {
  private static let files = DiagnosticCode.allCases.filter {
    $0.explanation.wrong?.fileText != nil
  }

  private func check(_ example: DiagnosticExplanation.Example?) throws -> [Diagnostic] {
    let text = try #require(example?.fileText)
    let (file, diagnostics) = ScenarioFile.parse(text: text, path: "example.yaml")
    guard let file else { return diagnostics }
    var options = PlannerOptions(fileExists: { _ in false })
    options.reportsUnused = true
    return diagnostics + Planner.plan(files: [file], options: options).diagnostics
  }

  @Test("The wrong example has the mistake", arguments: files)
  func wrong(code: DiagnosticCode) throws {
    let codes = try check(code.explanation.wrong).map(\.code)

    #expect(codes.contains(code), "\(codes)")
    // One mistake at a time; a brace as a key is also no name, and only by a rule of version 1, which is told in any
    // case, is a setting lost.
    let besides: [DiagnosticCode: Set<DiagnosticCode>] = [.lostSetting: [.formerName]]
    let others = Set(codes).subtracting([code]).subtracting(besides[code] ?? [])
    #expect(others.isEmpty || code == .badKey, "\(codes)")
  }

  /// Those whose right example is a file, and not a command.
  private static let rightFiles = files.filter { $0.explanation.right?.fileText != nil }

  @Test("The right example is without mistakes", arguments: rightFiles)
  func right(code: DiagnosticCode) throws {
    let found = try check(code.explanation.right)

    #expect(found.isEmpty, "\(found.map(\.message))")
  }

  @Test("Most codes have a file to show")
  func count() {
    #expect(Self.files.count > 80)
    #expect(Self.rightFiles.count > 80)
  }
}

extension DiagnosticExplanation.Example {
  /// A whole scenario file: the version and a target are put in front of a part without them.
  var fileText: String? {
    guard case .file(let part) = self else { return nil }
    var head = part.hasPrefix("version:") ? "" : "version: 2\n"
    if !part.contains("target:") { head += "target: { command: [date] }\n" }
    return head + part + "\n"
  }
}
