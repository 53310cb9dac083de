import fc, { type Arbitrary } from 'fast-check'

type Change = { at: number; how: 'flip' | 'set' | 'cut' | 'repeat' | 'drop' | 'length'; value: number }

/** A real file with one to eight bytes, runs or lengths changed, so that most of it remains valid. */
export const mutated = (original: Buffer): Arbitrary<Buffer> =>
  fc
    .array(
      fc.record<Change>({
        // Half of the changes are in the header, where a format describes the rest.
        at: fc.oneof(fc.nat(Math.min(600, original.length - 1)), fc.nat(original.length - 1)),
        how: fc.constantFrom('flip', 'flip', 'set', 'set', 'length', 'repeat', 'drop', 'cut'),
        value: fc.nat(0xffff),
      }),
      { minLength: 1, maxLength: 8 },
    )
    .map((changes) => changes.reduce(change, Buffer.from(original)))

function change(bytes: Buffer, { at, how, value }: Change): Buffer {
  if (at >= bytes.length) return bytes
  switch (how) {
    case 'flip':
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (value % 8))
      return bytes
    case 'set':
      bytes[at] = [0x00, 0xff, 0x7f, 0x80, value & 0xff][value % 5] ?? 0
      return bytes
    case 'length':
      if (at + 2 <= bytes.length) bytes.writeUInt16BE(value, at)
      return bytes
    case 'repeat': {
      const piece = bytes.subarray(at, at + (value % 64) + 1)
      return Buffer.concat([bytes.subarray(0, at), piece, piece, bytes.subarray(at)])
    }
    case 'drop':
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + (value % 64) + 1)])
    case 'cut':
      return bytes.subarray(0, at)
  }
}
