// Upgrades need no downtime because migrations only add: the previous version must work on the new schema. A migration
// that removes something must state in a comment `-- contract: unused since <version>` that it is no longer used.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../workspace/packages.mjs'

const takesAway = [
  [/\bDROP\s+(TABLE|COLUMN|VIEW|TYPE)\b/i, 'drops what the version before may use'],
  [/\bRENAME\s+(TO|COLUMN)\b/i, 'renames what the version before uses'],
  [/\bALTER\s+COLUMN\s+\w+\s+(SET\s+DATA\s+)?TYPE\b/i, 'changes a type under the version before'],
  [/\bALTER\s+COLUMN\s+\w+\s+SET\s+NOT\s+NULL\b/i, 'demands a value that the version before does not give'],
  [
    /\bADD\s+COLUMN\s+(?![^,;]*\bDEFAULT\b)[^,;]*\bNOT\s+NULL\b/i,
    'adds a column that the version before does not fill',
  ],
]

/** Created before there was a version to upgrade from. */
const beforeFirstRelease = new Set(['session/0002_purge_saga_and_receipts'])

/** For every migration except the first, which creates the schema. */
export function checkMigrations() {
  const problems = []
  for (const service of readdirSync(join(root, 'services'))) {
    const folder = join(root, 'services', service, 'prisma', 'migrations')
    if (!existsSync(folder)) continue
    for (const name of readdirSync(folder).filter(
      (each) => /^\d{4}_/.test(each) && !each.startsWith('0001'),
    )) {
      if (beforeFirstRelease.has(`${service}/${name}`)) continue
      const text = readFileSync(join(folder, name, 'migration.sql'), 'utf8')
      if (/^-- contract: unused since /m.test(text)) continue
      const statements = text.replace(/--.*$/gm, '')
      for (const [pattern, why] of takesAway)
        if (pattern.test(statements)) problems.push(`${service}/${name} ${why}`)
    }
  }
  return problems
}
