@testable import Supervisor
import Testing

@Suite("What is mounted where")
struct MountTableTests {
  private let table = MountTable(
    text: """
      25 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
      30 25 0:30 / /tmp rw - tmpfs tmpfs rw
      31 25 8:1 /srv/a\\040b /mnt/a\\040b rw - ext4 /dev/sda1 rw
      32 30 8:1 /srv /tmp/case/m rw - ext4 /dev/sda1 rw
      33 30 0:44 / /tmp/case/own rw - tmpfs tmpfs rw
      34 30 8:1 /home /home2 rw - ext4 /dev/sda1 rw
      broken

      """)

  private func others(_ path: String, _ mount: Int) throws -> [String] {
    let row = try #require(table[mount])
    return table.otherPaths(of: Array(path.utf8), in: row).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test("A file is found by the other mounts of its disk that show it")
  func otherPaths() throws {
    #expect(table.rows.count == 6)
    #expect(try others("/tmp/case/m/x/y", 32) == ["/srv/x/y"])
    #expect(try others("/tmp/case/m", 32) == ["/srv"])
    #expect(try others("/tmp/case/m/a b", 32) == ["/mnt/a b", "/srv/a b"])
    #expect(try others("/tmp/case/m/a b/z", 32) == ["/mnt/a b/z", "/srv/a b/z"])
    #expect(try others("/tmp/case/m/a bc", 32) == ["/srv/a bc"])
    #expect(try others("/srv/q", 25) == ["/tmp/case/m/q"])
  }

  @Test("A mount of another namespace is a copy where disk, folder and place are the same")
  func copies() throws {
    let other = MountTable(
      text: """
        925 901 8:1 / / rw,relatime - ext4 /dev/sda1 rw
        931 925 8:1 /srv/a\\040b /mnt/a\\040b rw - ext4 /dev/sda1 rw
        932 930 8:1 /srv /tmp/elsewhere rw - ext4 /dev/sda1 rw
        933 930 8:1 /home /mnt/a\\040b rw - ext4 /dev/sda1 rw

        """)
    func isCopy(_ number: Int) throws -> Bool {
      table.hasCopy(try #require(other[number]), among: [25, 31, 32])
    }
    #expect(try isCopy(925) && isCopy(931))
    #expect(try !isCopy(932) && !isCopy(933))
    #expect(try !table.hasCopy(#require(other[931]), among: [25]))
  }

  @Test("A disk that is mounted once has no other paths, nor has a path that another mount holds")
  func none() throws {
    #expect(try others("/tmp/case/own/x", 33).isEmpty)
    #expect(try others("/etc/x", 32).isEmpty)
    #expect(table[99] == nil)
  }
}
