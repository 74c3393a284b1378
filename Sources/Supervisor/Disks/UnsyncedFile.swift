/// What a file would be after a crash of the machine, as far as that differs from what it is.
///
/// Kept in layers, the oldest first: each holds the file's length when it began, and the bytes that were
/// overwritten or cut off since. A call that makes the file durable begins a layer at its entry, and drops
/// those below at its exit: what others write meanwhile is not durable with it.
struct UnsyncedFile: Equatable {
  /// Bytes as they were.
  struct Piece: Equatable {
    /// Where they stood.
    var offset: Int64
    /// What they were.
    var bytes: [UInt8]

    /// The place behind them.
    var end: Int64 { offset + Int64(bytes.count) }
  }

  /// What has changed since a moment.
  struct Layer: Equatable {
    /// Its number; later ones are higher.
    var number: Int
    /// The file's length at that moment.
    var size: Int64
    /// The bytes that were changed since, in order, none twice.
    var pieces: [Piece] = []

    /// The place of the first piece that ends behind a byte; their number if none does.
    func firstPiece(endingBehind place: Int64) -> Int {
      var lower = 0
      var upper = pieces.count
      while lower < upper {
        let middle = (lower + upper) / 2
        if pieces[middle].end > place { upper = middle } else { lower = middle + 1 }
      }
      return lower
    }
  }

  /// The layers, the oldest first; there is always one.
  private(set) var layers: [Layer]
  private var nextNumber = 1

  /// A file of which nothing has changed yet.
  ///
  /// - Parameter size: its length.
  init(size: Int64) {
    layers = [Layer(number: 0, size: size)]
  }

  // MARK: - Changes

  /// Those runs of a range whose bytes must be saved before they are changed.
  func unsaved(in range: Range<Int64>) -> [Range<Int64>] {
    guard let top = layers.last else { return [] }
    let range = range.clamped(to: 0..<max(0, top.size))
    var runs: [Range<Int64>] = []
    var place = range.lowerBound
    for piece in top.pieces[top.firstPiece(endingBehind: place)...] {
      guard piece.offset < range.upperBound else { break }
      if piece.offset > place { runs.append(place..<piece.offset) }
      place = max(place, piece.end)
    }
    if place < range.upperBound { runs.append(place..<range.upperBound) }
    return runs
  }

  /// Keeps bytes that are about to be changed.
  mutating func save(_ bytes: [UInt8], at offset: Int64) {
    guard !bytes.isEmpty, !layers.isEmpty else { return }
    let piece = Piece(offset: offset, bytes: bytes)
    let last = layers.count - 1
    let index = layers[last].firstPiece(endingBehind: offset)
    // What is written in order is kept in one piece.
    if index > 0, layers[last].pieces[index - 1].end == offset {
      layers[last].pieces[index - 1].bytes += bytes
    } else {
      layers[last].pieces.insert(piece, at: index)
    }
  }

  // MARK: - Durability

  /// A call begins that makes the file durable as it is now.
  ///
  /// - Returns: what `endSync` wants to know.
  mutating func beginSync(size: Int64) -> Int {
    let number = nextNumber
    nextNumber += 1
    layers.append(Layer(number: number, size: size))
    return number
  }

  /// It has done so.
  mutating func endSync(_ number: Int) {
    guard layers.contains(where: { $0.number >= number }) else { return }
    layers.removeAll { $0.number < number }
  }

  /// Bytes have been written durably, whatever becomes of the others (O_DSYNC of open(2)).
  mutating func makeDurable(_ range: Range<Int64>) {
    for index in layers.indices {
      layers[index].pieces = layers[index].pieces.flatMap { Self.cut($0, out: range) }
      let size = layers[index].size
      guard size < range.upperBound else { continue }
      // Between the old end and the bytes there is a hole.
      if size < range.lowerBound {
        let length = min(range.lowerBound - size, Self.holeLimit)
        layers[index].pieces.append(
          Piece(offset: size, bytes: [UInt8](repeating: 0, count: Int(length))))
      }
      layers[index].size = range.upperBound
    }
  }

  /// The most of a hole that is kept as bytes.
  private static let holeLimit: Int64 = 1 << 24

  private static func cut(_ piece: Piece, out range: Range<Int64>) -> [Piece] {
    guard piece.end > range.lowerBound, piece.offset < range.upperBound else { return [piece] }
    var rest: [Piece] = []
    if piece.offset < range.lowerBound {
      let count = Int(range.lowerBound - piece.offset)
      rest.append(Piece(offset: piece.offset, bytes: Array(piece.bytes.prefix(count))))
    }
    if piece.end > range.upperBound {
      let count = Int(range.upperBound - piece.offset)
      rest.append(Piece(offset: range.upperBound, bytes: Array(piece.bytes.dropFirst(count))))
    }
    return rest
  }

  // MARK: - The crash

  /// The length that the file has after a crash.
  var durableSize: Int64 { layers.first?.size ?? 0 }

  /// What is written to the file at a crash, in this order, before it gets its length.
  var restoration: [Piece] { layers.reversed().flatMap(\.pieces) }

  /// How many bytes are kept.
  var keptBytes: Int { layers.reduce(0) { $0 + $1.pieces.reduce(0) { $0 + $1.bytes.count } } }

  /// Whether the file is after a crash what it is now.
  func isDurable(size: Int64) -> Bool {
    durableSize == size && layers.allSatisfy { $0.size == size && $0.pieces.isEmpty }
  }
}
