import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The root of the workspace, with a trailing slash. */
export const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Every file below `folder`, by its path from the root. */
const filesBelow = (folder: string): string[] =>
  readdirSync(`${root}${folder}`, { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'dist', 'generated'].includes(entry.name)) return []
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesBelow(path) : [path]
  })

/** `code` is `text` without comments. */
export type SourceFile = { path: string; text: string; code: string }

/** The sources of every package, service and web app, without tests, test helpers and generated code. */
export const productSources: readonly SourceFile[] = ['packages', 'services']
  .flatMap(filesBelow)
  .filter((path) => /^(packages|services)\/[\w-]+\/(web\/)?src\/.+\.tsx?$/.test(path))
  .filter((path) => !/\.test\.tsx?$|^packages\/testing\//.test(path))
  .sort()
  .map((path) => {
    const text = readFileSync(`${root}${path}`, 'utf8')
    return { path, text, code: withoutComments(text) }
  })

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[\s;{}(])\/\/.*$/gm, '$1')
}
