// `models [list|fetch|verify] [folder]`: lists, downloads and verifies the model files of models.lock.json.
import { createLogger } from '../logger.ts'
import { fetchModel } from './fetch.ts'
import { readModelManifest } from './manifest.ts'
import { createModelStore } from './store.ts'

const [command = 'list', folder = process.env.MODELS_DIR ?? '.data/models'] = process.argv.slice(2)
const manifest = readModelManifest()
const store = createModelStore({ directory: folder, manifest, logger: createLogger({ service: 'models' }) })
const say = (line: string) => process.stdout.write(`${line}\n`)

if (command === 'list' || command === 'verify') {
  let missing = 0
  for (const entry of manifest) {
    const found = await store.resolve(entry.name)
    if (!found) missing++
    say(
      `${found ? 'present' : 'missing'}  ${entry.name}  ${entry.bytes} bytes  ${entry.licence}  ${entry.purpose}`,
    )
  }
  if (command === 'verify' && missing > 0) process.exitCode = 1
} else if (command === 'fetch') {
  for (const entry of manifest) {
    if (await store.resolve(entry.name)) {
      say(`present  ${entry.name}`)
      continue
    }
    try {
      say(`fetched  ${entry.name}  ${await fetchModel(entry, folder)}`)
    } catch (error) {
      say(`missing  ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    }
  }
} else {
  say('usage: models [list|fetch|verify] [folder]')
  process.exitCode = 2
}
