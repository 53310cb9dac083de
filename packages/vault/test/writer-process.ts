/** Writes files into a vault folder until it is killed: `writer-process.ts FOLDER KEY_FILE`. */
import { createVault, folderStore, keysFromFile } from '../src/index.ts'

const [folder, keyFile] = process.argv.slice(2) as [string, string]
const keys = await keysFromFile(keyFile)
const vault = createVault({ store: folderStore(folder), keys, clock: { now: () => new Date() } })
const scope = { app_id: 'app_1', session_id: 'ses_1' }
for (let n = 0; ; n++) {
  // Every file contains its own length, so that a partial one is detected.
  await vault.put(scope, `file${n % 3}`, Buffer.alloc(3_000_000 + (n % 1000), n % 256), {
    contentType: 'a/b',
  })
  process.stdout.write('.')
}
