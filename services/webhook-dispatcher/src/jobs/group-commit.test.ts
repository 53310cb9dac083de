import { expect, test } from '@jest/globals'
import { GroupCommit } from './group-commit.ts'

/** A write that completes on demand and records its groups. */
function heldWrites() {
  const groups: number[][] = []
  const ends: { settle: (text: string) => void; fail: (error: Error) => void }[] = []
  const write = (items: readonly number[]) => {
    groups.push([...items])
    return new Promise<string>((settle, fail) => ends.push({ settle, fail }))
  }
  return { groups, ends, write }
}
const turn = () => new Promise((resume) => setImmediate(resume))

test('groups items of one event loop turn, and the items that arrive during a write', async () => {
  const { groups, ends, write } = heldWrites()
  const commit = new GroupCommit(write)
  const first = [commit.add(1), commit.add(2)]
  await turn()
  const second = [commit.add(3), commit.add(4), commit.add(5)]
  await turn()
  expect(groups).toEqual([[1, 2]])
  ends[0]!.settle('a')
  expect(await Promise.all(first)).toEqual(['a', 'a'])
  await turn()
  expect(groups).toEqual([
    [1, 2],
    [3, 4, 5],
  ])
  ends[1]!.settle('b')
  expect(await Promise.all(second)).toEqual(['b', 'b', 'b'])
})

test('limits the size of a group', async () => {
  const { groups, ends, write } = heldWrites()
  const commit = new GroupCommit(write, 2)
  const all = [1, 2, 3].map((item) => commit.add(item))
  await turn()
  ends[0]!.settle('')
  await turn()
  ends[1]!.settle('')
  await Promise.all(all)
  expect(groups).toEqual([[1, 2], [3]])
})

test('a failed write rejects its own group only', async () => {
  const { ends, write } = heldWrites()
  const commit = new GroupCommit(write)
  const failing = commit.add(1)
  await turn()
  const following = commit.add(2)
  ends[0]!.fail(new Error('away'))
  await expect(failing).rejects.toThrow('away')
  await turn()
  ends[1]!.settle('written')
  expect(await following).toBe('written')
  const later = commit.add(3)
  await turn()
  ends[2]!.settle('again')
  expect(await later).toBe('again')
})
