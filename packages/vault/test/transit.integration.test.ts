import { describe, test } from '@jest/globals'
import { testTransitContract } from './transit-contract.ts'

const { TRANSIT_TEST_ADDRESS: address, TRANSIT_TEST_TOKEN: token } = process.env

if (address && token) {
  describe('keys in a real key manager', () => testTransitContract(() => ({ address, token })))
} else {
  process.stdout.write(
    'skipped: keys in a real key manager (TRANSIT_TEST_ADDRESS, TRANSIT_TEST_TOKEN are not set)\n',
  )
  test.skip('SKIPPED: no key manager (TRANSIT_TEST_ADDRESS, TRANSIT_TEST_TOKEN) with `transit` mounted', () => {})
}
