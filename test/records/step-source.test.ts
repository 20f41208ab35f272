import { expect, it } from 'vitest'
import {
  countSources,
  describeMisfit,
  describeSources,
  sourceWord,
  type StepSource,
} from '../../src/records/step-source.ts'

const handedOver = (cause?: string): StepSource => ({
  kind: 'handed-over',
  reason: { code: 'REPLAY_STALE', message: 'm', ...(cause !== undefined && { cause }) },
})

function times(count: number, source: StepSource): readonly StepSource[] {
  return Array.from({ length: count }, () => source)
}

const replayed: StepSource = { kind: 'replayed' }
const agent: StepSource = { kind: 'agent' }

it.each<[string, readonly StepSource[], string | undefined]>([
  ['nothing', [], undefined],
  ['agents alone', times(3, agent), undefined],
  ['replays', times(40, replayed), '40 replayed'],
  ['replays beside agents', [replayed, agent, agent], '1 replayed, 2 by the agent'],
  [
    'all',
    [agent, ...times(2, handedOver('control missing')), ...times(40, replayed)],
    '40 replayed, 2 handed over (control missing), 1 by the agent',
  ],
  [
    'several causes',
    [handedOver('output changed'), handedOver('control missing'), handedOver('output changed')],
    '1 handed over (control missing), 2 handed over (output changed)',
  ],
  ['no cause', [handedOver()], '1 handed over (REPLAY_STALE)'],
])('counts steps by who carried them out: %s', (_what, sources, counts) => {
  expect(describeSources(countSources(sources))).toBe(counts)
})

it('says it in a word', () => {
  expect([replayed, agent, handedOver('control missing')].map(sourceWord)).toEqual([
    'replayed',
    'agent',
    'handed over: REPLAY_STALE',
  ])
})

it('says in a line what did not fit', () => {
  const reason = { code: 'REPLAY_DIFFERS', message: 'm', cause: 'output changed', line: 12 }
  expect(describeMisfit({ ...reason, file: 'a.recording.md' })).toBe(
    'REPLAY_DIFFERS, output changed, a.recording.md:12',
  )
  expect(describeMisfit({ code: 'REPLAY_STALE', message: 'm' })).toBe('REPLAY_STALE')
})
