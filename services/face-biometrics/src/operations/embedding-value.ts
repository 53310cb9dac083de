import { z } from 'zod'

/** Dimension of an SFace embedding. */
export const EMBEDDING_SIZE = 128
/** The sealing context of embeddings. */
export const EMBEDDING_CONTEXT = 'face.embedding'

const stored = z.object({ float32: z.base64() })

/** The sealed format of an embedding: 32-bit floats, little endian. */
export function toStoredEmbedding(embedding: Float32Array): z.infer<typeof stored> {
  const bytes = Buffer.alloc(embedding.length * 4)
  for (const [index, value] of embedding.entries()) bytes.writeFloatLE(value, index * 4)
  return { float32: bytes.toString('base64') }
}

/** Throws if the value is not in the format of `toStoredEmbedding`. */
export function fromStoredEmbedding(value: unknown): Float32Array {
  const bytes = Buffer.from(stored.parse(value).float32, 'base64')
  if (bytes.length !== EMBEDDING_SIZE * 4) throw new RangeError(`an embedding of ${bytes.length} bytes`)
  return Float32Array.from({ length: EMBEDDING_SIZE }, (_, index) => bytes.readFloatLE(index * 4))
}
