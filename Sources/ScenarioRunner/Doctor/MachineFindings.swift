internal import Foundations
internal import Glibc

/// Findings about the machine itself.
enum MachineFindings {
  /// Architecture, kernel, C library, and the container.
  static func findings(_ confinement: Confinement) -> [DoctorFinding] {
    var names = utsname()
    guard uname(&names) == 0 else {
      return [DoctorFinding(.fail, "kernel", SystemText.error(errno))]
    }
    return [
      architecture(text(names.machine)),
      DoctorFinding(.ok, "kernel", "\(text(names.sysname)) \(text(names.release))"),
      DoctorFinding(.ok, "C library", libraryVersion()),
      DoctorFinding(.ok, "container", confinement.container?.rawValue ?? "none detected"),
    ]
  }

  /// The supervisor knows one architecture's registers.
  static func architecture(_ name: String) -> DoctorFinding {
    name == "x86_64"
      ? DoctorFinding(.ok, "architecture", name)
      : DoctorFinding(
        .fail, "architecture", name, help: ["scenario runs on x86-64 machines"])
  }

  /// The C library's name and version by confstr(3).
  private static func libraryVersion() -> String {
    var buffer = [CChar](repeating: 0, count: 64)
    let length = confstr(Int32(_CS_GNU_LIBC_VERSION), &buffer, buffer.count)
    return length == 0 ? "not glibc" : text(buffer)
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
