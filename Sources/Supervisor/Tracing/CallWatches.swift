/// The observers of the exits of a thread's calls.
final class CallWatches {
  private struct Observer {
    let owner: ObjectIdentifier
    let observe: (Registers) -> Bool
  }

  private var observers: [Observer] = []
  private var exits: [(Registers?) -> Void] = []

  /// True if no exit is to be shown.
  var isEmpty: Bool { observers.isEmpty && exits.isEmpty }

  /// True if each call is observed, also those that the filter does not show.
  var seesAll: Bool { !observers.isEmpty }

  /// True if the exit of the present call is awaited.
  var awaitsExit: Bool { !exits.isEmpty }

  // MARK: - Each call

  /// Shows each call at its exit to an owner; replaces the owner's earlier observation.
  ///
  /// - Parameter observe: takes the registers at a call's exit; returns whether it wants to see more.
  func observe(for owner: AnyObject, _ observe: @escaping (Registers) -> Bool) {
    stopObserving(for: owner)
    observers.append(Observer(owner: ObjectIdentifier(owner), observe: observe))
  }

  /// Shows calls to an owner no more.
  func stopObserving(for owner: AnyObject) {
    if !observers.isEmpty { observers.removeAll { $0.owner == ObjectIdentifier(owner) } }
  }

  /// Ends the observation of calls.
  func stopObserving() { observers = [] }

  /// Shows a call to those who see each.
  func show(_ exit: Registers) { observers.removeAll { !$0.observe(exit) } }

  // MARK: - One call

  /// Shows the exit of the call that is being made; `nil` if it will not be seen to end.
  func awaitExit(_ exit: @escaping (Registers?) -> Void) { exits.append(exit) }

  /// Ends the call: shows its exit to those who await it, in the order in which they asked.
  func end(_ exit: Registers?) {
    guard !exits.isEmpty else { return }
    let ended = exits
    exits.removeAll(keepingCapacity: true)
    for show in ended { show(exit) }
  }
}
