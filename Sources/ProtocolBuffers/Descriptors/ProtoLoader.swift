internal import Foundations
internal import OrderedCollections

/// Reads .proto files and descriptor sets, with all that they import.
package struct ProtoLoader {
  /// A file that has been read.
  private struct Loaded {
    var file: ProtoFile
    /// Its description, where a set has it.
    var bytes: [UInt8]?
  }

  private static let importLimit = 200

  private let roots: [String]
  private let read: (String) -> [UInt8]?
  private var loaded: OrderedDictionary<String, Loaded> = [:]
  private var nameByPath: [String: String] = [:]
  private var order: OrderedSet<String> = []
  private var underWay: Set<String> = []
  private var problems: [ProtoProblem] = []

  /// Reads files.
  ///
  /// - Parameters:
  ///   - paths: .proto files; anything else is a descriptor set.
  ///   - roots: the folders that imports count from, before the folder of the importing file.
  ///   - read: the content of a file; `nil` if there is none.
  /// - Returns: Their types, and what is wrong with them; without mistakes they can be used.
  package static func load(
    _ paths: [String], roots: [String] = [], read: @escaping (String) -> [UInt8]?
  ) -> (pool: DescriptorPool, problems: [ProtoProblem]) {
    var loader = ProtoLoader(roots: roots, read: read)
    // A set is complete: what it has comes before what is built in.
    for path in paths where !isSource(path) { loader.loadSet(path) }
    for path in paths where isSource(path) { loader.loadSource(path) }
    for name in loader.loaded.keys { loader.visit(name, from: nil, depth: 0) }
    guard loader.problems.isEmpty else { return (DescriptorPool(), loader.problems) }
    return loader.link()
  }

  /// Returns whether a path is that of a .proto file.
  package static func isSource(_ path: String) -> Bool { path.hasSuffix(".proto") }

  private init(roots: [String], read: @escaping (String) -> [UInt8]?) {
    self.roots = roots
    self.read = read
  }

  private mutating func link() -> (pool: DescriptorPool, problems: [ProtoProblem]) {
    let files = order.compactMap { loaded[$0] }
    var (pool, problems) = Linker.link(files.map(\.file))
    guard problems.isEmpty else { return (pool, problems) }
    for index in files.indices {
      if let bytes = files[index].bytes {
        pool.files[index].descriptor = bytes
      } else {
        var writer = DescriptorWriter(pool.files[index].definition, in: pool)
        pool.files[index].descriptor = writer.write()
        problems += writer.problems
      }
    }
    return (pool, problems)
  }

  // MARK: - Files

  private mutating func loadSource(_ path: String) {
    let path = Self.plain(path)
    guard nameByPath[path] == nil else { return }
    let folders = roots.map { Self.plain($0) }.filter { $0.isEmpty || path.hasPrefix($0 + "/") }
    let root = folders.max { $0.count < $1.count }
    let name =
      root.map { $0.isEmpty ? path : String(path.dropFirst($0.count + 1)) }
      ?? path.split(separator: "/").last.map(String.init) ?? path
    guard let bytes = read(path) else {
      return problems.append(
        ProtoProblem(
          "the file cannot be read", in: path, at: nil, help: "name a readable regular file"))
    }
    add(bytes, name: name, path: path)
  }

  private mutating func add(_ bytes: [UInt8], name: String, path: String) {
    nameByPath[path] = name
    if let other = loaded[name] {
      return problems.append(
        ProtoProblem(
          "\"\(name)\" is also the name of \(other.file.path)", in: path, at: nil,
          help: "name the folder that imports count from in \"roots\""))
    }
    do throws(ProtoProblem) {
      loaded[name] = Loaded(file: try ProtoParser.parse(bytes, name: name, path: path))
    } catch {
      // So that it is reported once.
      loaded[name] = Loaded(file: ProtoFile(name: name, path: path))
      problems.append(error)
    }
  }

  private mutating func loadSet(_ path: String) {
    guard let bytes = read(path) else {
      return problems.append(
        ProtoProblem(
          "the file cannot be read", in: path, at: nil, help: "name a readable regular file"))
    }
    do throws(ProtoProblem) {
      for (file, bytes) in try DescriptorReader.read(bytes, path: path) {
        if let other = loaded[file.name] {
          guard other.bytes != bytes else { continue }
          throw ProtoProblem(
            "\"\(file.name)\" is in \(other.file.path), too, and differs there", in: path, at: nil,
            help: "write both sets from the same files")
        }
        loaded[file.name] = Loaded(file: file, bytes: bytes)
      }
    } catch {
      problems.append(error)
    }
  }

  // MARK: - Imports

  /// Orders a file behind those that it imports, which are read if need be.
  private mutating func visit(_ name: String, from: (ProtoFile, ProtoLocation?)?, depth: Int) {
    guard let entry = loaded[name], !order.contains(name) else { return }
    if underWay.contains(name) || depth > Self.importLimit {
      if let (file, location) = from {
        problems.append(
          ProtoProblem(
            depth > Self.importLimit
              ? "imports are nested more than \(Self.importLimit) deep"
              : "\"\(name)\" imports itself, directly or through others", in: file.path,
            at: location, help: "remove one of the imports"))
      }
      return
    }
    underWay.insert(name)
    for (index, imported) in entry.file.imports.enumerated() {
      guard loaded.count < ProtoLimits.files else { break }
      guard let found = find(imported.path, from: entry) else { continue }
      loaded[name]?.file.imports[index].path.text = found
      visit(found, from: (entry.file, imported.path.location), depth: depth + 1)
    }
    underWay.remove(name)
    order.append(name)
  }

  /// The name of an imported file, which is read if need be; `nil` with a report if there is none.
  private mutating func find(_ name: ProtoName, from entry: Loaded) -> String? {
    if entry.bytes == nil {
      let folder = PathText.folder(of: entry.file.path)
      for root in roots + [folder] {
        let path = Self.plain(PathText.join(root, name.text))
        if let known = nameByPath[path] { return known }
        if loaded[name.text] != nil { continue }
        guard let bytes = read(path) else { continue }
        add(bytes, name: name.text, path: path)
        return name.text
      }
    }
    if loaded[name.text] != nil { return name.text }
    if let text = BuiltInFiles.text(named: name.text) {
      add(Array(text.utf8), name: name.text, path: name.text)
      return name.text
    }
    let folders = (roots + [PathText.folder(of: entry.file.path)]).map { $0.isEmpty ? "." : $0 }
    problems.append(
      ProtoProblem(
        "\"\(name.text)\" is imported, and cannot be found", in: entry.file.path, at: name.location,
        help: entry.bytes != nil
          ? "write the set with protoc --include_imports"
          : "add the folder that imports count from to \"roots\"; looked in "
            + Self.unique(folders).joined(separator: ", ")))
    return nil
  }

  private static func unique(_ texts: [String]) -> [String] {
    OrderedSet(texts).elements
  }

  /// A path without `.` and `..`, as far as text alone allows; empty for the folder at hand.
  private static func plain(_ path: String) -> String {
    let joined = PathText.join("", path)
    return joined == "." ? "" : joined
  }
}
