internal import Foundations
internal import OrderedCollections
internal import ScenarioModel

/// One change of data: its place, its way, and the result.
struct ValueMutation: Hashable, Sendable {
  /// The change to the place.
  enum Effect: Hashable, Sendable {
    /// The value is replaced by another.
    case replaced(Value)
    /// Its key or element is gone.
    case removed
  }

  /// The place, from the root of what is changed.
  var path: [PathStep]
  /// The place's number in the order in which the data is read, from 0 for the root.
  var ordinal: Int
  /// The way of changing.
  var kind: MutationKind
  /// The value before.
  var original: Value
  /// The change.
  var effect: Effect
}

/// A place in data that can be changed.
struct MutablePlace: Hashable, Sendable {
  /// The place, from the root.
  var path: [PathStep]
  /// Its number in the order in which the data is read.
  var ordinal: Int
  /// The value at the place.
  var value: Value
}

extension Value {
  /// The value and all parts of it, each before its own parts.
  func places() -> [MutablePlace] {
    var places: [MutablePlace] = []
    var pending: [(path: [PathStep], value: Value)] = [([], self)]
    while let (path, value) = pending.popLast() {
      places.append(MutablePlace(path: path, ordinal: places.count, value: value))
      switch value {
      case .map(let members):
        for (key, member) in members.reversed() { pending.append((path + [.key(key)], member)) }
      case .list(let elements):
        for (index, element) in elements.enumerated().reversed() {
          pending.append((path + [.index(index)], element))
        }
      default: break
      }
    }
    return places
  }

  /// Returns the value with changes made, none of which is within another.
  func applying(_ mutations: [ValueMutation]) -> Value {
    // From behind, so that indexes in front keep their meaning.
    mutations.sorted { $0.ordinal > $1.ordinal }.reduce(self) { value, mutation in
      value.changed(at: mutation.path[...], mutation.effect)
    }
  }

  /// Looks a place up; `nil` if there is no such place.
  func part(at path: some Collection<PathStep>) -> Value? {
    var current = self
    for step in path {
      switch (step, current) {
      case (.key(let key), .map(let members)):
        guard let member = members[key] else { return nil }
        current = member
      case (.index(let index), .list(let elements)) where elements.indices.contains(index):
        current = elements[index]
      default: return nil
      }
    }
    return current
  }

  /// The value with one place changed; the value itself if there is no such place.
  func changed(at path: ArraySlice<PathStep>, _ effect: ValueMutation.Effect) -> Value {
    guard let step = path.first else {
      if case .replaced(let value) = effect { return value }
      return self
    }
    let rest = path.dropFirst()
    let isRemoved = rest.isEmpty && effect == .removed
    switch (step, self) {
    case (.key(let key), .map(var members)):
      members[key] = isRemoved ? nil : members[key]?.changed(at: rest, effect)
      return .map(members)
    case (.index(let index), .list(var elements)) where elements.indices.contains(index):
      if isRemoved {
        elements.remove(at: index)
      } else {
        elements[index] = elements[index].changed(at: rest, effect)
      }
      return .list(elements)
    default: return self
    }
  }
}
