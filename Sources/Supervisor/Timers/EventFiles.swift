internal import Glibc

/// The fdinfo files of event descriptors (proc(5): /proc/PID/fdinfo/N), of which some stay open.
///
/// An open one shows at each read the descriptor that has the number then. To read it takes a
/// fraction of the time that it takes to open it.
final class EventFiles {
  private struct Place: Hashable {
    var thread: ThreadIdentifier
    var number: Int32
  }

  private var files: [Place: Int32] = [:]
  private let limit: Int

  /// - Parameter limit: how many files may be open.
  init(limit: Int) {
    self.limit = limit
  }

  deinit {
    closeAll()
  }

  /// Returns the state of a descriptor of a thread's; `nil` if it is no event descriptor.
  func state(of number: Int32, in thread: ThreadIdentifier) -> EventDescriptor.State? {
    let place = Place(thread: thread, number: number)
    if let file = files[place] {
      if let state = EventDescriptor.state(in: file) { return state }
      close(file)
      files[place] = nil
    }
    let file = EventDescriptor.open(number, of: thread)
    guard file >= 0 else { return nil }
    guard let state = EventDescriptor.state(in: file) else {
      close(file)
      return nil
    }
    // Descriptors that are closed for good tell nothing of it: what is still in use comes again.
    if files.count >= limit { closeAll() }
    files[place] = file
    return state
  }

  /// A thread has ended.
  func forget(_ thread: ThreadIdentifier) {
    guard !files.isEmpty else { return }
    for (place, file) in files where place.thread == thread {
      close(file)
      files[place] = nil
    }
  }

  private func closeAll() {
    for file in files.values { close(file) }
    files.removeAll(keepingCapacity: true)
  }
}
