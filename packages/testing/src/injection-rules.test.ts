import { describe, expect, test } from '@jest/globals'
import { productSources } from './product-sources.ts'
import { sqlInterpolations } from './sql-interpolations.ts'

const sources = productSources.map(({ path, code }) => ({ path, text: code }))

/** Every occurrence of `pattern`, as `path: text`. */
const occurrences = (pattern: RegExp) =>
  sources.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map((match) => `${path}: ${match[0].trim()}`),
  )

const filesWith = (pattern: RegExp) =>
  sources.filter(({ text }) => text.search(pattern) !== -1).map(({ path }) => path)

test('the rules below read every package, service and web app', () => {
  expect(sources.length).toBeGreaterThan(500)
  const folders = new Set(sources.map(({ path }) => path.split('/').slice(0, 2).join('/')))
  for (const folder of ['packages/outbound', 'services/console', 'services/flow', 'services/session'])
    expect(folders).toContain(folder)
  expect(sources.some(({ path }) => path.startsWith('services/flow/web/src/'))).toBe(true)
})

describe('no shipped source', () => {
  test.each([
    ['evaluates text as code', /\beval\s*\(|\bnew\s+Function\b|[^.\w]Function\s*\(|['"](node:)?vm['"]/g],
    ['passes text to a timer as code', /\bset(Timeout|Interval)\s*\(\s*['"`]/g],
    [
      'writes markup into a page other than through the framework',
      /\b(innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|srcdoc|srcDoc|createContextualFragment)\b|\bdocument\.write|\bDOMParser\b/g,
    ],
    ['starts a shell', /\bshell\s*:|(?<![.\w])exec(Sync)?\s*\(\s*['"`]|\b(sh|bash|cmd\.exe)['"]\s*,/g],
    ['embeds other documents or plug-ins', /<(iframe|frame|object|embed|applet)\b/g],
    ['redirects a request', /\.redirect\s*\(|\bwriteHead\(\s*30[12378]|\.status\(\s*30[12378]/g],
    ['puts a value into the name of an attachment', /content-disposition['"]?\s*[,:]\s*(`[^`]*\$\{|[a-z])/gi],
    ['sends messages to other windows', /\b(window|parent|opener|top)\.postMessage\b|\.contentWindow\b/g],
    ['sets a cookie from a script', /\bdocument\.cookie\b/g],
    ['sets a CORS header', /access-control-allow-/gi],
    ['deserializes objects', /['"](node:)?v8['"]|\bdeserialize\s*\(/g],
  ])('%s', (_, pattern) => {
    expect(occurrences(pattern)).toEqual([])
  })
})

describe('only the named files', () => {
  test.each<[string, RegExp, string[]]>([
    [
      'start other programs, with argument arrays',
      /['"](node:)?child_process['"]/,
      [
        // The command-line client opens a link in the user's browser.
        'packages/client/src/cli/sessions.ts',
        // PostgreSQL of the standalone mode.
        'packages/runtime/src/database/embedded.ts',
        'packages/runtime/src/database/orphan.ts',
      ],
    ],
    [
      'use a markup or template engine, for the project’s own documentation',
      /['"](handlebars|mustache|ejs|pug|nunjucks|marked|markdown-it|showdown|@mdx-js\/\w+)['"]/,
      ['packages/docs-site/src/guide.ts'],
    ],
    [
      'build a regular expression at run time, from constants',
      /\bnew RegExp\s*\(|[^.\w]RegExp\s*\(/,
      [
        'packages/common/src/domain/ids.ts',
        'services/sanctions-screening/src/domain/matching/person-tokens.ts',
      ],
    ],
  ])('%s', (_, pattern, files) => {
    expect(filesWith(pattern)).toEqual(files)
  })
})

test('every password field is masked, and accepts pasting and password managers', () => {
  const fields = sources.flatMap(({ text }) => [...text.matchAll(/autoComplete="(current|new)-password"/g)])
  const masked = sources.flatMap(({ text }) => [
    ...text.matchAll(/type="password"\s+autoComplete="(current|new)-password"/g),
  ])
  expect(masked.length).toBeGreaterThan(4)
  expect(fields).toHaveLength(masked.length)
  expect(occurrences(/type="password"/g)).toHaveLength(masked.length)
  expect(occurrences(/\bonPaste\b|\bonBeforeInput\b|autoComplete="off"/g)).toEqual([])
})

test('every log message is a constant, with values in fields', () => {
  const interpolated = occurrences(/\blogger\.(debug|info|warn|error)\(\s*(`[^`]*\$\{|['"][^'"]*['"]\s*\+)/g)
  expect(interpolated).toEqual([])
})

/** Expressions that are allowed in the text of a statement: constants, identifiers of the schema, and placeholders. */
const constants = [
  /^(columns|found|open|insert|ofReply|withConfig|app|from|order|joined|more|branches|kept|known|where|span|suffix)$/,
  /^(table|tables|outbox|channel|schema|column|name|flushLater|batch|bucketFactor|MAX_MATCHES|assignments|limit)$/,
  // These return `$1`, `$2`, … and add the value to the parameters.
  /^put\([\w. +]+\)$/,
  /^values\.push\([\w.]+\)$/,
  /^values\.length$/,
  // Joined conditions, which are checked where they are built.
  /^(conditions|parameters|newSessionColumns)\.join\('( AND |, )'\)$/,
  /^(quote|qualified|milliseconds|tableName)\(['`]?[\w.', ()<>=]+['`]?\)$/,
  /^present\.map\(\(\{ name \}\) => qualified\(name\)\)\.join\(', '\)$/,
  // A condition of `deleteReferences`, which its callers pass as a constant.
  /^condition( \? ` AND \(\$\{condition\}\)` : '')?$/,
  /^\w+ \? '[A-Z ]*' : '[A-Z ]*'$/,
]

test('no SQL statement contains a value: only constants, identifiers of the schema and placeholders', () => {
  const found = sources.flatMap(({ path, text }) =>
    sqlInterpolations(text).map((expression) => ({ path, expression })),
  )
  expect(found.length).toBeGreaterThan(80)
  const others = found.filter(({ expression }) => !constants.some((allowed) => allowed.test(expression)))
  expect(others).toEqual([])
  expect(occurrences(/['"`]\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM) [^'"`]*['"`]\s*\+/g)).toEqual([])
})
