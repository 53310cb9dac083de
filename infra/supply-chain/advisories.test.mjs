import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { root } from '../workspace/packages.mjs'
import {
  checkAdvisories,
  isAffected,
  judgeAdvisories,
  lockedPackages,
  readAdvisories,
  readExceptions,
} from './advisories.mjs'

const folder = mkdtempSync(join(tmpdir(), 'kyc-advisories-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const advisory = (id, name, events, more = {}) => ({
  id,
  summary: 'made for this test',
  affected: [{ package: { ecosystem: 'npm', name }, ranges: [{ type: 'SEMVER', events }] }],
  database_specific: { severity: 'HIGH' },
  ...more,
})
const below = (version) => [{ introduced: '0' }, { fixed: version }]
const judge = (advisories, more = {}) =>
  judgeAdvisories({
    packages: [
      { name: 'left', version: '1.2.3' },
      { name: 'left', version: '2.0.0' },
      { name: '@scope/right', version: '3.0.0-beta.1' },
    ],
    advisories,
    exceptions: [],
    threshold: 'high',
    today: '2026-11-22',
    ...more,
  })

describe('the lock file', () => {
  test('is read with scopes, prereleases and quotes, and only in its section of packages', () => {
    const text = `importers:\n\n  .:\n    dependencies: {}\n\npackages:\n\n  '@scope/right@3.0.0-beta.1':\n    resolution: {}\n\n  left@1.2.3:\n    engines: {node: '>=8'}\n\nsnapshots:\n\n  other@9.9.9:\n    dependencies: {}\n`
    expect(lockedPackages(text)).toEqual([
      { name: '@scope/right', version: '3.0.0-beta.1' },
      { name: 'left', version: '1.2.3' },
    ])
  })

  test('of this workspace is read whole', () => {
    const text = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')
    const packages = lockedPackages(text)
    // Each entry of the section has exactly one resolution.
    expect(packages).toHaveLength(text.match(/^ {4}resolution: /gm).length)
    const { dependencies } = JSON.parse(readFileSync(join(root, 'packages/runtime/package.json'), 'utf8'))
    expect(packages).toContainEqual({ name: 'pg', version: dependencies.pg })
    expect(packages).toContainEqual({
      name: '@opentelemetry/api',
      version: dependencies['@opentelemetry/api'],
    })
  })
})

test.each([
  ['1.2.3', [{ introduced: '0' }], true],
  ['1.2.3', below('1.2.3'), false],
  ['1.2.2', below('1.2.3'), true],
  ['1.2.3-rc.1', below('1.2.3'), true],
  ['1.2.3', [{ introduced: '1.2.4' }, { fixed: '1.3.0' }], false],
  ['1.2.3', [{ introduced: '1.0.0' }, { last_affected: '1.2.3' }], true],
  ['1.2.4', [{ introduced: '1.0.0' }, { last_affected: '1.2.3' }], false],
  ['2.1.0', [{ introduced: '0' }, { fixed: '1.0.0' }, { introduced: '2.0.0' }, { fixed: '2.2.0' }], true],
  ['1.10.0', [{ fixed: '1.9.0' }, { introduced: '0' }], false],
])('%s against %j: affected is %s', (version, events, expected) => {
  expect(isAffected(version, { ranges: [{ type: 'SEMVER', events }] })).toBe(expected)
})

test('a listed version is affected without a range', () => {
  expect(isAffected('1.2.3', { versions: ['1.2.3'] })).toBe(true)
  expect(isAffected('1.2.4', { versions: ['1.2.3'] })).toBe(false)
})

