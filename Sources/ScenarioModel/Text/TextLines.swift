extension StringProtocol where SubSequence == Substring {
  /// The lines of the text, between line feeds; the last one is empty where the text ends with one.
  ///
  /// What Swift takes for a letter may be a carriage return and a line feed in one, which
  /// `split(separator: "\n")` does not see.
  public var linesBetweenFeeds: [Substring] {
    let scalars = self[...].unicodeScalars
    return scalars.split(separator: "\n", omittingEmptySubsequences: false).map { Substring($0) }
  }
}

extension Substring {
  /// The line without the carriage return that stands before a line feed in texts of the network and
  /// of Windows.
  public var withoutReturn: Substring {
    unicodeScalars.last == "\r" ? Substring(unicodeScalars.dropLast()) : self
  }
}
