/// The threads' numbers, in the order in which they started: the same in each run.
struct BirthNumbers: Sendable {
  private var numbers: [ThreadIdentifier: Int] = [:]
  private var count = 0

  /// The number of a thread, counted from 1; one that has none gets the next.
  subscript(thread: ThreadIdentifier) -> Int {
    mutating get {
      if let number = numbers[thread] { return number }
      count += 1
      numbers[thread] = count
      return count
    }
  }

  /// The number of a thread that has one.
  func known(_ thread: ThreadIdentifier) -> Int? { numbers[thread] }

  /// A thread has got another identifier.
  mutating func rename(_ former: ThreadIdentifier, to thread: ThreadIdentifier) {
    numbers[thread] = numbers[former]
  }

  /// Forgets a thread that has exited.
  mutating func forget(_ thread: ThreadIdentifier) { numbers[thread] = nil }
}
