/// What files of a name contain when targets create them to read and write them.
package struct FileTemplate: Sendable {
  /// The name, without a folder.
  package let name: String
  /// The folder below which such files are; those elsewhere begin empty.
  package let folder: String
  /// What they contain at first.
  package let contents: [UInt8]

  /// Creates a template.
  package init(name: String, folder: String, contents: [UInt8]) {
    self.name = name
    self.folder = folder
    self.contents = contents
  }
}
