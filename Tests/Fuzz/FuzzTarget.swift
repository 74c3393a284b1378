import Foundations
import ScenarioCompiler
import ScenarioModel
import ScenarioSyntax

/// One input of libFuzzer: a file that is read, planned, told of and mended, as `check --fix` would do it.
///
/// What must hold for every input whatever it is: nothing traps, nothing hangs, every message can be shown,
/// and mended text is text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if bytes.first == UInt8(ascii: "[") || bytes.first == UInt8(ascii: "{") {
    _ = ImportedResponses.parse(bytes: bytes, path: "fuzz.json")
  }
  let (file, read) = ScenarioFile.parsePart(bytes: bytes, path: "fuzz.yaml")
  var found = read
  if let file {
    var options = PlannerOptions(fileExists: { _ in true })
    options.reportsUnused = true
    found += Planner.plan(files: [file], options: options).diagnostics
  }
  let text = String(decoding: bytes, as: UTF8.self)
  let source = SourceText(path: "fuzz.yaml", text: text)
  let list = DiagnosticList(found) { _ in source }
  let shown = DiagnosticRenderer { _ in text }.render(list.shown)
  let isTold = list.shown.isEmpty == shown.isEmpty
  let isSafe = shown.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" || $0 == "\t" }
  guard isTold, isSafe else { fatalError("a message cannot be shown") }
  let mended = FixedText(bytes, path: "fuzz.yaml", fixes: list.certainFixes)
  if mended.count > 0, String(validating: mended.bytes, as: UTF8.self) == nil {
    fatalError("mended text is none")
  }
  return 0
}
