/// Whom a file that the runner makes is for.
enum FileOwner {
  /// A case: the mask of the runner's user (umask(2)) must not decide what a target finds.
  case run
  /// The user, whose mask holds; it is an error if something stands there, be it a link.
  case user
}
