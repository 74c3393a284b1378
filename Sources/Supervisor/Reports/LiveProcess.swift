/// A process of the target's tree that lives.
package struct LiveProcess: Sendable, Hashable {
  /// The kernel's number of it.
  package var number: Int32
  /// Its number among the processes of the scenario, in start order, from 1.
  package var ordinal: Int
  /// The program's name without its folder.
  package var program: String
  /// The program that it runs, with its arguments.
  package var arguments: [String]
}
