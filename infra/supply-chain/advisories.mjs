// `node infra/supply-chain/advisories.mjs --file PATH [--severity low|moderate|high|critical]`: checks the packages of
// pnpm-lock.yaml against advisories in OSV form (https://ossf.github.io/osv-schema/), offline. PATH is a JSON file of
// one advisory or of a list of them, or a folder of such files: the npm export of osv.dev unpacked, or a clone of
// github.com/github/advisory-database. Exits with 1 if a package is affected and advisory-exceptions.json records no
// exception. Without a file nothing is checked.
import '../workspace/require-node.mjs'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import semver from 'semver'
import { root } from '../workspace/packages.mjs'

const severities = ['low', 'moderate', 'high', 'critical']
const exceptionsFile = join(root, 'infra/supply-chain/advisory-exceptions.json')

/** `{ name, version }` of everything in the lock file's `packages`. */
export function lockedPackages(lockFile) {
  const [, section] = lockFile.split(/^packages:$/m)
  if (section === undefined) throw new Error('pnpm-lock.yaml: no section `packages`')
  const keys = section.split(/^\S/m)[0].matchAll(/^ {2}'?((?:@[^/@'\s]+\/)?[^@'\s]+)@([^':(\s]+)'?:/gm)
  return [...keys]
    .map(([, name, version]) => ({ name, version }))
    .filter(({ version }) => semver.valid(version))
}

/**
 * Every advisory in a file or folder. Throws on input that is not OSV, because a check that read nothing must not
 * pass.
 */
export function readAdvisories(path) {
  const files = statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true })
        .filter((file) => file.endsWith('.json'))
        .map((file) => join(path, file))
    : [path]
  const advisories = files.flatMap((file) => {
    const content = JSON.parse(readFileSync(file, 'utf8'))
    const list = Array.isArray(content) ? content : (content.vulns ?? [content])
    for (const advisory of list)
      if (typeof advisory?.id !== 'string') throw new Error(`${file}: not an advisory in OSV form`)
    return list
  })
  if (advisories.length === 0) throw new Error(`${path}: no advisory found`)
  return advisories
}

/** OSV's evaluation of one `affected` entry: listed versions, or the events of a range in their order. */
export function isAffected(version, { versions = [], ranges = [] }) {
  if (versions.includes(version)) return true
  return ranges.some(({ type, events }) => {
    if (type !== 'SEMVER' && type !== 'ECOSYSTEM') return false
    const steps = events.map((event) => {
      const [[kind, at]] = Object.entries(event)
      return { kind, at: at === '0' ? '0.0.0-0' : at }
    })
    let affected = false
    for (const { kind, at } of steps.sort((a, b) => semver.compare(a.at, b.at))) {
      if (kind === 'introduced' && semver.gte(version, at)) affected = true
      if (kind === 'fixed' && semver.gte(version, at)) affected = false
      if (kind === 'last_affected' && semver.gt(version, at)) affected = false
    }
    return affected
  })
}

/** An advisory without a severity (for example for malware) counts as the highest. */
function severityOf({ database_specific: { severity } = {} }) {
  const given = severity === 'MEDIUM' ? 'moderate' : String(severity).toLowerCase()
  return severities.includes(given) ? given : 'critical'
}

/** Affected packages, each with its advisory; withdrawn advisories are skipped. */
export function findAffected(packages, advisories) {
  const byName = Map.groupBy(packages, ({ name }) => name)
  return advisories
    .filter(({ withdrawn }) => !withdrawn)
    .flatMap((advisory) =>
      (advisory.affected ?? [])
        .filter(({ package: { ecosystem } = {} }) => ecosystem === 'npm')
        .flatMap((entry) =>
          (byName.get(entry.package.name) ?? [])
            .filter(({ version }) => isAffected(version, entry))
            .map(({ name, version }) => ({
              id: advisory.id,
              aliases: advisory.aliases ?? [],
              severity: severityOf(advisory),
              name,
              version,
              summary: advisory.summary ?? '',
            })),
        ),
    )
}

/** Problems that fail the check, and its output. An exception applies to one advisory and package, until its date. */
export function judgeAdvisories({ packages, advisories, exceptions, threshold, today }) {
  const problems = []
  const notes = []
  const used = new Set()
  for (const { id, aliases, severity, name, version, summary } of findAffected(packages, advisories)) {
    const line = `${severity} ${id} ${name}@${version}: ${summary}`
    const exception = exceptions.find((one) => one.package === name && [id, ...aliases].includes(one.id))
    if (exception) used.add(exception)
    if (exception && exception.until >= today)
      notes.push(`${line} (accepted until ${exception.until}: ${exception.reason})`)
    else if (exception) problems.push(`${line} (its exception ended on ${exception.until})`)
    else if (severities.indexOf(severity) >= severities.indexOf(threshold)) problems.push(line)
    else notes.push(`${line} (below ${threshold})`)
  }
  for (const exception of exceptions)
    if (!used.has(exception))
      notes.push(`exception ${exception.id} for ${exception.package} is not needed: nothing matches it`)
  return { problems, notes, checked: `${packages.length} packages against ${advisories.length} advisories` }
}

export function readExceptions(file = exceptionsFile) {
  const exceptions = JSON.parse(readFileSync(file, 'utf8'))
  for (const { id, package: name, reason, until } of exceptions) {
    if (
      ![id, name, reason].every((text) => typeof text === 'string' && text !== '') ||
      !/^\d{4}-\d\d-\d\d$/.test(until)
    )
      throw new Error(`${file}: every exception needs id, package, reason and until (YYYY-MM-DD)`)
  }
  return exceptions
}

export const notRun = 'did not run: no offline advisory file was given (ADVISORIES=PATH, or --file PATH)'

/** Runs the check on this workspace; undefined without a file. */
export function checkAdvisories(path, threshold = 'high') {
  if (!path) return undefined
  if (!existsSync(path)) throw new Error(`${path}: no such file or folder`)
  if (!severities.includes(threshold)) throw new Error(`--severity: must be one of ${severities.join(', ')}`)
  return judgeAdvisories({
    packages: lockedPackages(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')),
    advisories: readAdvisories(path),
    exceptions: readExceptions(),
    threshold,
    today: new Date().toISOString().slice(0, 10),
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { file: { type: 'string' }, severity: { type: 'string' } } })
  const result = checkAdvisories(values.file ?? process.env.ADVISORIES, values.severity)
  if (!result) process.stdout.write(`advisories: ${notRun}\n`)
  else {
    for (const line of [...result.problems, ...result.notes]) process.stdout.write(`${line}\n`)
    process.stdout.write(`advisories: ${result.checked}, ${result.problems.length} not accepted\n`)
    process.exitCode = result.problems.length > 0 ? 1 : 0
  }
}
