extension UnsyncedFile {
  /// What calls have made of a file's shape since a layer began, and before the next one did.
  ///
  /// It arrives with the file's metadata: a sync that follows makes it durable, also where the pages that it should
  /// write are forsaken.
  struct Reshaping: Equatable {
    /// Bytes that were cut off, or made a hole.
    private(set) var cleared = ByteRanges()
    /// Bytes that were moved: the kernel writes them before (`ext4_collapse_range` and the like wait for the disk).
    private(set) var moved = ByteRanges()
    /// The length that was set last, in bytes; `nil` if none was.
    private var length: Int64?
    /// The length that was demanded since, in bytes.
    private var leastLength: Int64 = 0

    /// True if the shape is what it was.
    var isEmpty: Bool {
      cleared.isEmpty && moved.isEmpty && length == nil && leastLength == 0
    }

    /// The file was given a length.
    mutating func setLength(_ length: Int64) {
      self.length = length
      leastLength = 0
      clear(length..<Int64.max)
    }

    /// The file was given a length that is not below its own.
    mutating func extend(to length: Int64) { leastLength = max(leastLength, length) }

    /// Bytes were made a hole.
    mutating func clear(_ range: Range<Int64>) {
      moved.remove(range)
      cleared.insert(range)
    }

    /// All bytes behind a place were moved; how long the file is then, the sync that follows says.
    mutating func move(behind place: Int64) {
      cleared.remove(place..<Int64.max)
      moved.insert(place..<Int64.max)
      length = .max
      leastLength = 0
    }

    /// The length of a file that had another one.
    func length(after former: Int64) -> Int64 { max(length ?? former, leastLength) }
  }
}

extension UnsyncedFile.Layer {
  /// Returns the layer as it is once the disk has what calls have made of the file's shape.
  ///
  /// - Parameters:
  ///   - reshapings: those since the layer began, the oldest first.
  ///   - limit: the file's length at the end, in bytes.
  func reshaped(by reshapings: some Sequence<UnsyncedFile.Reshaping>, limit: Int64) -> Self {
    var size = size
    var cleared = ByteRanges()
    var moved = ByteRanges()
    for reshaping in reshapings where !reshaping.isEmpty {
      let length = reshaping.length(after: size)
      if length > size { cleared.insert(size..<length) }
      for range in reshaping.moved.ranges {
        cleared.remove(range)
        moved.insert(range)
      }
      for range in reshaping.cleared.ranges {
        moved.remove(range)
        cleared.insert(range)
      }
      size = length
    }
    var layer = UnsyncedFile.Layer(number: number, size: min(size, limit), forsaken: forsaken)
    let whole = 0..<max(0, layer.size)
    layer.pieces = pieces.compactMap { $0.part(in: whole) }
    for range in moved.within(whole) { layer.cut(range) }
    for range in cleared.within(whole) {
      layer.cut(range)
      layer.insert(UnsyncedFile.Piece(zeros: range))
    }
    return layer
  }
}
