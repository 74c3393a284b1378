/// One of the target's two output streams.
package enum StandardStream: String, Sendable {
  /// Standard output.
  case output = "stdout"
  /// Standard error.
  case error = "stderr"
}
