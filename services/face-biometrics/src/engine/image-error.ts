/** Why an image was rejected. */
export type ImageFault =
  | 'not_an_image'
  | 'too_many_bytes'
  | 'too_many_pixels'
  | 'too_small'
  | 'animated'
  | 'corrupt'
  | 'no_face'

const reasons: Record<ImageFault, string> = {
  not_an_image: 'not an image; JPEG, PNG or WebP is expected',
  too_many_bytes: 'too large; at most 10 MB are taken',
  too_many_pixels: 'too large; at most 50 megapixels are taken',
  too_small: 'too small; both sides must have at least 32 pixels',
  animated: 'animated; a single picture is expected',
  corrupt: 'not an image that can be decoded; the file is damaged or incomplete',
  no_face: 'no face found',
}

/** The image cannot be used. The message states which one and why, and reveals nothing of its content. */
export class ImageError extends Error {
  override readonly name = 'ImageError'
  readonly fault: ImageFault
  /** The caller's name for the image, such as `image_a`. */
  readonly subject: string

  constructor(fault: ImageFault, options: { subject?: string; cause?: unknown } = {}) {
    const subject = options.subject ?? 'image'
    super(`${subject}: ${reasons[fault]}`, { cause: options.cause })
    this.fault = fault
    this.subject = subject
  }
}

/** Runs `work` so that an ImageError it throws names `subject`. */
export async function namingImage<T>(subject: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof ImageError ? new ImageError(error.fault, { subject, cause: error.cause }) : error
  }
}
