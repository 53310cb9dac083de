import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createModelStore, silentLogger } from '@kyc/runtime'
import { FaceEngine } from '@kyc/service-face-biometrics'
import { modelsDir, sharedDir } from '@kyc/testing'
import sharp, { type Sharp } from 'sharp'
import { NearestNeighbours } from '../../services/face-biometrics/src/domain/nearest-neighbours.ts'
import { spawnScript } from './support/load.ts'
import { startOpencvPeer } from './support/opencv-peer.ts'

export const name = 'face'

const timedPairs = 40
const galleryFaces = 1_000_000
const queries = 40
/** Photos whose eight orientations are compared; every one of the set with KYC_BENCH_ALL=1. */
const turnedPhotos = process.env.KYC_BENCH_ALL ? 100 : 6
const target = 0.8

type Pair = { a: string; b: string; same: boolean; similarity: number }

const percentile = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20)

function readPairs(folder: string): Pair[] {
  const [, ...lines] = readFileSync(join(folder, 'pairs.csv'), 'utf8').trim().split('\n')
  return lines.map((line) => {
    const [a, b, same, , similarity] = line.split(',')
    return { a: join(folder, a!), b: join(folder, b!), same: same === '1', similarity: Number(similarity) }
  })
}

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, index) => sum + value * b[index]!, 0)

/** Accuracy at 0.363 and distance from the reference similarities. */
async function accuracy(engine: FaceEngine, pairs: readonly Pair[]): Promise<string> {
  const known = new Map<string, Float32Array>()
  for (const file of new Set(pairs.flatMap(({ a, b }) => [a, b])))
    known.set(file, (await engine.embed(readFileSync(file))).embedding)
  const similarities = pairs.map(({ a, b }) => dot(known.get(a)!, known.get(b)!))
  const right = pairs.filter(({ same }, index) => similarities[index]! >= 0.363 === same).length
  const errors = pairs.map(({ similarity }, index) => Math.abs(similarities[index]! - similarity))
  const falseMatches = pairs.filter(({ same }, index) => !same && similarities[index]! >= 0.363).length
  const impostors = pairs.filter(({ same }) => !same).length
  return (
    `- ${pairs.length} labelled pairs at 0.363: accuracy **${(right / pairs.length).toFixed(4)}** ` +
    `(${falseMatches} false matches in ${impostors}, ${pairs.length - right - falseMatches} false non-matches in ` +
    `${pairs.length - impostors}); distance from OpenCV's similarity ${mean(errors).toFixed(4)} on average, ` +
    `${percentile(errors, 0.99).toFixed(4)} at the 99th percentile, ${Math.max(...errors).toFixed(4)} at most`
  )
}

type Compared = { ms: number; processorMs: number; memory: number }

/** Our engine in a separate process, like the peer. */
async function startOurs(models: string, threads: number) {
  const child = spawnScript(fileURLToPath(new URL('./support/face-process.ts', import.meta.url)), [
    models,
    String(threads),
  ])
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const next = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error('the face engine ended')
    return String(value)
  }
  await next()
  return {
    async compare(a: string, b: string): Promise<Compared> {
      child.stdin!.write(`${a}\t${b}\n`)
      const [ms, processorMs, , memory] = (await next()).split(' ').map(Number)
      return { ms: ms!, processorMs: processorMs!, memory: memory! }
    },
    async stop(): Promise<void> {
      const ended = once(child, 'exit')
      child.stdin!.end()
      await ended
    },
  }
}

/** The same pairs with both, alternating, so that other load on the machine affects both equally. */
async function againstOpencv(models: string, pairs: readonly Pair[]): Promise<string[]> {
  const store = createModelStore({ directory: models, logger: silentLogger })
  const detector = await store.resolve('yunet')
  const recogniser = (await store.resolve('sface')) ?? (await store.resolve('sface_from_int8bq'))
  if (!detector || !recogniser) return ['- OpenCV: skipped, its model files are not in the folder']
  const chosen = pairs.filter((_, index) => index % Math.ceil(pairs.length / timedPairs) === 0)
  const lines: string[] = []
  for (const threads of [1, 2]) {
    let peer: Awaited<ReturnType<typeof startOpencvPeer>>
    try {
      peer = await startOpencvPeer({ detector: detector.path, recogniser: recogniser.path, threads })
    } catch {
      return ['- OpenCV: skipped, opencv-python-headless is not installed and could not be']
    }
    const engine = await startOurs(models, threads)
    const ours: Compared[] = []
    const theirs: { ms: number; processorMs: number }[] = []
    // The first two of each are warm-up.
    for (const [index, { a, b }] of [...chosen.slice(0, 2), ...chosen].entries()) {
      const [own, other] = [await engine.compare(a, b), await peer.compare(a, b)]
      if (index < 2) continue
      ours.push(own)
      theirs.push(other)
    }
    await engine.stop()
    await peer.stop()
    const ratio = (kind: 'ms' | 'processorMs') =>
      percentile(
        ours.map((own, index) => own[kind] / theirs[index]![kind]),
        0.5,
      ).toFixed(2)
    const median = (values: readonly { ms: number; processorMs: number }[], kind: 'ms' | 'processorMs') =>
      `${percentile(
        values.map((value) => value[kind]),
        0.5,
      ).toFixed(0)} ms`
    lines.push(
      `- ${threads} thread${threads > 1 ? 's' : ''}, ${chosen.length} pairs from bytes, each in a process of its own, median: ${median(ours, 'ms')} against ` +
        `${median(theirs, 'ms')} with OpenCV ${peer.version} (ratio **${ratio('ms')}**); processor time ${median(ours, 'processorMs')} ` +
        `against ${median(theirs, 'processorMs')} (ratio **${ratio('processorMs')}**, target ${target} with one thread); at most ${megabytes(Math.max(...ours.map(({ memory }) => memory)))} MB`,
    )
  }
  return lines
}

