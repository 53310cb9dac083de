// `node infra/supply-chain/images.mjs [--pin]`: lists the images that this project builds on and runs with: `ARG
// …_IMAGE` of the Dockerfile, and every image of docker-compose.yml that is not built here. --pin queries their
// registry (docker buildx) for the digest of each tag and appends it to the tag, so that the same bytes are pulled
// until the next --pin.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from '../workspace/packages.mjs'

/** Each file, and where it names an image. Images built here begin with ${IMAGE_PREFIX}. */
const sources = {
  'infra/docker/Dockerfile': /^(ARG [A-Z_]*IMAGE=)(\S+)$/gm,
  'docker-compose.yml': /^( +image: )([^\s$]+)$/gm,
}
/** Requires at least two version parts, because a tag with only a major version changes without notice. */
const pinnedByVersion = /:v?\d+\.\d+[^@]*(@sha256:[0-9a-f]{64})?$/

export const imagesIn = (file, text) => [...text.matchAll(sources[file])].map(([, , image]) => image)

/** Returns the text with each image's current digest after its tag; `digestOf` provides it for `name:tag`. */
export const pinDigests = (file, text, digestOf) =>
  text.replaceAll(sources[file], (_, before, image) => {
    const tagged = image.split('@')[0]
    const digest = digestOf(tagged)
    if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`${tagged}: not a digest: ${digest}`)
    return `${before}${tagged}@${digest}`
  })

/** Problems, and how many of the images are also pinned by digest. */
export function checkImages(texts = readSources()) {
  const images = Object.entries(texts).flatMap(([file, text]) =>
    imagesIn(file, text).map((image) => ({ file, image })),
  )
  const problems = Object.keys(texts)
    .filter((file) => !images.some((found) => found.file === file))
    .map((file) => `${file}: no image found`)
  for (const { file, image } of images)
    if (!pinnedByVersion.test(image))
      problems.push(`${file}: ${image} must name a version (name:MAJOR.MINOR or more)`)
  const withDigest = images.filter(({ image }) => image.includes('@sha256:')).length
  return { problems, summary: `${withDigest} of ${images.length} by digest as well` }
}

const readSources = () =>
  Object.fromEntries(Object.keys(sources).map((file) => [file, readFileSync(join(root, file), 'utf8')]))

function digestFromRegistry(image) {
  const args = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}']
  const { status, stdout, stderr, error } = spawnSync('docker', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${image}: docker ${args.join(' ')}: ${error?.message ?? stderr.trim()}`)
  return stdout.trim()
}

function main() {
  if (process.argv.includes('--pin')) {
    // All or none: if a registry does not respond, the files are unchanged.
    const pinned = Object.entries(readSources()).map(([file, text]) => [
      file,
      pinDigests(file, text, digestFromRegistry),
    ])
    for (const [file, text] of pinned) writeFileSync(join(root, file), text)
  }
  const { problems, summary } = checkImages()
  for (const [file, text] of Object.entries(readSources()))
    for (const image of imagesIn(file, text)) process.stdout.write(`${file}: ${image}\n`)
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  process.stdout.write(`${summary}\n`)
  process.exitCode = problems.length > 0 ? 1 : 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    main()
  } catch (error) {
    process.stderr.write(`nothing was pinned: ${error.message}\n`)
    process.exitCode = 1
  }
}
