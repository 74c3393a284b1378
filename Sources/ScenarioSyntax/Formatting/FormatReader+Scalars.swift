internal import Foundations

extension FormatReader {
  /// The lines as written, one at least.
  func rawLines(_ range: Range<Int>, style: YAMLScalar.Style) -> [String] {
    let lines = source.scalars[range].split(
      omittingEmptySubsequences: false, whereSeparator: FormatSource.isBreak)
    guard style != .literal, style != .folded, lines.count > 1 else { return lines.map(Self.text) }
    func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
    return lines.enumerated().map { index, line in
      var line = index == 0 ? line : line.drop(while: isSpace)
      // A blank in front of a line's end may be an escaped one.
      while let last = line.last, isSpace(last), line.dropLast().last != "\\" { line.removeLast() }
      return Self.text(line)
    }
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  /// Reads the lines of a block without their indentation.
  mutating func readBlock(_ scalar: inout FormatScalar, _ step: Step, column: Int) {
    let indicators = scalar.lines[0].unicodeScalars.dropFirst().prefix {
      "+-0123456789".unicodeScalars.contains($0)
    }
    scalar.chomping = indicators.contains("+") ? "+" : indicators.contains("-") ? "-" : ""
    var lines = Array(scalar.lines.dropFirst())
    if lines.last?.isEmpty == true { lines.removeLast() }
    let told = indicators.compactMap { Int(String($0)) }.first
    let first = lines.first { $0.unicodeScalars.contains { $0 != " " } }
    let indentation =
      told.map { column + $0 } ?? first?.unicodeScalars.prefix { $0 == " " }.count ?? 0
    lines = lines.map { line in
      let scalars = line.unicodeScalars
      guard scalars.count > indentation else { return "" }
      return String(String.UnicodeScalarView(scalars.dropFirst(indentation)))
    }
    if scalar.chomping == "+" {
      keptLines.formUnion(source.line(at: step.content)..<source.line(at: step.end))
    } else {
      while lines.last?.isEmpty == true { lines.removeLast() }
    }
    // The last line of a file may lack its end.
    if !scalar.text.hasSuffix("\n") { scalar.chomping = "-" }
    scalar.lines = lines
  }
}
