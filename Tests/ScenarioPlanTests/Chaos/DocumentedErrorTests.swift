@testable import FaultEngine
import Foundation
@testable import ScenarioPlan
import Testing

@Suite("The errors that the manual allows")
struct DocumentedErrorTests {
  @Test("Every call that a family holds is in the table")
  func families() {
    let calls = Set(SystemCallFamily.all.flatMap(\.members).map(\.name))

    #expect(calls.subtracting(DocumentedErrors.systemCalls) == Self.alwaysWell.union(Self.pageless))
  }

  /// "This function is always successful" (sync(2), getpid(2), …).
  private static let alwaysWell: Set = [
    "alarm", "getegid", "geteuid", "getgid", "getpid", "getppid", "gettid", "getuid",
    "io_uring_register", "mq_getsetattr", "sched_yield", "setfsgid", "setfsuid", "sync", "umask",
  ]

  /// Calls that have no page in that version of the manual.
  private static let pageless: Set = [
    "fsconfig", "fsmount", "fsopen", "fspick", "futex_waitv", "io_pgetevents", "move_mount",
    "open_tree", "process_mrelease", "quotactl_fd", "set_mempolicy_home_node",
  ]

  @Test("Every call of the table is one of the kernel's and stands once, every error has a number")
  func names() throws {
    let calls = ManualPage.all.flatMap(\.calls)

    #expect(Set(calls).count == calls.count)
    for page in ManualPage.all {
      #expect(Set(page.rows.map(\.name)).count == page.rows.count, "\(page.name) repeats an error")
      for row in page.rows {
        #expect(throws: Never.self) { try ErrorNumber.named(row.name) }
      }
      for included in page.included {
        #expect(
          ManualPage.all.contains { $0.name == included }, "\(page.name) includes \(included)")
      }
      #expect(Set(page.absent.keys).isSubset(of: page.calls), "\(page.name)")
    }
    #expect(DocumentedErrors(of: "fsnyc") == nil)
  }

  @Test("An error that a page's call cannot end with is one that the page has")
  func absences() {
    #expect(ManualPage.all.contains { !$0.absent.isEmpty })
    for page in ManualPage.all {
      let pages =
        [page]
        + page.included.compactMap { name in
          ManualPage.all.first { $0.name == name }
        }
      let known = Set(pages.flatMap(\.rows).map(\.name))
      for (call, names) in page.absent {
        let absent = names.split(separator: " ").map(String.init)
        #expect(Set(absent).subtracting(known) == [], "\(call)")
      }
    }
  }

  @Test("What is drawn from a table is what the world can bring about")
  func candidates() throws {
    let read = try #require(DocumentedErrors(of: "read"))
    let fstat = try #require(DocumentedErrors(of: "fstat"))
    let pwrite = try #require(DocumentedErrors(of: "pwrite64"))

    #expect(read.candidates().map(\.name) == ["EIO"])
    #expect(read.candidates(isSlow: true).map(\.name) == ["EIO", "EINTR"])
    #expect(read.candidates(isNonBlocking: true).map(\.name) == ["EIO", "EAGAIN"])
    #expect(pwrite.candidates().map(\.name).prefix(2) == ["ENOSPC", "EIO"])
    #expect(!fstat.candidates().contains { $0.name == "ENOENT" })
    let reckless = DocumentedErrors.systemCalls.filter { call in
      DocumentedErrors(of: call)?.candidates(isSlow: true, isNonBlocking: true).contains {
        $0.name == "EFAULT" || $0.name == "EINVAL" || $0.name == "EBADF"
      } ?? true
    }
    #expect(reckless == [])
  }

  @Test("An error is known with its circumstance, under either of its names")
  func circumstances() throws {
    let write = try #require(DocumentedErrors(of: "write"))
    let flock = try #require(DocumentedErrors(of: "flock"))
    let rename = try #require(DocumentedErrors(of: "rename"))

    #expect(write.circumstance(of: try .named("ENOSPC")) == .common)
    #expect(write.circumstance(of: try .named("EFAULT")) == .caller)
    #expect(write.circumstance(of: try .named("ENOENT")) == nil)
    #expect(flock.circumstance(of: try .named("EAGAIN")) == .nonBlocking)
    #expect(rename.circumstance(of: try .named("EIO")) == .unlisted)
  }

  // MARK: - The installed pages

  /// Errors that a page tells of in running text, not in its list.
  private static let toldInText = ["brk": ["ENOMEM"], "mincore": ["EAGAIN"]]

  /// Never seen by a program: "only visible to a tracer" (fork(2), clone(2)).
  private static let neverReturned: Set = ["ERESTARTNOINTR", "ERESTARTSYS"]

  @Test(
    "The table says what the installed pages say",
    .enabled(
      if: InstalledManual.hasVersion,
      "the table is of man-pages \(DocumentedErrors.manualVersion), and other pages or none are installed"
    ),
    arguments: ManualPage.all.filter { $0.calls != ["fchmodat2"] })
  func installedPage(page: ManualPage) throws {
    let installed = try #require(InstalledManual.page(page.name), "\(page.name)(2) is missing")

    let table = Set(page.rows.filter { $0.circumstance != .unlisted }.map(\.name))
    let unlisted = Set(page.rows.filter { $0.circumstance == .unlisted }.map(\.name))
    let toldInText = Set(Self.toldInText[page.name] ?? [])
    #expect(
      table == installed.errors.subtracting(Self.neverReturned).union(toldInText), "\(page.name)")
    #expect(unlisted.isDisjoint(with: installed.errors), "\(page.name)")
    for name in toldInText { #expect(installed.text.contains(name)) }
    for name in page.included {
      #expect(installed.text.contains(name), "\(page.name) does not refer to \(name)")
    }
  }

  @Test("The pages' errors are found in their lists only")
  func reading() {
    let text = """
      .SH DESCRIPTION
      .TP
      .B ENOENT
      .SH ERRORS
      .TP
      .BR EAGAIN " or " EWOULDBLOCK
      .\\" Actually EAGAIN
      See EXDEV.
      .TP
      .B EIO
      .SH NOTES
      .TP
      .B EPERM
      """

    #expect(InstalledManual(text: text).errors == ["EAGAIN", "EWOULDBLOCK", "EIO"])
  }
}