/** What a camera stores so that the picture is upright after its EXIF orientation is applied. */
const stored: readonly ((image: Sharp) => Sharp)[] = [
  (image) => image,
  (image) => image.flop(),
  (image) => image.rotate(180),
  (image) => image.flip(),
  (image) => image.rotate(270).flop(),
  (image) => image.rotate(270),
  (image) => image.rotate(90).flop(),
  (image) => image.rotate(90),
]

async function orientations(engine: FaceEngine, folder: string): Promise<string> {
  const photos = readdirSync(join(folder, 'deepface/tests/unit/dataset'))
    .filter((file) => /^img\d+\.jpg$/.test(file))
    .slice(0, turnedPhotos)
    .map((file) => join(folder, 'deepface/tests/unit/dataset', file))
  const differences: number[] = []
  let previous: Float32Array | undefined
  for (const file of photos) {
    const upright = await sharp(file, { autoOrient: true }).png({ compressionLevel: 1 }).toBuffer()
    const turned: Float32Array[] = []
    for (const [index, turn] of stored.entries()) {
      const bytes = await turn(sharp(upright))
        .png({ compressionLevel: 1 })
        .withMetadata({ orientation: index + 1 })
        .toBuffer()
      if (bytes.length <= 10_485_760) turned.push((await engine.embed(bytes)).embedding)
    }
    const other = previous ?? turned[0]
    previous = turned[0]
    if (other && turned[0])
      for (const embedding of turned.slice(1))
        differences.push(Math.abs(dot(embedding, other) - dot(turned[0], other)))
  }
  return `- ${photos.length} photos in eight EXIF orientations: similarity changes by ${Math.max(...differences).toFixed(5)} at most (target 0.005)`
}

/** Submits every hostile image at once to a queue that accepts them all. */
async function hostile(engine: FaceEngine, folder: string): Promise<string> {
  const files = readdirSync(folder).filter((file) => file !== 'manifest.json')
  const before = process.memoryUsage().rss
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  let peak = before
  const sampling = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 5)
  const outcomes = await Promise.allSettled(
    files.map((file) => engine.detect(readFileSync(join(folder, file)))),
  )
  clearInterval(sampling)
  delay.disable()
  const refused = outcomes.filter(({ status }) => status === 'rejected').length
  return (
    `- ${files.length} hostile images at once: ${refused} refused, ${files.length - refused} decoded; memory grew by ` +
    `${megabytes(peak - before)} MB, event loop held for ${Math.round(delay.max / 1e6)} ms at most`
  )
}

function search(): string {
  const size = 128
  const gallery = new NearestNeighbours(size)
  const vectors: Float32Array[] = []
  const random = () => {
    const vector = Float32Array.from({ length: size }, () => Math.random() - 0.5)
    const length = Math.sqrt(dot(vector, vector))
    return vector.map((value) => value / length)
  }
  const checked = 20_000
  for (let index = 0; index < galleryFaces; index += 1) {
    const vector = random()
    if (index < checked) vectors.push(vector)
    gallery.set(`ses_${index}`, vector)
  }
  const times: number[] = []
  const cpu: number[] = []
  let found = 0
  let expected = 0
  for (let query = 0; query < queries; query += 1) {
    const vector = random()
    const used = process.cpuUsage()
    const started = performance.now()
    const hits = new Set(gallery.search(vector, 0.3, galleryFaces).map(({ id }) => id))
    times.push(performance.now() - started)
    cpu.push(process.cpuUsage(used).user / 1000)
    for (const [index, candidate] of vectors.entries()) {
      if (dot(candidate, vector) < 0.3) continue
      expected += 1
      if (hits.has(`ses_${index}`)) found += 1
    }
  }
  return (
    `- ${galleryFaces.toLocaleString('en')} embeddings searched: p95 **${percentile(times, 0.95).toFixed(0)} ms** ` +
    `(processor time ${percentile(cpu, 0.5).toFixed(0)} ms, target 60), recall ${found}/${expected} against brute force over ` +
    `${checked.toLocaleString('en')} of them`
  )
}

/** Accuracy, speed against OpenCV in the same run, hostile images, and search in a large gallery. */
export async function run(): Promise<string> {
  const [faces, hostileImages, models] = [
    sharedDir('data', 'faces'),
    sharedDir('data', 'hostile', 'images'),
    modelsDir(),
  ]
  const lines = ['## face']
  if (models) {
    const store = createModelStore({ directory: models, logger: silentLogger })
    const started = performance.now()
    const engine = new FaceEngine({ resolveModel: store.resolve, queueLimit: 100 })
    const missing = await engine.warmUp()
    lines.push(`- cold start, models loaded and run once: ${Math.round(performance.now() - started)} ms`)
    if (missing.length > 0) lines.push(`- missing models: ${missing.join(', ')}`)
    if (faces) {
      const pairs = readPairs(faces)
      lines.push(await accuracy(engine, pairs), ...(await againstOpencv(models, pairs)))
      lines.push(await orientations(engine, faces))
    } else lines.push('- labelled pairs: skipped, the truth set is absent')
    if (hostileImages) lines.push(await hostile(engine, hostileImages))
    await engine.close()
  } else lines.push('- skipped, no model files: set MODELS_DIR')
  lines.push(search())
  lines.push(`- peak memory of the whole run: ${megabytes(process.resourceUsage().maxRSS * 1024)} MB`)
  return lines.join('\n')
}
