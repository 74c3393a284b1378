internal import CCodings
internal import NIOCore

extension ContentCoding {
  /// The decoded bytes, or their beginning.
  struct Decoded {
    var bytes: ByteBuffer
    /// True if this is all of it.
    var isWhole: Bool
  }

  /// The bytes that are decoded between two checks of the bound.
  private static let pieceLength = 64 * 1024

  /// Unpacks bytes.
  ///
  /// - Parameters:
  ///   - isWhole: whether these are all; a part is unpacked as far as it goes.
  ///   - limit: how much is kept at most; the rest is not even unpacked.
  func decode(
    _ bytes: ByteBuffer, isWhole: Bool, limit: Int
  ) throws(DecodingError) -> Decoded {
    let result: Decoded? =
      switch self {
      case .gzip: inflate(bytes, window: 15 + 16, limit)
      // Many clients send the bare stream where RFC 9110, section 8.4.1.2, asks for zlib's.
      case .deflate: inflate(bytes, window: 15, limit) ?? inflate(bytes, window: -15, limit)
      case .br: decodeBrotli(bytes, limit)
      case .zstd: decodeZstandard(bytes, limit)
      }
    guard let result, result.isWhole || !isWhole || result.bytes.readableBytes >= limit else {
      throw DecodingError(
        message: "the body cannot be decoded as \"\(rawValue)\"")
    }
    return result
  }

  /// - Returns: `nil` if the bytes are no such stream.
  private func inflate(_ bytes: ByteBuffer, window: Int32, _ limit: Int) -> Decoded? {
    var stream = z_stream()
    guard
      inflateInit2_(&stream, window, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { inflateEnd(&stream) }
    var output = ByteBuffer()
    var result = Z_OK
    bytes.withUnsafeReadableBytes { input in
      stream.next_in = UnsafeMutablePointer(
        mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
      stream.avail_in = UInt32(truncatingIfNeeded: input.count)
      var before: (UInt32, Int)
      repeat {
        before = (stream.avail_in, output.readableBytes)
        let room = min(Self.pieceLength, limit - output.readableBytes)
        output.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { space in
          stream.next_out = space.baseAddress?.assumingMemoryBound(to: UInt8.self)
          stream.avail_out = UInt32(truncatingIfNeeded: room)
          result = CCodings.inflate(&stream, Z_NO_FLUSH)
          return room - Int(stream.avail_out)
        }
        // RFC 1952, section 2.2: members may follow each other.
        if result == Z_STREAM_END, stream.avail_in > 0, window > 15 {
          result = inflateReset(&stream)
        }
      } while result == Z_OK && output.readableBytes < limit
        && before != (stream.avail_in, output.readableBytes)
    }
    guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else { return nil }
    return Decoded(bytes: output, isWhole: result == Z_STREAM_END)
  }

  private func decodeBrotli(_ bytes: ByteBuffer, _ limit: Int) -> Decoded? {
    guard let decoder = BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
    defer { BrotliDecoderDestroyInstance(decoder) }
    var output = ByteBuffer()
    var result = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT
    bytes.withUnsafeReadableBytes { input in
      var count = input.count
      var next = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
      while result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT, output.readableBytes < limit {
        let wanted = min(Self.pieceLength, limit - output.readableBytes)
        output.writeWithUnsafeMutableBytes(minimumWritableBytes: wanted) { space in
          var room = wanted
          var place = space.baseAddress?.assumingMemoryBound(to: UInt8.self)
          result = BrotliDecoderDecompressStream(decoder, &count, &next, &room, &place, nil)
          return wanted - room
        }
      }
    }
    guard result != BROTLI_DECODER_RESULT_ERROR else { return nil }
    return Decoded(bytes: output, isWhole: result == BROTLI_DECODER_RESULT_SUCCESS)
  }

  private func decodeZstandard(_ bytes: ByteBuffer, _ limit: Int) -> Decoded? {
    guard let decoder = ZSTD_createDCtx() else { return nil }
    defer { ZSTD_freeDCtx(decoder) }
    var output = ByteBuffer()
    var left = 1
    bytes.withUnsafeReadableBytes { input in
      var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
      var before: (Int, Int)
      repeat {
        before = (source.pos, output.readableBytes)
        let wanted = min(Self.pieceLength, limit - output.readableBytes)
        output.writeWithUnsafeMutableBytes(minimumWritableBytes: wanted) { space in
          var room = ZSTD_outBuffer(dst: space.baseAddress, size: wanted, pos: 0)
          left = ZSTD_decompressStream(decoder, &room, &source)
          return room.pos
        }
      } while ZSTD_isError(left) == 0 && output.readableBytes < limit
        && before != (source.pos, output.readableBytes)
        && (left > 0 || source.pos < source.size)
    }
    guard ZSTD_isError(left) == 0 else { return nil }
    return Decoded(bytes: output, isWhole: left == 0)
  }
}
