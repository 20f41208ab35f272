import { describe, expect, test } from 'vitest'
import type { AgentProgress } from '../../src/host/protocol/protocol.ts'
import { ScenarioRun } from '../../src/scenario/scenario-run.ts'
import { short } from '../verdict/evidence.ts'
import { writeOutcome } from '../../src/records/outcomes/outcome-files.ts'
import { ended, reported, useScenario } from './use-scenario.ts'

const open = useScenario()
const sh = (code: string, more = ''): string => `\`\`\`sh${more}\n${code}\n\`\`\`\n`
const none = '---\nagent: none\n---\n'

type Row = readonly [
  name: string,
  source: string,
  progress: readonly AgentProgress[],
  verdicts: readonly string[],
  told: readonly string[],
]

const twoOfProse = '# T\n\n## A\n\nDo a.\n\n## B\n\nDo b.\n'
const started = ['enter', 'start 1-a 2-b']

describe('a scenario is run step by step', () => {
  test.for<Row>([
    ['blocks alone need no agent', `${none}# T\n\n## A\n\n${sh('true')}`, [], ['pass verified'], ['enter', 'close']],
    [
      'blocks and steps behind a block that fails are run as well',
      `${none}# T\n\n## A\n\n${sh('false')}${sh('exit 2')}\n## B\n\n${sh('true')}`,
      [],
      ['fail RUN_FAILED@9 RUN_FAILED@12', 'pass verified'],
      ['enter', 'close'],
    ],
    [
      'steps behind one that lost the shell have a new one',
      `${none}# T\n\n## A\n\n${sh('x=1')}\n## B\n\n${sh('kill -9 $$')}\n## C\n\n${sh('test -z "${x-}"')}`,
      [],
      ['pass verified', 'fail RUN_FAILED@14', 'pass verified'],
      ['enter', 'close'],
    ],
    [
      'a block that fails stops what is behind it where the spec says so',
      `${none.replace('none', 'none\nafter-failure: stop')}# T\n\n## A\n\n${sh('false')}${sh('exit 2')}\n## B\n\n${sh('true')}`,
      [],
      ['fail RUN_FAILED@10', 'skipped PREDECESSOR_FAILED@16'],
      ['enter', 'close'],
    ],
    [
      'an agent is started once and led from step to step',
      twoOfProse,
      [reported('1-a'), reported('1-a', '2-b'), ended(['1-a', '2-b'])],
      ['pass claimed', 'pass claimed'],
      [...started, 'go-on', 'finish', 'conclude pass', 'close'],
    ],
    [
      'an agent is stopped where a block does not confirm its step',
      `# T\n\n## A\n\nDo a.\n\n${sh('false', ' verify')}\n## B\n\nDo b.\n`,
      [reported('1-a'), ended(['1-a'])],
      ['fail VERIFY_FAILED@8', 'skipped PREDECESSOR_FAILED@11'],
      [...started, 'stop: The step "A" did not pass.', 'conclude fail', 'close'],
    ],
    [
      'an agent that ends without a word has no verdict to give',
      twoOfProse,
      [ended()],
      ['fail LOG_MISSING@3', 'skipped PREDECESSOR_FAILED@7'],
      [...started, 'conclude fail', 'close'],
    ],
  ])('%s', async ([, source, progress, verdicts, told]) => {
    const { input, steps, told: heard } = open(source, progress)
    const run = new ScenarioRun(input)
    const { signal } = new AbortController()
    const settled: string[] = []
    for (const { ordinal } of steps) settled.push(short((await run.settle(ordinal, signal)).verdict))
    expect(await run.finish()).toEqual([])
    expect(settled).toEqual(verdicts)
    expect(heard).toEqual(told)
  })

  test('a tear-down runs once, whatever became of the steps', async () => {
    const { input, told } = open(`${none}# T\n\n## A\n\n${sh('false')}\n## Teardown\n\n${sh('exit 1')}`)
    const run = new ScenarioRun(input)
    const { verdict } = await run.settle(1, new AbortController().signal)
    expect(verdict.outcome).toBe('fail')
    await Promise.all([run.finish(), run.finish()])
    expect(told.filter((word) => word === 'close')).toHaveLength(1)
  })

  test('an error of the host comes with every step behind it, and the scenario is closed all the same', async () => {
    const { input, told } = open(twoOfProse)
    const run = new ScenarioRun(input)
    const { signal } = new AbortController()
    await expect(run.settle(1, signal)).rejects.toThrow('The connection broke.')
    await expect(run.settle(2, signal)).rejects.toThrow('The connection broke.')
    await run.finish()
    expect(told.at(-1)).toBe('close')
  })

  test('whoever gives up before the first step never starts an agent', async () => {
    const { input, told } = open(twoOfProse)
    await new ScenarioRun(input).finish()
    expect(told).not.toContain('enter')
  })
})

