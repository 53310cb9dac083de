import type { FormatId, PartName } from '../../../services/sanctions-screening/src/lists/format.ts'
import { loadList } from '../../../services/sanctions-screening/src/lists/load-list.ts'
import { recogniseFile } from '../../../services/sanctions-screening/src/lists/recognise.ts'
import { type ListFile, listFileOnDisk } from '../../../services/sanctions-screening/src/lists/source.ts'

/** Reads one publication and prints the cost: the part of the `lists` bench that runs in a separate process. */
const parts: Partial<Record<PartName, ListFile>> = {}
let format: FormatId | undefined
let bytes = 0
for (const path of process.argv.slice(2)) {
  const file = await listFileOnDisk(path)
  const recognised = await recogniseFile(file)
  parts[recognised.part] = file
  format = recognised.format
  bytes += file.size
}
if (format === undefined || parts.main === undefined) throw new Error('no list')
const began = performance.now()
const cpu = process.cpuUsage()
const list = await loadList(format, { ...parts, main: parts.main }, '2026-01-01T00:00:00Z')
const { user, system } = process.cpuUsage(cpu)
process.stdout.write(
  JSON.stringify({
    format,
    list: list.id,
    entities: list.entities.length,
    names: list.entities.reduce((sum, entity) => sum + entity.names.length, 0),
    megabytes: bytes / 1e6,
    seconds: (performance.now() - began) / 1000,
    cpuSeconds: (user + system) / 1e6,
    peakMegabytes: process.resourceUsage().maxRSS / 1000,
  }),
)
