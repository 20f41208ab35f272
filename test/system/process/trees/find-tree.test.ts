import { describe, expect, test } from 'vitest'
import type { ProcessEntry } from '../../../../src/system/process/trees/process-table.ts'
import { findTree, type TreeQuery } from '../../../../src/system/process/trees/kill-trees.ts'

function entry(pid: number, rest: Partial<ProcessEntry> = {}): ProcessEntry {
  return {
    pid,
    parentPid: 1,
    groupId: pid,
    sessionId: pid,
    isZombie: false,
    isStopped: false,
    startTime: '50',
    isMarked: false,
    ...rest,
  }
}

const us = entry(10, { groupId: 9, sessionId: 8 })
const root = entry(100, { parentPid: 10 })

const base: TreeQuery = { roots: [{ pid: 100 }], known: new Map(), ownPid: 10 }

function find(others: readonly ProcessEntry[], query: Partial<TreeQuery> = {}): readonly number[] {
  return findTree([entry(1, { parentPid: 0 }), us, ...others], { ...base, ...query }).map(({ pid }) => pid)
}

describe('findTree', () => {
  test('finds descendants of any depth, newest first', () => {
    expect(find([root, entry(101, { parentPid: 100 }), entry(102, { parentPid: 101 }), entry(103)])).toEqual([
      102, 101, 100,
    ])
  })

  test('finds the group and the session of a root that is gone', () => {
    expect(find([entry(101, { groupId: 100 }), entry(102, { sessionId: 100 })])).toEqual([102, 101])
  })

  test('finds carriers of the mark with their descendants', () => {
    expect(find([root, entry(101, { isMarked: true }), entry(102, { parentPid: 101 })], { roots: [] })).toEqual([
      102, 101,
    ])
  })

  test('finds those known from before, unless the id is another process now', () => {
    const query = {
      roots: [],
      known: new Map([
        [101, '50'],
        [102, '40'],
      ]),
    }
    expect(find([entry(101), entry(102)], query)).toEqual([101])
  })

  test('leaves zombies out', () => {
    expect(find([{ ...root, isZombie: true }, entry(101, { parentPid: 100, isZombie: true })])).toEqual([])
  })

  test('leaves a later process with the id of a root alone, and its group', () => {
    const table = [root, entry(101, { groupId: 100 })]
    expect(find(table, { roots: [{ pid: 100, startTime: '49' }] })).toEqual([])
    expect(find(table, { roots: [{ pid: 100, startTime: '50' }] })).toEqual([101, 100])
  })

  test('never finds us, our group, our session or the first process', () => {
    const table = [entry(9), entry(8), entry(11, { groupId: 9, sessionId: 8 }), entry(12, { parentPid: 10 })]
    for (const pid of [10, 9, 8]) expect(find(table, { roots: [{ pid }] })).toEqual([])
    expect(findTree([{ ...us, isMarked: true }, entry(1, { isMarked: true })], base)).toEqual([])
  })
})
