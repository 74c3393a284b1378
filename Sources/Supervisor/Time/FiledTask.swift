/// A deadline of a party outside the target that is filed.
struct FiledTask {
  /// Its number.
  var number: UInt64
  /// Its place on the timeline.
  var ticket: Timeline<WaitOwner>.Ticket?
}
