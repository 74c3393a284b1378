import Foundations
import Glibc
import Testing

@Suite("Entries of folders")
struct FolderEntryTests {
  @Test("The name of an entry is read where the memory ends right behind it")
  func end() throws {
    let size = Int(sysconf(Int32(_SC_PAGESIZE)))
    let pages = try #require(
      mmap(nil, size * 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    defer { munmap(pages, size * 2) }
    try #require(mprotect(pages + size, size, PROT_NONE) == 0)
    let name = Array("last".utf8) + [0]
    let offset = try #require(MemoryLayout<dirent>.offset(of: \.d_name))
    let entry = pages + size - (offset + name.count)
    (entry + offset).copyMemory(from: name, byteCount: name.count)

    let read = entry.assumingMemoryBound(to: dirent.self).name
    #expect(Array(read) == Array("last".utf8))
  }
}
