internal import Glibc

/// The files that differ from a commit, according to git.
package struct ChangedFiles: Sendable, Hashable {
  /// The reason why git does not list them.
  package struct Problem: Error, Sendable, Hashable {
    /// Lower case, no full stop.
    package var message: String
    /// The exact fix.
    package var help: String
  }

  /// Absolute paths: changed, added, removed and not yet known to git; ignored files are none of them.
  package let paths: Set<String>

  /// Asks git.
  ///
  /// Compared is what lies in the folders now with the last commit that HEAD and the reference have in common,
  /// so that what others have changed since does not count.
  ///
  /// - Parameters:
  ///   - reference: A commit, branch or tag.
  ///   - folder: A folder of the repository.
  package init(since reference: String, in folder: String) throws(Problem) {
    let git = Repository(folder: folder)
    guard let top = try git.line(["rev-parse", "--show-toplevel"]) else {
      throw Problem(
        message: "--changed needs a git repository, but \"\(folder)\" is not in one",
        help: "name files instead, or \"git init\"")
    }
    guard
      let commit = try git.line(
        ["rev-parse", "--verify", "--quiet", "--end-of-options", "\(reference)^{commit}"])
    else {
      let isFirst = reference == "HEAD"
      throw Problem(
        message: isFirst
          ? "the repository has no commit yet"
          : "\"\(reference)\" is not a commit of the repository",
        help: isFirst
          ? "commit something, or run without --changed"
          : "name a branch, a tag or a commit; in a shallow clone, fetch it first")
    }
    let base = try git.line(["merge-base", commit, "HEAD"]) ?? commit
    let whole = Repository(folder: top)
    let differing = try whole.list(
      ["diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", base, "--"])
    let unknown = try whole.list(["ls-files", "--others", "--exclude-standard", "-z"])
    paths = Set((differing + unknown).map { top == "/" ? "/\($0)" : "\(top)/\($0)" })
  }

  /// One repository, queried without a shell, without hooks, and without taking its locks.
  private struct Repository {
    var folder: String

    private func ask(_ arguments: [String]) throws(Problem) -> Subprocess.Outcome {
      let command = ["git", "-C", folder, "-c", "core.fsmonitor=false"] + arguments
      do throws(FileReadError) {
        return try Subprocess.run(
          command, variables: ["GIT_OPTIONAL_LOCKS=0", "LC_ALL=C.UTF-8"])
      } catch {
        throw Problem(
          message: error == .system(errorNumber: ENOENT)
            ? "--changed needs git, which is not installed" : "git cannot start",
          help: "install git, or name files instead")
      }
    }

    /// Returns one line of output; `nil` if git's answer is no.
    func line(_ arguments: [String]) throws(Problem) -> String? {
      let outcome = try ask(arguments)
      guard outcome.exitCode == 0 else {
        let said = String(decoding: outcome.errorOutput, as: UTF8.self)
        // git-config(1), safe.directory: a repository of another user is refused.
        if said.contains("dubious ownership") {
          throw Problem(
            message: "git does not trust the repository: it belongs to another user",
            help: "git config --global --add safe.directory \(folder)")
        }
        return nil
      }
      let text = String(decoding: outcome.output, as: UTF8.self)
      return String(text.hasSuffix("\n") ? text.dropLast() : text[...])
    }

    /// Names that end in NUL, whatever letters they hold.
    func list(_ arguments: [String]) throws(Problem) -> [String] {
      let outcome = try ask(arguments)
      guard outcome.exitCode == 0 else {
        let said = String(decoding: outcome.errorOutput, as: UTF8.self).prefix { $0 != "\n" }
        throw Problem(message: "git failed: \(said)", help: "run \"git status\" to see the problem")
      }
      return outcome.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
  }
}
