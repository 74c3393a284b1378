internal import Glibc

extension LaunchedTarget {
  /// The streams of a branch: the same pipes.
  convenience init(branch: ThreadIdentifier, of trunk: LaunchedTarget) {
    func copy(_ stream: CapturedStream) -> Int32 {
      stream.descriptor < 0 ? -1 : fcntl(stream.descriptor, F_DUPFD_CLOEXEC, 0)
    }
    self.init(
      process: branch, input: -1, pendingInput: [], closesInput: true,
      output: copy(trunk.output), errorOutput: copy(trunk.errorOutput),
      outputFolder: trunk.output.folder)
  }
}
