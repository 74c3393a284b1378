// The elements that the dialects share.

extension XMLText {
  /// The properties of a suite.
  mutating func write(_ properties: [(name: String, value: String)], level: Int) {
    newLine(level)
    open("properties")
    for property in properties {
      newLine(level + 1)
      empty("property", [("name", property.name), ("value", property.value)])
    }
    newLine(level)
    close("properties")
  }

  /// The beginning of a case.
  ///
  /// - Parameter more: attributes behind those that all schemas know.
  mutating func open(
    _ testCase: JUnitReport.Case, level: Int, _ more: [(String, String)] = []
  ) {
    newLine(level)
    open(
      "testcase",
      [
        ("name", testCase.name), ("classname", testCase.className),
        ("time", DurationText.seconds(testCase.duration)),
      ] + more)
  }

  /// The end of a case.
  mutating func closeCase(level: Int) {
    newLine(level)
    close("testcase")
  }

  /// A case with all that belongs to it, as the schemas have it that know outputs of cases.
  mutating func write(
    _ testCase: JUnitReport.Case, level: Int, _ more: [(String, String)] = []
  ) {
    open(testCase, level: level, more)
    write(verdictOf: testCase, level: level + 1)
    write(testCase.standardOutput.text, as: "system-out", level: level + 1)
    write(testCase.standardError.text, as: "system-err", level: level + 1)
    closeCase(level: level)
  }

  /// Writes the verdict of a case, and its other attempts: in the order that Surefire's schema
  /// demands, and that no other reader requires.
  mutating func write(
    verdictOf testCase: JUnitReport.Case, level: Int, withAttempts: Bool = true
  ) {
    let attempts = withAttempts ? testCase.otherAttempts : []
    if case .failure(let news) = testCase.verdict { write(news, as: "failure", level: level) }
    for attempt in attempts { write(attempt, hasPassed: testCase.hasPassed, level: level) }
    switch testCase.verdict {
    case .passed, .failure: break
    case .skipped(let message):
      newLine(level)
      empty("skipped", [("message", message)])
    case .error(let news):
      write(news, as: "error", level: level)
    }
  }

  private mutating func write(_ news: JUnitReport.BadNews, as name: String, level: Int) {
    newLine(level)
    element(name, [("message", news.message), ("type", news.type)], text: news.body)
  }

  /// An attempt that did not decide: consumers know these elements, and not those named after errors.
  private mutating func write(
    _ attempt: JUnitReport.Attempt, hasPassed: Bool, level: Int
  ) {
    let name = hasPassed ? "flakyFailure" : "rerunFailure"
    newLine(level)
    open(name, [("message", attempt.news.message), ("type", attempt.news.type)])
    newLine(level + 1)
    element("stackTrace", text: attempt.news.body)
    write(attempt.standardOutput.text, as: "system-out", level: level + 1)
    write(attempt.standardError.text, as: "system-err", level: level + 1)
    newLine(level)
    close(name)
  }

  /// A stream, if there is anything in it.
  mutating func write(_ stream: String, as name: String, level: Int) {
    guard !stream.isEmpty else { return }
    newLine(level)
    element(name, text: stream)
  }
}