test('what passed before the agent was seen to act past mdtest is worth nothing either, and that is told late', async () => {
  const errors = [{ cause: 'executor', message: 'it called `Bash`.' }] as const // a literal name
  const more = { executor: { sandbox: 'bubblewrap' }, errors } as const // a literal name
  const { input, told } = open(twoOfProse, [reported('1-a'), ended(['1-a', '2-b'], more)])
  const run = new ScenarioRun(input)
  const { signal } = new AbortController()
  const verdicts = [await run.settle(1, signal), await run.settle(2, signal)].map(({ verdict }) => short(verdict))
  expect(verdicts).toEqual(['pass claimed', 'blocked EXECUTOR_UNAVAILABLE@7'])
  expect(await run.finish()).toMatchObject([{ code: 'EXECUTOR_UNAVAILABLE', line: 3 }])
  expect(told.filter((word) => word.startsWith('conclude'))).toEqual(['conclude blocked'])
})

describe('a scenario whose passes are repeated before they count', () => {
  const progress = [reported('1-a'), reported('1-a', '2-b'), ended(['1-a', '2-b'])]
  const signal = new AbortController().signal

  test('settles its first step when all is over, and has nothing to tell late', async () => {
    const { input, told } = open(twoOfProse, progress)
    const steps = { '1-a': 'reproduced' as const, '2-b': { line: 8, message: 'Not the same.' } }
    const repeat = async ({ directory }: { readonly directory: string }): Promise<typeof steps> => {
      input.host.direct('', { kind: 'stop', reason: directory === input.root ? 'repeats there' : directory })
      return steps
    }
    const run = new ScenarioRun({ ...input, reproduce: { isRequired: true, repeat } })
    const first = await run.settle(1, signal)
    expect(told).toEqual([...started, 'go-on', 'finish', 'leave', 'stop: repeats there', 'conclude fail', 'close'])
    expect([first, await run.settle(2, signal)].map(({ verdict }) => short(verdict))).toEqual([
      'pass claimed',
      'fail NOT_REPRODUCED@8',
    ])
    expect(await run.finish()).toEqual([])
  })

  test('does without where no agent is asked', async () => {
    const { input, told } = open(`${none}# T\n\n## A\n\n${sh('true')}`)
    const repeat = (): never => {
      throw new Error('Nothing is to be repeated.')
    }
    const run = new ScenarioRun({ ...input, reproduce: { isRequired: true, repeat } })
    expect(short((await run.settle(1, signal)).verdict)).toBe('pass verified')
    expect(told).toEqual(['enter', 'close'])
  })

  test('waits, for its own limits, while it is repeated', async () => {
    const { input } = open(twoOfProse, progress)
    let isWaiting: boolean | undefined
    const run: ScenarioRun = new ScenarioRun({
      ...input,
      reproduce: {
        isRequired: false,
        async repeat() {
          isWaiting = run.isWaiting
          return {}
        },
      },
    })
    expect(short((await run.settle(1, signal)).verdict)).toBe('pass claimed')
    expect(isWaiting).toBe(true)
  })

  test('a service that cannot start fails a scenario that is over before', async () => {
    const { input } = open(`${none}# T\n\n## A\n\n${sh('nodde server.mjs', ' background')}${sh('true')}`)
    const { verdict } = await new ScenarioRun(input).settle(1, signal)
    expect(short(verdict)).toBe('fail TEARDOWN_FAILED@9')
    expect(verdict.reasons[0]?.message).toContain('ended by itself with exit code 127')
  })

  test('an outcome that cannot be written is an error where an earlier one would stand for it', async () => {
    const { input } = open(`${none}# T\n\n## A\n\n${sh('true')}`)
    const { host, spec, root } = input
    const scenario = { ...input.scenario, proves: { R: 'key' } }
    const cannot = { ...host, noteOutcome: () => Promise.reject(new Error('The place is read-only.')) }
    const settle = () => new ScenarioRun({ ...input, scenario, host: cannot }).settle(1, signal)
    expect(short((await settle()).verdict)).toBe('pass verified')
    const earlier = { scenario: 'T', outcome: 'pass', endedAt: new Date().toISOString(), proves: { R: 'key' } } as const
    writeOutcome({ specFile: spec.file, root }, earlier)
    await expect(settle()).rejects.toThrow('The place is read-only.')
  })
})