describe('the verdict', () => {
  test('names each affected version of a package, and no other package', () => {
    const { problems } = judge([
      advisory('GHSA-1', 'left', [{ introduced: '0' }]),
      advisory('GHSA-2', 'absent', [{ introduced: '0' }]),
    ])
    expect(problems).toEqual([
      'high GHSA-1 left@1.2.3: made for this test',
      'high GHSA-1 left@2.0.0: made for this test',
    ])
  })

  test('passes over other ecosystems and withdrawn advisories', () => {
    const elsewhere = advisory('PYSEC-1', 'left', [{ introduced: '0' }])
    elsewhere.affected[0].package.ecosystem = 'PyPI'
    const withdrawn = advisory('GHSA-3', 'left', [{ introduced: '0' }], { withdrawn: '2026-01-01T00:00:00Z' })
    expect(judge([elsewhere, withdrawn])).toMatchObject({ problems: [], notes: [] })
  })

  test.each([
    ['LOW', 'low', 'moderate', 0],
    ['MODERATE', 'moderate', 'moderate', 1],
    ['CRITICAL', 'critical', 'high', 1],
    [undefined, 'critical', 'critical', 1],
  ])('severity %s counts as %s against the threshold %s', (severity, counted, threshold, problems) => {
    const found = judge([advisory('GHSA-4', 'left', below('1.9.0'), { database_specific: { severity } })], {
      threshold,
    })
    expect(found.problems).toHaveLength(problems)
    expect([...found.problems, ...found.notes][0]).toContain(`${counted} GHSA-4 left@1.2.3`)
  })

  const exception = { id: 'CVE-2026-1', package: 'left', reason: 'not reachable', until: '2026-11-22' }
  const found = advisory('GHSA-5', 'left', below('1.9.0'), { aliases: ['CVE-2026-1'] })

  test('accepts what an exception names, by alias too, until its last day', () => {
    expect(judge([found], { exceptions: [exception] }).problems).toEqual([])
    expect(judge([found], { exceptions: [exception], today: '2026-11-23' }).problems).toEqual([
      'high GHSA-5 left@1.2.3: made for this test (its exception ended on 2026-11-22)',
    ])
  })

  test('an exception covers no other package and no other advisory, and an unneeded one is noted', () => {
    for (const other of [
      { ...exception, package: 'right' },
      { ...exception, id: 'CVE-2026-2' },
    ]) {
      const { problems, notes } = judge([found], { exceptions: [other] })
      expect(problems).toHaveLength(1)
      expect(notes).toEqual([`exception ${other.id} for ${other.package} is not needed: nothing matches it`])
    }
  })
})

describe('the file', () => {
  const write = (name, content) => {
    const path = join(folder, name)
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  }

  test('is one advisory, a list, or a folder of either', () => {
    const one = write('one.json', advisory('GHSA-6', 'left', below('2.0.0')))
    const list = write('list.json', [advisory('GHSA-7', 'left', []), advisory('GHSA-8', 'left', [])])
    mkdirSync(join(folder, 'nested', 'deeper'), { recursive: true })
    write('nested/deeper/a.json', advisory('GHSA-9', 'left', []))
    const ids = (path) => readAdvisories(path).map(({ id }) => id)
    expect(ids(one)).toEqual(['GHSA-6'])
    expect(ids(list)).toEqual(['GHSA-7', 'GHSA-8'])
    expect(ids(join(folder, 'nested'))).toEqual(['GHSA-9'])
  })

  test('that holds no advisory fails, because a check that read nothing must not pass', () => {
    mkdirSync(join(folder, 'empty'))
    expect(() => readAdvisories(join(folder, 'empty'))).toThrow('no advisory found')
    expect(() => readAdvisories(write('npm-audit.json', { auditReportVersion: 2 }))).toThrow(
      'not an advisory',
    )
    expect(() => checkAdvisories(join(folder, 'absent.json'))).toThrow('no such file or folder')
  })

  const command = (...args) =>
    spawnSync(process.execPath, [join(root, 'infra/supply-chain/advisories.mjs'), ...args], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    })

  test('fails the command when it names a package of this workspace, and passes it otherwise', () => {
    const { version } = lockedPackages(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')).find(
      ({ name }) => name === 'pg',
    )
    const hit = command('--file', write('hit.json', advisory('GHSA-hit', 'pg', [{ introduced: '0' }])))
    expect([hit.status, hit.stdout]).toEqual([1, expect.stringContaining(`high GHSA-hit pg@${version}`)])
    const miss = command('--file', write('miss.json', advisory('GHSA-miss', 'pg', below('0.0.1'))))
    expect([miss.status, miss.stdout]).toEqual([0, expect.stringContaining('0 not accepted')])
  })

  test('when none is given, the command says that the check did not run', () => {
    const { status, stdout } = command()
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^advisories: did not run: /)])
  })
})

test('an exception without a reason or a date is refused', () => {
  const path = join(folder, 'exceptions.json')
  writeFileSync(path, JSON.stringify([{ id: 'GHSA-1', package: 'left', reason: 'x' }]))
  expect(() => readExceptions(path)).toThrow('until (YYYY-MM-DD)')
  expect(readExceptions()).toEqual(expect.any(Array))
})
