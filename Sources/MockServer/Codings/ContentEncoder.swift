internal import CCodings
internal import NIOCore

/// Packs a body piece by piece; what has been put in can be unpacked from what has come out.
final class ContentEncoder {
  /// The size of an output buffer, in bytes.
  private static let pieceLength = 64 * 1024

  private enum State {
    case zlib(UnsafeMutablePointer<z_stream>)
    case brotli(OpaquePointer)
    case zstandard(OpaquePointer)
  }

  private let state: State

  /// - Returns: `nil` if there is no memory for it.
  init?(_ coding: ContentCoding) {
    switch coding {
    case .gzip, .deflate:
      let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
      stream.initialize(to: z_stream())
      // zlib.h: 15 bits of window, 16 more for a gzip header, whose time stays zero.
      let window: Int32 = coding == .gzip ? 15 + 16 : 15
      let result = deflateInit2_(
        stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size))
      guard result == Z_OK else {
        stream.deallocate()
        return nil
      }
      state = .zlib(stream)
    case .br:
      guard let encoder = BrotliEncoderCreateInstance(nil, nil, nil) else { return nil }
      BrotliEncoderSetParameter(encoder, BROTLI_PARAM_QUALITY, 5)
      state = .brotli(encoder)
    case .zstd:
      guard let encoder = ZSTD_createCCtx() else { return nil }
      state = .zstandard(encoder)
    }
  }

  deinit {
    switch state {
    case .zlib(let stream):
      deflateEnd(stream)
      stream.deallocate()
    case .brotli(let encoder): BrotliEncoderDestroyInstance(encoder)
    case .zstandard(let encoder): ZSTD_freeCCtx(encoder)
    }
  }

  /// Packs a piece.
  func encode(_ part: ByteBuffer, isLast: Bool) -> ByteBuffer {
    var output = ByteBuffer()
    part.withUnsafeReadableBytes { input in
      switch state {
      case .zlib(let stream): deflate(input, stream, isLast, into: &output)
      case .brotli(let encoder): compress(input, encoder, isLast, into: &output)
      case .zstandard(let encoder): squeeze(input, encoder, isLast, into: &output)
      }
    }
    return output
  }

  private func deflate(
    _ input: UnsafeRawBufferPointer, _ stream: UnsafeMutablePointer<z_stream>, _ isLast: Bool,
    into output: inout ByteBuffer
  ) {
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(truncatingIfNeeded: input.count)
    repeat {
      output.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.pieceLength) { space in
        stream.pointee.next_out = space.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(truncatingIfNeeded: space.count)
        CCodings.deflate(stream, isLast ? Z_FINISH : Z_SYNC_FLUSH)
        return space.count - Int(stream.pointee.avail_out)
      }
    } while stream.pointee.avail_out == 0
  }

  private func compress(
    _ input: UnsafeRawBufferPointer, _ encoder: OpaquePointer, _ isLast: Bool,
    into output: inout ByteBuffer
  ) {
    var count = input.count
    var next = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let operation = isLast ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_FLUSH
    var isSound = true
    repeat {
      output.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.pieceLength) { space in
        var room = space.count
        var place = space.baseAddress?.assumingMemoryBound(to: UInt8.self)
        isSound =
          BrotliEncoderCompressStream(encoder, operation, &count, &next, &room, &place, nil) != 0
        return space.count - room
      }
    } while isSound && (count > 0 || BrotliEncoderHasMoreOutput(encoder) != 0)
  }

  private func squeeze(
    _ input: UnsafeRawBufferPointer, _ encoder: OpaquePointer, _ isLast: Bool,
    into output: inout ByteBuffer
  ) {
    var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
    var left = 0
    repeat {
      output.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.pieceLength) { space in
        var room = ZSTD_outBuffer(dst: space.baseAddress, size: space.count, pos: 0)
        left = ZSTD_compressStream2(encoder, &room, &source, isLast ? ZSTD_e_end : ZSTD_e_flush)
        return room.pos
      }
    } while left > 0 && ZSTD_isError(left) == 0
  }
}
