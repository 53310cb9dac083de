import { badRequest } from '@kyc/common'

/** Detects the image type by its first bytes; the type declared by the client is ignored. */
export function contentTypeOf(bytes: Buffer, field: string): string {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg'
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])))
    return 'image/png'
  if (
    bytes.subarray(0, 4).toString('latin1') === 'RIFF' &&
    bytes.subarray(8, 12).toString('latin1') === 'WEBP'
  ) {
    return 'image/webp'
  }
  throw badRequest(`${field}: must be a JPEG, PNG or WebP image`)
}
