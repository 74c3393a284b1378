extension PlannedCase {
  /// The executables under test, in the order of their numbers.
  package var targets: [PlannedTarget] { [target] + (moreTargets ?? []) }

  /// Returns the name of a target in reports: its own, or "target" for the one that has none.
  package func name(ofTarget index: Int) -> String {
    guard index > 0, let moreTargets, moreTargets.indices.contains(index - 1) else {
      return target.name ?? "target"
    }
    return moreTargets[index - 1].name ?? "target"
  }

  /// A target in a sentence: `the target`, or `"worker"` where there are several.
  package func mention(ofTarget index: Int) -> String {
    moreTargets == nil ? "the target" : "\"\(name(ofTarget: index))\""
  }
}

extension PlannedStep.Action {
  /// True if it does something with one target.
  package var isAboutTarget: Bool {
    switch self {
    case .run, .start, .stop, .signal, .send, .closeStandardInput, .waitForExit, .waitForOutput,
      .waitForErrorOutput, .waitForScreen, .capture, .closeOutput, .signalProcess, .press, .resize:
      true
    default: false
    }
  }
}

extension PlannedExpectation {
  /// True if it is about the end or the output of one target.
  package var isAboutTarget: Bool {
    switch subject {
    case .exit, .signal, .standardOutput, .standardError, .tolerated, .screen, .watchdog: true
    default: false
    }
  }
}
