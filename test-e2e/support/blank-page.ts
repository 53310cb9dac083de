import { Jimp } from 'jimp'

/** A photo of a blank page: every quality attempt fails, and the last one is accepted with its warnings. */
export const blankPage = async (): Promise<Buffer> =>
  new Jimp({ width: 640, height: 480, color: 0x88_88_88_ff }).getBuffer('image/jpeg', { quality: 80 })
