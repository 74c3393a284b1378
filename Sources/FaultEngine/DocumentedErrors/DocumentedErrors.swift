package import ScenarioPlan

/// The errors that a system call may end with, from section 2 of the Linux manual.
///
/// The table was written from the pages of version `manualVersion`, and a test compares it with the
/// installed ones. Errors with numbers are `ErrorNumber`s; their one table is `ErrorNumber.named`.
package struct DocumentedErrors: Sendable, Hashable {
  /// The version of the Linux man-pages that the table was written from.
  package static let manualVersion = "6.03"

  /// Each error's name with its circumstance, in the order of the circumstances.
  package let rows: [Row]

  /// An error, and when it is met.
  package struct Row: Sendable, Hashable {
    /// The errno's name.
    package var name: String
    /// The circumstance in which it is met.
    package var circumstance: Circumstance
  }

  /// A circumstance in which a call ends with an error.
  package enum Circumstance: Int, Sendable, Hashable, CaseIterable {
    /// An error that any program meets some day: a full disk, a refused connection, a file that is
    /// not there.
    case common
    /// An error that the environment can cause, but seldom does.
    case possible
    /// An error only where the call waits for something that may never come: a pipe, a socket, a
    /// terminal, a lock (signal(7)). Reads and writes of regular files are never interrupted.
    case interrupted
    /// An error only where the descriptor is in non-blocking mode, or a flag says so.
    case nonBlocking
    /// An error only where the caller's own arguments are wrong, or ask for something unusual.
    case caller
    /// The kernel may return it though the page does not say so.
    case unlisted
  }

  /// The errors of a system call by its kernel name; `nil` if the table does not hold the call.
  package init?(of systemCall: String) {
    guard let rows = Self.rowsByCall[systemCall] else { return nil }
    self.rows = rows
  }

  /// The system calls that the table holds.
  package static var systemCalls: Set<String> { Set(rowsByCall.keys) }

  /// Returns the circumstance in which the call ends with that error; `nil` if it never does.
  ///
  /// Two names of one number (EAGAIN and EWOULDBLOCK) are one error.
  package func circumstance(of error: ErrorNumber) -> Circumstance? {
    rows.first { $0.name == error.name }?.circumstance
      ?? rows.first { (try? ErrorNumber.named($0.name))?.code == error.code }?.circumstance
  }

  /// Returns the errors that a fault is drawn from by default: the common and the possible errors,
  /// each number once, in the table's order.
  ///
  /// - Parameters:
  ///   - isSlow: whether the call waits for what may never come, so that a signal interrupts it.
  ///   - isNonBlocking: whether the descriptor is in non-blocking mode.
  package func candidates(isSlow: Bool = false, isNonBlocking: Bool = false) -> [ErrorNumber] {
    var codes: Set<Int32> = []
    return rows.compactMap { row in
      switch row.circumstance {
      case .common, .possible: break
      case .interrupted where isSlow: break
      case .nonBlocking where isNonBlocking: break
      case .interrupted, .nonBlocking, .caller, .unlisted: return nil
      }
      guard let error = try? ErrorNumber.named(row.name), codes.insert(error.code).inserted
      else { return nil }
      return error
    }
  }

  // MARK: - The table

  private static let rowsByCall: [String: [Row]] = {
    var pages: [String: ManualPage] = [:]
    for page in ManualPage.all where pages[page.name] == nil { pages[page.name] = page }
    var table: [String: [Row]] = [:]
    for page in ManualPage.all {
      let sources = [page] + page.included.compactMap { pages[$0] }
      for call in page.calls {
        let absent = Set(page.absent[call]?.split(separator: " ").map(String.init) ?? [])
        table[call] = rows(of: sources).filter { !absent.contains($0.name) }
      }
    }
    return table
  }()

  /// The pages' errors, each once: what an earlier page says of it holds.
  private static func rows(of pages: [ManualPage]) -> [Row] {
    var names: Set<String> = []
    let rows = pages.flatMap(\.rows).filter { names.insert($0.name).inserted }
    return Circumstance.allCases.flatMap { circumstance in
      rows.filter { $0.circumstance == circumstance }
    }
  }
}
