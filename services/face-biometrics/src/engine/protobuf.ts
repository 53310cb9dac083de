/** One field of a protobuf message (protobuf encoding, "Message structure"), as positions in the buffer. */
export type ProtobufField = {
  number: number
  wireType: number
  /** Where the field begins, with its tag. */
  start: number
  /** Where its value begins: for length-delimited fields, the first byte of the content. */
  contentStart: number
  end: number
}

export function readVarint(bytes: Uint8Array, offset: number): { value: number; next: number } {
  let value = 0
  for (let index = 0; index < 10; index += 1) {
    const byte = bytes[offset + index]
    if (byte === undefined) throw new RangeError('protobuf: a varint ends beyond the buffer')
    // Multiply, because a shift would wrap at 32 bits; lengths here stay far below 2^53.
    value += (byte & 0x7f) * 2 ** (7 * index)
    if (byte < 0x80) return { value, next: offset + index + 1 }
  }
  throw new RangeError('protobuf: a varint has more than ten bytes')
}

export function writeVarint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
  bytes.push(rest)
  return Uint8Array.from(bytes)
}

/** The fields of the message between `start` and `end`. Throws a RangeError if it is not a valid message. */
export function* protobufFields(
  bytes: Uint8Array,
  start: number = 0,
  end: number = bytes.length,
): Generator<ProtobufField> {
  let offset = start
  while (offset < end) {
    const tag = readVarint(bytes, offset)
    const wireType = tag.value % 8
    let contentStart = tag.next
    let next: number
    if (wireType === 0) next = readVarint(bytes, tag.next).next
    else if (wireType === 1) next = tag.next + 8
    else if (wireType === 5) next = tag.next + 4
    else if (wireType === 2) {
      const length = readVarint(bytes, tag.next)
      contentStart = length.next
      next = length.next + length.value
    } else throw new RangeError(`protobuf: wire type ${wireType} is not in use`)
    if (next > end) throw new RangeError('protobuf: a field ends beyond its message')
    yield { number: Math.floor(tag.value / 8), wireType, start: offset, contentStart, end: next }
    offset = next
  }
}
