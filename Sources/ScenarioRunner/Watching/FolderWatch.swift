internal import Foundations
internal import Glibc

/// Reports what changes in folders, by inotify(7).
package final class FolderWatch {
  /// A change in a folder.
  package enum Event: Sendable, Hashable {
    /// A file was written, or put there, or may be used otherwise by its mode.
    case written(String)
    /// A file was taken away.
    case removed(String)
    /// A folder came or went.
    case folders(String)
    /// More has happened than the kernel could report.
    case overflow
  }

  /// Readable when something has happened.
  package let descriptor: Int32

  /// The folders by the numbers that the kernel gives to them; several paths may lead to one.
  private var folders: [Int32: Set<String>] = [:]
  private var watched: [String: Int32] = [:]

  private static let mask =
    UInt32(IN_CLOSE_WRITE) | UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM)
    | UInt32(IN_MOVED_TO) | UInt32(IN_ATTRIB) | UInt32(IN_ONLYDIR)

  /// Creates a watch of nothing; `nil`, with errno set, if the kernel gives none.
  package init?() {
    descriptor = inotify_init1(Int32(bitPattern: UInt32(IN_CLOEXEC) | UInt32(IN_NONBLOCK)))
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Watches these folders and no others.
  ///
  /// Of one that is not there the nearest above it is watched, so that it
  /// can be watched when it comes.
  ///
  /// - Returns: A folder that cannot be watched, with errno; `nil` if all are.
  package func watch(_ wanted: Set<String>) -> (folder: String, errorNumber: Int32)? {
    var goal: Set<String> = []
    var refusal: (String, Int32)?
    for folder in wanted {
      var place = folder
      while !goal.contains(place) {
        let number = inotify_add_watch(descriptor, place.isEmpty ? "/" : place, Self.mask)
        if number >= 0 {
          folders[number, default: []].insert(place)
          watched[place] = number
          goal.insert(place)
          break
        }
        guard errno == ENOENT || errno == ENOTDIR, place.count > 1 else {
          refusal = refusal ?? (place, errno)
          break
        }
        place = place.parentFolder
      }
    }
    for (folder, number) in watched where !goal.contains(folder) {
      watched[folder] = nil
      folders[number]?.remove(folder)
      guard folders[number]?.isEmpty ?? false else { continue }
      folders[number] = nil
      inotify_rm_watch(descriptor, number)
    }
    return refusal
  }

  /// Removes and returns the changes since the last call; does not wait.
  package func events() -> [Event] {
    var events: [Event] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return events }
      buffer.withUnsafeBytes { bytes in
        var offset = 0
        // `struct inotify_event`: the watch, what has happened, a cookie, the name's length, the name.
        while offset + 16 <= count {
          let number = bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)
          let mask = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
          let length = Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
          let name = bytes[(offset + 16)..<min(count, offset + 16 + length)].prefix { $0 != 0 }
          offset += 16 + length
          let news = self.events(number, mask, String(decoding: name, as: UTF8.self))
          // Who writes a file often sets its mode as well.
          if news != events.suffix(news.count) { events += news }
        }
      }
    }
  }

  private func events(_ number: Int32, _ mask: UInt32, _ name: String) -> [Event] {
    if mask & UInt32(IN_Q_OVERFLOW) != 0 { return [.overflow] }
    let places = folders[number] ?? []
    // The watch is gone, and with it the folder.
    if mask & UInt32(IN_IGNORED) != 0 {
      folders[number] = nil
      for place in places { watched[place] = nil }
      return places.map { .folders($0) }
    }
    guard !name.isEmpty else { return [] }
    return places.compactMap { folder in
      event(mask, at: folder == "/" || folder.isEmpty ? "/\(name)" : "\(folder)/\(name)")
    }
  }

  private func event(_ mask: UInt32, at path: String) -> Event? {
    if mask & UInt32(IN_ISDIR) != 0 {
      return mask & UInt32(IN_ATTRIB) == 0 ? .folders(path) : nil
    }
    if mask & (UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM)) != 0 { return .removed(path) }
    // What was only just made is still to be written, unless it is another name of what is there.
    if mask & UInt32(IN_CREATE) != 0, FileStatus(path: path)?.nameCount == 1, !Self.isLink(path) {
      return nil
    }
    return .written(path)
  }

  private static func isLink(_ path: String) -> Bool {
    var buffer: CChar = 0
    return readlink(path, &buffer, 1) >= 0
  }
}
