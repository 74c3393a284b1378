extension DescriptorPool {
  /// The pool as a `google.protobuf.FileDescriptorSet`.
  package var descriptorSet: [UInt8] {
    var writer = WireWriter()
    for file in files {
      writer.tag(1, .length)
      writer.delimited(file.descriptor)
    }
    return writer.bytes
  }

  /// The pool that a set describes; `nil` if it is none.
  package init?(descriptorSet bytes: [UInt8]) {
    let name = "set.binpb"
    let (pool, problems) = ProtoLoader.load([name]) { $0 == name ? bytes : nil }
    guard problems.isEmpty else { return nil }
    self = pool
  }
}
