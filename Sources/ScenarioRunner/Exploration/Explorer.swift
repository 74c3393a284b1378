internal import Foundations
internal import Glibc
package import ScenarioEvents
package import ScenarioPlan

/// The settings of explorations.
package struct ExplorerOptions: Sendable {
  /// The number of runs that are made at once.
  package var jobs = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  /// True if what an earlier run has won is left aside.
  package var isFresh = false
  /// True if faults are tried in forks of one run where that is possible.
  package var forks = true
  /// The command that resumes the exploration.
  package var continuation = ""

  /// Receives the progress of an exploration, on any thread; `nil` where no listener is registered.
  package var progress: (@Sendable (ExplorationProgress) -> Void)?

  /// Creates options.
  package init() {}
}

/// The progress of the exploration of one case.
package struct ExplorationProgress: Sendable, Hashable {
  /// The case.
  package var name: String
  /// The number of trials that were made.
  package var tried: Int
  /// The number of trials.
  package var trials: Int
  /// The number of trials that have shown a mistake.
  package var findings: Int
}

/// Explores the cases of a plan: finds the points at which faults could fire, tries each fault in a
/// run of its own, and reports all events.
///
/// Lives on one thread, which calls `emit`; `RunnerProcess.prepare` comes before it.
package struct Explorer {
  private let plan: ExecutionPlan
  private let options: RunOptions
  private let settings: ExplorerOptions
  private let cancellation: RunCancellation
  private let emit: (Event) -> Void

  /// Prepares an exploration.
  ///
  /// - Parameters:
  ///   - plan: the cases; those without an exploration are left out.
  ///   - options: the settings of runs.
  ///   - settings: the settings of explorations.
  ///   - cancellation: stops it from another thread; its results so far are reported and kept.
  ///   - emit: receives all events, in order, on this thread.
  package init(
    plan: ExecutionPlan, options: RunOptions, settings: ExplorerOptions,
    cancellation: RunCancellation, emit: @escaping (Event) -> Void
  ) {
    self.plan = plan
    self.options = options
    self.settings = settings
    self.cancellation = cancellation
    self.emit = emit
  }

  /// Explores everything, and removes the files that it wrote, except for the findings.
  package func run() {
    // With the folders of those who run at once, paths are as long as those of `run`: by their lengths a
    // program's stack moves, from which mkstemp(3) of glibc takes its names.
    var frame = RunFrame(plan: plan, options: options, cancellation: cancellation, emit: emit)
    frame.folderPrefix = AbandonedFolders.prefixes[1]
    frame.run {
      folder, start in
      let stems = FindingFileNames(plan.cases)
      for plannedCase in plan.cases where !cancellation.isCancelled {
        if let reason = plannedCase.skip {
          CaseLog(scenario: plannedCase.identifier, runStart: start, emit: emit)
            .reportSkipped(plannedCase, index: 0, because: reason)
          continue
        }
        guard let exploration = plannedCase.exploration else { continue }
        CaseExplorer(
          plannedCase: plannedCase, exploration: exploration, folder: folder.path,
          stem: stems.stem(of: plannedCase, exploration), options: options, settings: settings,
          cancellation: cancellation, runStart: start, emit: emit
        ).run()
      }
    }
  }

  /// Returns the reason why findings could not be written; `nil` if they could.
  ///
  /// Makes no file.
  package static func folderFailure(of plan: ExecutionPlan) -> Failure? {
    for folder in Set(plan.cases.compactMap(\.exploration?.folder)).sorted() {
      guard let number = errorOfWriting(to: folder) else { continue }
      var failure = Failure.system("cannot write to \"\(folder)\"", errorNumber: number)
      failure.type = "explore.save"
      failure.help = "name a writable folder with \"--save\""
      return failure
    }
    return nil
  }

  /// The errno of making a file in a folder, or in the first folder above it that is there.
  private static func errorOfWriting(to folder: String) -> Int32? {
    var path = folder
    while access(path, F_OK) != 0 {
      guard errno == ENOENT, path != ".", path != "/" else { return errno }
      path = path.parentFolder
    }
    guard FileTree.isFolder(path) else { return ENOTDIR }
    // Where root is asked, access(2) allows what a file system then refuses: that of processes.
    guard access(path, W_OK | X_OK) == 0 else { return errno }
    let probe = open(path, temporaryFile | O_WRONLY | O_CLOEXEC, 0o600)
    guard probe < 0 else {
      close(probe)
      return nil
    }
    // open(2): not every file system makes files without a name.
    guard errno == EOPNOTSUPP else { return errno }
    let name = "\(path)/.scenario-\(getpid())"
    let file = open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return errno }
    close(file)
    unlink(name)
    return nil
  }

  /// O_TMPFILE of `asm-generic/fcntl.h`: 020000000 with O_DIRECTORY.
  private static let temporaryFile: Int32 = 0o20_000_000 | O_DIRECTORY
}
