internal import CSupervisor
internal import Glibc

/// A program whose file would give the process other rights than it has (execve(2)).
struct PrivilegedProgram: Equatable {
  /// The privilege that the file would give, as in `is set-user-ID 0`.
  var text: String

  /// Reads the file of a running program; `nil` if it gives no privileges.
  init?(process: ThreadIdentifier) {
    let path = "/proc/\(process.number)/exe"
    var file = stat()
    var owner = stat()
    var folder = statvfs()
    guard stat(path, &file) == 0, stat("/proc/\(process.number)", &owner) == 0,
      statvfs(path, &folder) == 0, folder.f_flag & UInt(ST_NOSUID) == 0
    else { return nil }
    // A group that may not execute makes of the bit a mark for locking, of old.
    let givesGroup = file.st_mode & S_ISGID != 0 && file.st_mode & S_IXGRP != 0
    if file.st_mode & S_ISUID != 0, file.st_uid != owner.st_uid {
      text = "is set-user-ID \(file.st_uid)"
    } else if givesGroup, file.st_gid != owner.st_gid {
      text = "is set-group-ID \(file.st_gid)"
    } else if owner.st_uid != 0, scenario_has_capabilities(path) == 1 {
      text = "has capabilities"
    } else {
      return nil
    }
  }
}
