import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  parsePs,
  parseStat,
  readProcessTable,
  readStartTime,
} from '../../../../src/system/process/trees/process-table.ts'

const plain = { isStopped: false, isKernelThread: false, isMarked: false }

describe('the process table', () => {
  test('shows this process', () => {
    const own = readProcessTable().find(({ pid }) => pid === process.pid)
    expect(own).toMatchObject({ parentPid: process.ppid, isZombie: false })
    if (process.platform === 'linux') expect(readStartTime(process.pid)).toBe(own?.startTime)
  })

  test('has no start time of a process that is not there', () => {
    expect(readStartTime(99_999_999)).toBeUndefined()
  })

  test('reads names with spaces and brackets', () => {
    const stat = `7 (a) S 1 b) Z 3 4 5 ${'0 '.repeat(15)}777 0 0`
    expect(parseStat(7, stat)).toEqual({
      ...plain,
      pid: 7,
      parentPid: 3,
      groupId: 4,
      sessionId: 5,
      isZombie: true,
      startTime: '777',
    })
    expect(parseStat(7, '')).toBeUndefined()
  })

  test('knows kernel threads by their flag, since process 2 of a container can be any program', () => {
    const child = (flags: string) => `9 (sh) S 2 9 9 0 -1 ${flags} ${'0 '.repeat(12)}777 0`
    expect(parseStat(9, child('2129984'))).toMatchObject({ isKernelThread: true, startTime: '777' })
    expect(parseStat(9, child('4194304'))).toMatchObject({ isKernelThread: false, startTime: '777' })
  })

  test('reads what ps says', () => {
    const output =
      '    1     0     1 Ss   Sun Nov 22 03:15:56 2026\n  12   1   9 Z+   Mon Nov  2 03:15:56 2026\n\nnonsense\n'
    expect(parsePs(output)).toEqual([
      {
        ...plain,
        pid: 1,
        parentPid: 0,
        groupId: 1,
        sessionId: 0,
        isZombie: false,
        startTime: 'Sun Nov 22 03:15:56 2026',
      },
      {
        ...plain,
        pid: 12,
        parentPid: 1,
        groupId: 9,
        sessionId: 0,
        isZombie: true,
        startTime: 'Mon Nov 2 03:15:56 2026',
      },
    ])
  })

  test.runIf(existsSync('/bin/ps'))('reads what the ps of this machine says', () => {
    const output = execFileSync('/bin/ps', ['-Ao', 'pid=,ppid=,pgid=,state=,lstart='], { encoding: 'utf8' })
    expect(parsePs(output).find(({ pid }) => pid === process.pid)).toMatchObject({ parentPid: process.ppid })
  })
})
