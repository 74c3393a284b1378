/// `replies:` of a document or a schema: where the replies come from that no entry of `responses:` gives.
package enum DescribedReplySource: String, Sendable, CaseIterable {
  /// From the description: its examples, or values that its schemas allow.
  case examples
  /// From nowhere: the description is there to check.
  case none
}
