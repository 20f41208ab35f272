import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { loopbackOnlyUnavailable, runOnLoopback } from '../support/loopback-only.ts'
import { acpAgents, skipReason } from './real-project.ts'

const start = fileURLToPath(new URL('../../scripts/start', import.meta.url))
const program = fileURLToPath(new URL('carry-out-offline.ts', import.meta.url))
const why =
  skipReason !== '' || loopbackOnlyUnavailable === undefined ? skipReason : ` (skipped: ${loopbackOnlyUnavailable})`

describe.skipIf(why !== '')(`in a network that has a loopback alone${why}`, () => {
  test.for(acpAgents)('$title carries out a spec, and nobody asks for a name', async ({ agent }) => {
    const printed = await runOnLoopback([start, program, agent], 120_000)
    const { verdicts, names, strays } = JSON.parse(printed.split('\n').at(-1) ?? '')
    expect(verdicts).toEqual(['pass evidenced', 'pass observed'])
    expect([...new Set(names)]).toEqual(['control.example'])
    expect(strays).toEqual([])
  })
})
