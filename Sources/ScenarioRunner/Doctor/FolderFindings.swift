internal import Foundations
internal import Glibc
internal import ScenarioEvents

/// Findings about the folder in which cases get theirs.
enum FolderFindings {
  /// Writes a program into a folder of its own there, and runs it.
  static func findings(temporaryFolder: String) -> [DoctorFinding] {
    var template = Array("\(temporaryFolder)/scenario-doctor-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      return [
        DoctorFinding(
          .fail, "write temporary files", "\(temporaryFolder): \(SystemText.error(errno))",
          help: ["set TMPDIR to a folder that this user can write to"])
      ]
    }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { FileTree.remove(folder) }
    let program = "\(folder)/program"
    do throws(Failure) {
      try FileTree.write(Array("#!/bin/sh\nexit 0\n".utf8), to: program, mode: 0o755)
    } catch {
      return [
        DoctorFinding(
          .fail, "write temporary files", error.message,
          help: ["free space in \(temporaryFolder), or set TMPDIR to another folder"])
      ]
    }
    return [
      DoctorFinding(.ok, "write temporary files", temporaryFolder),
      execution(errorNumber: start(program), folder: temporaryFolder),
    ]
  }

  /// Returns the finding on whether programs that a scenario writes to its folder can run.
  static func execution(errorNumber: Int32, folder: String) -> DoctorFinding {
    errorNumber == 0
      ? DoctorFinding(.ok, "run temporary files", folder)
      : DoctorFinding(
        .warn, "run temporary files", "\(folder): \(SystemText.error(errorNumber))",
        help: [
          "\(folder) may be mounted with noexec: scenarios whose `files:` are programs need a TMPDIR"
            + " without it"
        ])
  }

  /// Runs a program; the error that kept it from its start, 0 if there was none.
  private static func start(_ program: String) -> Int32 {
    do throws(FileReadError) {
      _ = try Subprocess.run([program])
      return 0
    } catch {
      guard case .system(let number) = error else { return EIO }
      return number
    }
  }
}
