internal import FaultEngine
internal import Glibc

/// A call that has to do with files, as far as it is known at its entry: what it acts on stays pinned, as its
/// name may be gone afterwards, or its descriptor another file's.
struct DiskOperation {
  /// The operation of the call.
  enum Action {
    /// Writes these bytes; `byPosition` where the place is the descriptor's own, or the end.
    case write(Range<Int64>, byPosition: Bool, isDurable: Bool)
    case allocate(Range<Int64>, mode: Int32)
    case resize(to: Int64)
    /// Replaces the content by another file's.
    case clone
    case open(flags: UInt64)
    /// Makes an entry that takes so much room.
    case make(room: Int64, isFolder: Bool)
    /// Gives a file another name than the one by which it is known.
    case link(from: String)
    case remove
    case move(exchanges: Bool)
    case attribute
    case access
    /// statfs(2), with the address of its answer.
    case question(UInt64)
    /// Maps these bytes of a file.
    case map(isWritable: Bool, Range<Int64>)
    /// Makes the mappings at these addresses writable, or gives them another length in bytes.
    case protect(Range<UInt64>, length: Int64?)
    case sync
    /// Writes a file's pages back, and makes nothing durable (sync_file_range(2)).
    case flush
    case syncDisk
    case syncAll
    case syncMapping(Range<UInt64>)
  }

  /// A name in a folder, and the file that it has.
  struct Place {
    var folder: FileHandle
    var name: [UInt8]
    /// The file at the path now; `nil` for none.
    var file: FileHandle?
    var path: String
  }

  /// The operation of the call.
  var action: Action
  /// The file that it acts on, if it is there.
  var file: FileHandle?
  /// Its status at the call's entry.
  var status: stat?
  /// The path of the file, or of what is to be made.
  var path: String?
  /// The name that is made, removed or moved.
  var place: Place?
  /// The name that it moves to.
  var target: Place?
  /// True if the kernel refuses what it wants, however much room there is.
  var isInVain = false
}
