import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import { entities, entity } from '../../test/fixtures/entities.ts'
import { sdnCsv } from '../../test/fixtures/ofac.ts'
import { parsePublication } from '../../test/fixtures/parse.ts'
import { entityHash } from '../domain/lists/list-delta.ts'
import { packEntities, unpackEntities } from './stored-form.ts'

describe('stored form', () => {
  test('returns exactly what was stored, in the same order', async () => {
    const list = [
      entity('1'),
      entity('2', { names: [{ full: 'ولمور "x"\n', quality: 'primary', script: 'Arab' }] }, 'vessel'),
    ]
    expect(await unpackEntities(await packEntities(list))).toEqual(list)
    expect(await unpackEntities(await packEntities([]))).toEqual([])
  })

  test('preserves the version of every entity, so that unchanged content is not reported as a change', async () => {
    const list = (await parsePublication(sdnCsv)).entities
    const stored = await unpackEntities(await packEntities(list))
    expect(stored.map(entityHash)).toEqual(list.map(entityHash))
  })

  test('rejects a stored list that lost entities, is truncated, or has another format version', async () => {
    const packed = await packEntities(entities(10))
    const lines = gunzipSync(packed).toString().trim().split('\n')
    await expect(unpackEntities(gzipSync(lines.slice(0, -1).join('\n')))).rejects.toThrow('damaged')
    await expect(unpackEntities(packed.subarray(0, packed.length - 20))).rejects.toThrow()
    await expect(unpackEntities(gzipSync('{"stored_form":2,"count":0}\n'))).rejects.toThrow()
  })
})
