import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { root } from './packages.mjs'
import { nodeProblem } from './require-node.mjs'

test.each(['v22.15.0', 'v22.15.1', 'v23.0.0', 'v24.21.0', 'v100.0.0'])('accepts %s', (version) => {
  expect(nodeProblem(version, 'darwin')).toBeUndefined()
})

test.each(['v22.14.9', 'v22.0.0', 'v20.19.5', 'v18.20.4', 'v9.99.0'])(
  'refuses %s, and names it, the oldest version and the remedy',
  (version) => {
    for (const platform of ['darwin', 'win32', 'linux'])
      expect(nodeProblem(version, platform)).toMatch(
        new RegExp(
          `^Node\\.js 22\\.15 or newer is needed, and this is ${version}\\..*https://nodejs\\.org/en/download$`,
        ),
      )
  },
)

test('names the packages that bring Node.js 24 where they exist', () => {
  expect(nodeProblem('v20.19.5', 'linux')).toContain('npx --yes pnpm install')
  expect(nodeProblem('v20.19.5', 'darwin')).not.toContain('pnpm install')
})

test('every script that runs code of this workspace checks the version first', () => {
  const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
  const first =
    /^node infra\/(workspace|check|conformance)\/(require-node|generate|build|strangers-journey|run|schemathesis)\.mjs/
  const ours = Object.entries(scripts).filter(([, command]) => /\b(node|tsx)\b/.test(command))
  expect(ours.length).toBeGreaterThan(10)
  for (const script of ours) expect(script).toEqual([script[0], expect.stringMatching(first)])
  for (const file of [
    'infra/workspace/generate.mjs',
    'infra/workspace/build.mjs',
    'infra/workspace/strangers-journey.mjs',
    'infra/check/run.mjs',
    'infra/conformance/schemathesis.mjs',
    'infra/compose/verify.mjs',
    'infra/supply-chain/advisories.mjs',
  ]) {
    const imports = readFileSync(`${root}/${file}`, 'utf8')
      .split('\n')
      .filter((line) => /^import\b/.test(line))
    expect([file, imports[0]]).toEqual([
      file,
      expect.stringMatching(/^import '\.\.?\/(workspace\/)?require-node\.mjs'$/),
    ])
  }
})
