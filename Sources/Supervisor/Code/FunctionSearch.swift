/// The objects of one address space in which functions have been searched, and the functions found.
struct FunctionSearch {
  private struct Function: Hashable {
    var point: Int
    var name: String
  }

  /// The addresses of the objects' code.
  private var objects: Set<UInt64> = []
  /// The object, by its functions.
  private var objectsByFunction: [Function: UInt64] = [:]

  /// Begins with an object; false if it has been searched.
  mutating func begin(_ object: UInt64) -> Bool { objects.insert(object).inserted }

  /// Records that a function of a point is in an object.
  mutating func record(_ name: String, of point: Int, in object: UInt64) {
    objectsByFunction[Function(point: point, name: name)] = object
  }

  /// Returns whether a function of a point has been found in an object.
  func hasFound(_ name: String, of point: Int) -> Bool {
    objectsByFunction[Function(point: point, name: name)] != nil
  }

  /// Forgets an object; false if it was not searched.
  mutating func forget(_ object: UInt64) -> Bool {
    guard objects.remove(object) != nil else { return false }
    objectsByFunction = objectsByFunction.filter { $0.value != object }
    return true
  }
}
