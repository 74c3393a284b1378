/// The position of a thread in the tree, in a form that is the same in each run.
///
/// Numbers of processes and threads are the kernel's choice, and which comes first depends on real
/// time. The threads that a thread has made, and their order, depend on its program alone.
struct SpawnPath {
  /// The indexes, from 0, of its ancestors and of itself among the children of their makers, from
  /// the first thread's child on.
  private(set) var path: [UInt32] = []
  private var children: UInt32 = 0
  private var connections: UInt32 = 0

  /// The path of a thread whose maker ended before it could be read: behind all others.
  static let unknown = SpawnPath(path: [.max])

  private init(path: [UInt32]) {
    self.path = path
  }

  /// Creates the path of the first thread.
  init() {}

  /// The lineage of the next thread that this one makes.
  mutating func nextChild() -> SpawnPath {
    defer { children &+= 1 }
    return SpawnPath(path: path.count < Self.maximumDepth ? path + [children] : path)
  }

  /// The number of the next connection that this thread makes, counted from 0.
  mutating func nextConnection() -> UInt32 {
    defer { connections &+= 1 }
    return connections
  }

  /// A program that starts itself anew for ever needs no longer one each time.
  private static let maximumDepth = 256
}