/// A page of section 2 as Debian's manpages-dev installs it.
private struct InstalledManual {
  let text: String

  /// Some calls are described under the name of the function of libc, in section 3.
  private static func path(_ name: String) -> String {
    let path = "/usr/share/man/man2/\(name).2.gz"
    return FileManager.default.fileExists(atPath: path)
      ? path : "/usr/share/man/man3/\(name).3.gz"
  }

  /// Whether the pages are installed, in the version that the table was written from.
  static let hasVersion =
    page("read")?.text.contains("Linux man-pages \(DocumentedErrors.manualVersion)") ?? false

  /// The page; `nil` if it is not installed.
  static func page(_ name: String) -> InstalledManual? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/zcat")
    process.arguments = [path(name)]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = nil
    guard (try? process.run()) != nil else { return nil }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return InstalledManual(text: String(decoding: data, as: UTF8.self))
  }

  /// The errors that head the items of the page's list.
  var errors: Set<String> {
    var isInList = false
    var isHead = false
    var errors: Set<String> = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix(".SH") {
        isInList = line.hasPrefix(".SH ERRORS")
      } else if line.hasPrefix(".TP") || line.hasPrefix(".TQ") {
        isHead = true
      } else if isHead, !line.hasPrefix(".\\\"") {
        isHead = false
        guard isInList, line.hasPrefix(".B") else { continue }
        errors.formUnion(
          line.split { !$0.isLetter && !$0.isNumber }.map(String.init).filter(Self.isError))
      }
    }
    return errors
  }

  private static func isError(_ word: String) -> Bool {
    word.count > 2 && word.hasPrefix("E")
      && word.allSatisfy { $0.isUppercase || $0.isNumber }
  }
}
