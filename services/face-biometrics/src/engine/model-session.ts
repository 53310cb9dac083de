import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import * as ort from 'onnxruntime-node'
import { ModelsUnavailableError } from './models-unavailable-error.ts'
import { dropNeedlessInputs } from './repair-onnx.ts'
import { rewritePrelu } from './rewrite-prelu.ts'

/** Finds a model file by its name in the manifest; null if missing. `sha256` is the sum that the file must have. */
export type ResolveModel = (name: string) => Promise<{ path: string; sha256: string; version: string } | null>

/** A loaded network. One per model and process, because each holds the model in memory; its calls are sequential. */
export type ModelSession = {
  name: string
  version: string
  sha256: string
  /** Names and shapes of the inputs; a dynamic dimension is a string. */
  inputs: readonly { name: string; shape: readonly (number | string)[] }[]
  run(input: Float32Array, shape: readonly number[]): Promise<Record<string, Float32Array>>
  release(): Promise<void>
}

/**
 * Loads the first of `names` that has a file, after verifying its sum, and fixes what onnxruntime would reject.
 * Throws ModelsUnavailableError if none can be loaded; nothing is left half loaded.
 */
export async function loadModelSession(
  names: readonly string[],
  resolve: ResolveModel,
  options: { threads: number },
): Promise<ModelSession> {
  let cause: unknown
  for (const name of names) {
    const found = await resolve(name)
    if (!found) continue
    try {
      return await open(name, found, options.threads)
    } catch (error) {
      cause = error
    }
  }
  throw new ModelsUnavailableError(names, cause)
}

async function open(
  name: string,
  file: { path: string; sha256: string; version: string },
  threads: number,
): Promise<ModelSession> {
  const bytes = await readFile(file.path)
  // Verify the sum at load time, because the file may have been replaced since it was found.
  if (createHash('sha256').update(bytes).digest('hex') !== file.sha256)
    throw new Error(`${name}: the file does not have the sum of the manifest`)
  const session = await ort.InferenceSession.create(rewritePrelu(dropNeedlessInputs(bytes)), {
    executionProviders: ['cpu'],
    graphOptimizationLevel: 'all',
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    // The arena retains the largest activation. Images are at most 640 × 640, and freeing pages costs about 1 ms per run.
    enableCpuMemArena: true,
    logSeverityLevel: 3,
    extra: {
      session: {
        // Dequantise block-quantised weights once at load, because the CPU has no faster way to multiply them.
        disable_quant_qdq: '1',
        // Otherwise the threads of a finished network would keep spinning on the CPUs that the next one needs.
        force_spinning_stop: '1',
      },
    },
  })
  const inputs = session.inputMetadata.map((input) => ({
    name: input.name,
    shape: input.isTensor ? input.shape : [],
  }))
  const [input] = inputs
  if (inputs.length !== 1 || !input) {
    await session.release()
    throw new Error(`${name}: one input is expected, the file has ${inputs.length}`)
  }
  return {
    name,
    version: file.version,
    sha256: file.sha256,
    inputs,
    async run(values, shape) {
      const outputs = await session.run({ [input.name]: new ort.Tensor('float32', values, [...shape]) })
      return Object.fromEntries(
        Object.entries(outputs).map(([output, tensor]) => {
          if (!(tensor.data instanceof Float32Array)) throw new Error(`${name}: ${output} is not float32`)
          return [output, tensor.data]
        }),
      )
    },
    release: () => session.release(),
  }
}
