import { describe, expect, test } from '@jest/globals'
import { type Logger, silentLogger } from '@kyc/runtime'
import { createOutboundClient } from './client.ts'

const options = {
  resolver: async () => ['8.8.4.4'],
  allowPrivate: false,
  ownAddresses: [],
  logger: silentLogger,
}

function recording() {
  const lines: { message: string; fields: Record<string, unknown> | undefined }[] = []
  const logger: Logger = { ...silentLogger, warn: (message, fields) => void lines.push({ message, fields }) }
  return { lines, logger }
}

describe('checking a URL', () => {
  test('returns the URL in the form that was checked', async () => {
    const { checkUrl } = createOutboundClient(options)
    expect(await checkUrl('HTTPS://Hooks.Example.COM:443/Kyc')).toEqual({
      ok: true,
      url: 'https://hooks.example.com/Kyc',
    })
  })

  test('rejects the host names of the service itself, whatever they resolve to, outside development mode', async () => {
    const own = { ...options, ownHosts: ['Kyc.example.com'] }
    const refusal = { ok: false, error: { code: 'destination_refused' } }
    expect(await createOutboundClient(own).checkUrl('https://kyc.example.com/hook')).toMatchObject(refusal)
    expect(await createOutboundClient(own).checkUrl('https://kyc.example.com./hook')).toMatchObject(refusal)
    expect(await createOutboundClient(own).checkUrl('https://other.example.com/hook')).toMatchObject({
      ok: true,
    })
    const development = createOutboundClient({ ...own, allowPrivate: true })
    expect(await development.checkUrl('https://kyc.example.com/hook')).toMatchObject({ ok: true })
  })

  test('logs the reason and the address, and discloses neither to the caller', async () => {
    const { lines, logger } = recording()
    const client = createOutboundClient({ ...options, resolver: async () => ['8.8.4.4', '10.1.2.3'], logger })
    const check = await client.checkUrl('https://hooks.example.com/secret-path')
    expect(check).toMatchObject({ ok: false, error: { message: 'The destination is not a public address.' } })
    expect(lines).toEqual([
      {
        message: 'outbound destination refused',
        fields: { reason: 'non_public_address', host: 'hooks.example.com', destination_ip: '10.1.2.3' },
      },
    ])
  })
})

test('development mode is logged once at startup', () => {
  const { lines, logger } = recording()
  createOutboundClient({ ...options, logger })
  expect(lines).toEqual([])
  createOutboundClient({ ...options, allowPrivate: true, logger })
  expect(lines.map((line) => line.message)).toEqual([expect.stringMatching(/^development mode/)])
})
