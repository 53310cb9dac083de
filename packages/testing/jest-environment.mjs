import { TestEnvironment } from 'jest-environment-node'

/**
 * onnxruntime's native binding checks tensors with the constructors of the outer realm, and Jest runs tests in a
 * separate realm. Sharing the buffer types makes tensors created in a test pass that check.
 */
export default class SharedBuffersEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context)
    Object.assign(this.global, {
      ArrayBuffer,
      SharedArrayBuffer,
      Uint8Array,
      Uint8ClampedArray,
      Uint16Array,
      Int32Array,
      Uint32Array,
      Float32Array,
      Float64Array,
      BigInt64Array,
      BigUint64Array,
    })
  }
}
