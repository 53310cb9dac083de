import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import * as ort from 'onnxruntime-node'
import { ModelsUnavailableError } from './models-unavailable-error.ts'
import { dropNeedlessInputs } from './repair-onnx.ts'
import { rewritePrelu } from './rewrite-prelu.ts'

/** A model file by the manifest's name; null where there is none. The sum is the one the file must have. */
export type ResolveModel = (name: string) => Promise<{ path: string; sha256: string; version: string } | null>

/** A network ready to run. One per model and process: its memory is the model's, its calls follow each other. */
export type ModelSession = {
  name: string
  version: string
  sha256: string
  /** Names and shapes of the inputs; a dimension that may vary is a string. */
  inputs: readonly { name: string; shape: readonly (number | string)[] }[]
  run(input: Float32Array, shape: readonly number[]): Promise<Record<string, Float32Array>>
  release(): Promise<void>
}

/**
 * Loads the first of `names` that has a file, after checking its sum, and repairs what onnxruntime would refuse.
 * Throws ModelsUnavailableError where none can be loaded; nothing stays half loaded.
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
  // The file is checked as it is loaded: what was there when it was found may have been replaced.
  if (createHash('sha256').update(bytes).digest('hex') !== file.sha256)
    throw new Error(`${name}: the file does not have the sum of the manifest`)
  const session = await ort.InferenceSession.create(rewritePrelu(dropNeedlessInputs(bytes)), {
    executionProviders: ['cpu'],
    graphOptimizationLevel: 'all',
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    // It keeps the largest activation: images are at most 640 by 640, and giving pages back costs about a millisecond a run.
    enableCpuMemArena: true,
    logSeverityLevel: 3,
    extra: {
      session: {
        // Block-quantised weights are widened once at load: the processor has no faster way to multiply them.
        disable_quant_qdq: '1',
        // The threads of a network that is done would otherwise go on waiting in a loop, on the processors of the next one.
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
