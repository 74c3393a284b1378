/// Times of a file that a call sets to the present, as the kernel keeps them (inode(7)).
struct FileTimeSet: OptionSet {
  let rawValue: UInt8

  /// The time of the last read.
  static let access = FileTimeSet(rawValue: 1)
  /// The time of the last change of the content; of a folder, of its entries.
  static let modification = FileTimeSet(rawValue: 2)
  /// The times that a fresh file gets.
  static let all: FileTimeSet = [.access, .modification]
}

/// A file or folder whose times a call sets to the present.
enum FileChange: Equatable {
  /// The file behind a descriptor.
  case descriptor(Int32, FileTimeSet)
  /// The file of a path; with `followsLink` the file behind a symbolic link at its end.
  case path(PathArgument, followsLink: Bool, FileTimeSet)
  /// The folder of the path's last name, which is added or removed.
  case folder(PathArgument)
  /// The folder of the path, and the entry that is made there.
  case newEntry(PathArgument)
  /// The file that the call opens and returns a descriptor of; with `creates` also the folder that
  /// it is in. The times in `certain` are set by every success. The path is `nil` where no name is
  /// given.
  case opened(PathArgument?, creates: Bool, certain: FileTimeSet)
}

/// The changes of a call to the times of files if it succeeds.
struct FileChanges: Equatable {
  /// The condition under which a call has done what it was asked to.
  enum Success: Equatable {
    /// Its result is not an error.
    case notNegative
    /// The result, a number of bytes, is greater than zero.
    case positive
  }

  /// The first change.
  var first: FileChange
  /// The second change: `rename` has two folders.
  var second: FileChange?
  /// The condition of success.
  var success = Success.notNegative
  /// True if a success may have changed nothing, as that of a `truncate` to the size that the file
  /// has: then the times decide.
  var mayBeIdle = false

  /// Returns whether the result alone shows that everything has been changed.
  ///
  /// Otherwise the times decide: also a call that fails may have changed them, such as a write for
  /// which there is no room.
  func haveHappened(result: Int) -> Bool {
    switch success {
    case .notNegative: !mayBeIdle && result >= 0
    case .positive: !mayBeIdle && result > 0
    }
  }
}
