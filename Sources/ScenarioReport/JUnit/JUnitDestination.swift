/// The destination of a JUnit report.
package enum JUnitDestination {
  /// One document with all suites.
  case sink(any ReportSink)
  /// A file for each suite, `TEST-CLASS.xml`.
  case folder(ReportFolder)

  /// Writes a report.
  ///
  /// - Throws: If it could not be written; of several files, the others are.
  func write(_ report: JUnitReport, _ form: any JUnitForm) throws(ReportError) {
    switch self {
    case .sink(let sink):
      try form.write(report) { bytes throws(ReportError) in
        try sink.write(String(decoding: bytes, as: UTF8.self))
      }
      try sink.finish()
    case .folder(let folder):
      var names = JUnitFileNames()
      var failure: ReportError?
      for suite in report.suites {
        var part = JUnitReport()
        part.suites = [suite]
        part.duration = suite.duration
        let name = names.name(for: suite.className)
        do {
          let sink = try FileSink(path: folder.path(of: name))
          try JUnitDestination.sink(sink).write(part, form)
        } catch {
          failure = failure ?? error
        }
      }
      if let failure { throw failure }
    }
  }
}

/// The names of files in a folder of reports.
struct JUnitFileNames {
  /// The largest length of a stem in bytes: it leaves room for what makes a name unique, and for
  /// `.part`, within the 255 bytes of NAME_MAX.
  private static let maximumStem = 200
  private var taken: Set<String> = []

  /// Returns a name that no other suite has, also where a file system does not distinguish capitals
  /// from small letters.
  mutating func name(for className: String) -> String {
    var stem = ""
    for character in ReportText.cleaned(className) {
      guard stem.utf8.count + character.utf8.count <= Self.maximumStem else { break }
      let isPlain = character.isLetter || character.isNumber || ".-_".contains(character)
      stem.append(isPlain ? character : "_")
    }
    var candidate = "TEST-\(stem).xml"
    var number = 1
    while !taken.insert(candidate.lowercased()).inserted {
      number += 1
      candidate = "TEST-\(stem)-\(number).xml"
    }
    return candidate
  }
}
