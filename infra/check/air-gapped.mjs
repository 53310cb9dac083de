// `air-gapped.mjs`: runs the journey's end-to-end suite in a network namespace that has loopback only. Database,
// broker, models and lists are local, so the suite makes no outbound connection. Needs Linux and permission to create a
// namespace.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../workspace/packages.mjs'

const inside = (script, options = {}) =>
  spawnSync('unshare', ['--net', '--', 'sh', '-ec', `ip link set lo up\n${script}`], {
    cwd: root,
    ...options,
  })

if (inside('true').status !== 0) {
  process.stdout.write('skipped: the journey without a network (no right to make a network namespace here)\n')
} else {
  // Verifies the isolation: an address that is routable elsewhere has no route here.
  const out = inside(
    `node -e "fetch('http://192.0.2.1').catch((error) => process.exit(error.cause.code === 'ENETUNREACH' ? 42 : 1))"`,
  )
  if (out.status !== 42) throw new Error('the namespace still has a way out')
  const { KYC_TEST_DATABASE_URL: _, ...environment } = process.env
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js')
  const suite = [
    '--experimental-vm-modules',
    '--conditions=source',
    '--disable-warning=ExperimentalWarning',
    jest,
  ]
  const { status } = inside(
    `exec "${process.execPath}" ${suite.map((part) => `"${part}"`).join(' ')} --selectProjects e2e -- test-e2e/journey`,
    { stdio: 'inherit', env: environment },
  )
  process.exitCode = status ?? 1
}
