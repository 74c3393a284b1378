import Glibc
import ScenarioPlan
import Testing

@testable import Supervisor

@Suite("Branches of programs that change files")
struct BranchedFileTests {
  /// A program, what it finds in its folder, and the calls that are to fail.
  struct Case: Sendable, CustomStringConvertible {
    var words: [String]
    var files: [String: String]
    var calls: String
    var error: ErrorNumber
    var input: String?

    var description: String { words.joined(separator: " ") }
  }

  static let lines = (1...2_000).map { "line \($0 &* 7_919 % 2_003)\n" }.joined()
  static let noSpace = ErrorNumber(name: "ENOSPC", code: ENOSPC)
  static let broken = ErrorNumber(name: "EIO", code: EIO)

  static let cases = [
    Case(
      words: ["/bin/sed", "-i", "s/line/LINE/", "a", "b"], files: ["a": lines, "b": "line\n"],
      calls: "\"@write\", \"@rename\", \"@open\", \"@read\", close, fchmod", error: broken),
    Case(
      words: ["/bin/gzip", "a"], files: ["a": lines],
      calls: "\"@write\", \"@open\", \"@read\", \"@remove\", close", error: noSpace),
    Case(
      words: ["/usr/bin/sort", "-o", "a", "a"], files: ["a": lines],
      calls: "\"@write\", \"@open\", \"@read\", close", error: noSpace),
    Case(
      words: ["/bin/cp", "-r", "folder", "copy"], files: ["folder/a": lines],
      calls: "\"@write\", \"@open\", \"@read\", mkdir, close, copy_file_range", error: broken),
    Case(
      words: ["/bin/tar", "-cf", "t.tar", "a", "b"], files: ["a": lines, "b": "b\n"],
      calls: "\"@write\", \"@open\", \"@read\", close", error: noSpace),
    Case(
      words: ["/usr/bin/tee", "a", "b"], files: ["a": "old\n"],
      calls: "\"@write\", \"@read\", \"@open\"",
      error: broken, input: lines),
    Case(
      words: ["/bin/busybox", "sed", "-i", "s/line/LINE/", "a"], files: ["a": lines],
      calls: "\"@write\", \"@rename\", \"@open\", \"@read\"", error: noSpace),
    Case(
      words: ["/bin/rm", "-r", "folder"],
      files: ["folder/a": "a\n", "c": "c\n"],
      calls: "\"@remove\", close", error: broken),
    Case(
      words: ["/usr/bin/sqlite3", "t.db", "create table t(a); insert into t values(3);"],
      files: [:],
      calls: "\"@open\", \"@write\", \"@sync\"", error: broken),
    Case(
      words: ["/bin/bash", "-c", "read x < a; echo $x > b; cd folder && echo $x > c"],
      files: ["a": "word\n", "folder/d": ""],
      calls: "\"@write\", \"@open\", \"@read\", dup2, fcntl, chdir", error: broken),
    Case(
      words: ["/usr/bin/install", "-m", "755", "a", "b"], files: ["a": lines, "b": "old\n"],
      calls: "\"@write\", \"@open\", \"@remove\", fchmod", error: noSpace),
    Case(
      words: ["/bin/mv", "a", "folder/b"], files: ["a": "a\n", "folder/b": "b\n"],
      calls: "\"@rename\", \"@open\"", error: ErrorNumber(name: "EXDEV", code: EXDEV)),
    Case(
      words: ["/bin/sh", "-c", "echo one > a; read x < b; echo $x >> a; : > b; echo done"],
      files: ["b": "word\n"], calls: "\"@write\", \"@open\", \"@read\", dup2, fcntl", error: broken),
  ]

  /// What stands in a folder, temporary names made alike.
  private func list(_ files: [BranchFile], in folder: String) -> [String] {
    files.map { file in
      var name = String(file.path.dropFirst(folder.count + 1))
      if name.hasPrefix("sed") || name.hasPrefix("sort") { name = String(name.prefix(3)) + "?" }
      return
        "\(name) \(file.kind) \(String(file.permissions, radix: 8)) \(file.size) \(file.digest)"
    }.sorted()
  }

  private func prepare(_ test: Case) throws -> BranchedProgram {
    let run = try BranchedProgram()
    for (name, text) in test.files {
      let path = "\(run.folder)/\(name)"
      if let slash = path.lastIndex(of: "/") { mkdir(String(path[..<slash]), 0o755) }
      let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o640)
      #expect(
        text.utf8.withContiguousStorageIfAvailable { write(descriptor, $0.baseAddress, $0.count) }
          == text.utf8.count)
      close(descriptor)
      // Archives have it in them.
      let time = timespec(tv_sec: 1_000_000_000, tv_nsec: 0)
      utimensat(AT_FDCWD, path, [time, time], 0)
    }
    return run
  }

  private func text(_ bytes: some Sequence<UInt8>, without folder: String) -> String {
    String(decoding: Array(bytes), as: UTF8.self)
  }

  @Test("At every call a branch leaves what a run of its own leaves", arguments: cases)
  func calls(_ test: Case) throws {
    let input = test.input.map { LaunchRequest.Input.bytes(Array($0.utf8)) } ?? .empty
    let order = BranchOrder(identifier: 1, provider: .error(test.error))
    let run = try prepare(test)
    let trunk = try run.run(
      test.words, "  - { call: [\(test.calls)], provide: original }", input: input
    ) { _ in [order, BranchOrder(identifier: 2, provider: .original)] }
    #expect(run.outcomes.allSatisfy { $0.disturbance == nil })

    let plain = try prepare(test)
    let alone = try plain.run(test.words, "", input: input, branches: false)
    #expect(trunk.output == alone.output)
    #expect(trunk.errorOutput == alone.errorOutput)
    #expect(trunk.supervisor.exitStatus() == alone.supervisor.exitStatus())
    let expected = list(plain.files(), in: plain.folder)
    #expect(list(run.files(), in: run.folder) == expected)
    #expect(!run.results.isEmpty)

    for outcome in run.outcomes {
      guard case .ran(let result) = outcome.result else { continue }
      let output = trunk.output.utf8.prefix(result.outputBefore) + result.output.bytes
      let errors =
        trunk.errorOutput.utf8.prefix(result.errorOutputBefore) + result.errorOutput.bytes
      guard outcome.order == order else {
        #expect(list(result.files, in: run.folder) == expected, "point \(outcome.point)")
        #expect(result.status == alone.supervisor.exitStatus())
        #expect(text(output, without: run.folder) == alone.output)
        continue
      }
      let single = try prepare(test)
      let other = try single.run(
        test.words,
        "  - { call: [\(test.calls)], provide: { error: \(test.error.name) },"
          + " when: { nth: \(outcome.point.occurrence) } }", input: input, branches: false)
      #expect(result.status == other.supervisor.exitStatus(), "point \(outcome.point)")
      #expect(
        list(result.files, in: run.folder) == list(single.files(), in: single.folder),
        "point \(outcome.point)")
      #expect(text(output, without: run.folder) == other.output, "point \(outcome.point)")
      #expect(anonymous(errors) == anonymous(other.errorOutput.utf8), "point \(outcome.point)")
    }
  }

  /// Without names that are made of chance.
  private func anonymous(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self).replacing(
      /sed[A-Za-z0-9]{6}|sort[A-Za-z0-9]{6}|'a[A-Za-z0-9]{6}'/, with: "?")
  }
}
