import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { planBlocks } from '../../../src/scenario/plan-blocks.ts'
import { ScenarioUpdates } from '../../../src/scenario/scenario-updates.ts'
import { Workspace } from '../../../src/scenario/workspace/workspace.ts'
import type { Block } from '../../../src/spec/spec.ts'
import { isAlive } from '../../system/process/use-fixtures.ts'
import { useScenario } from '../use-scenario.ts'

const open = useScenario()

interface Opened {
  readonly workspace: Workspace
  readonly blocks: readonly Block[]
  readonly directory: string
  run(code: string, timeoutMs?: number): Promise<readonly [exitCode: number | undefined, output: string]>
}

async function openExecutor(...codes: readonly string[]): Promise<Opened> {
  const fences = (codes.length === 0 ? ['true'] : codes).map((code) => `\`\`\`sh\n${code}\n\`\`\`\n`).join('\n')
  const { input, steps, launcher } = open(`---\nagent: none\ncwd: temp\n---\n# T\n\n## A\n\n${fences}`)
  const planned = planBlocks(input.scenario)
  const workspace = new Workspace({
    ...input,
    updates: new ScenarioUpdates(input),
    redact: (text) => text,
    afterFailure: 'stop',
    hasTeardown: false,
    launcher: () => launcher,
  })
  onTestFinished(() => workspace.close())
  const directory = realpathSync(await workspace.directory())
  return {
    workspace,
    directory,
    blocks: steps.flatMap((step) => planned.of(step)),
    async run(code, timeoutMs = 10_000) {
      const { exitCode, output } = await workspace.executor.runForAgent({ code, timeoutMs, scratchDir: '/nowhere' })
      return [exitCode, output]
    },
  }
}

describe("the shell of an agent's commands", () => {
  test('begins with the state of the blocks, lasts, and leaves none behind', async () => {
    const { workspace, blocks, run } = await openExecutor('word=set; cd /', 'test "$word-$more-$(type -t f)" = set--')
    await workspace.runBlocks(blocks.slice(0, 1))
    expect(await run('echo "$word $MDTEST_SCRATCH"; more=1; f() { :; }')).toEqual([0, 'set /nowhere\n'])
    expect(await run('echo "$more"; false')).toEqual([1, '1\n'])
    expect((await workspace.runBlocks(blocks.slice(1))).map(({ status }) => status)).toEqual(['pass'])
  })

  test('is forked anew after blocks, in the directory in which it was', async () => {
    const { workspace, blocks, directory, run } = await openExecutor('later=yes')
    expect(await run('mkdir in; cd in; own=1; pwd')).toEqual([0, `${directory}/in\n`])
    await workspace.runBlocks(blocks)
    expect(await run('echo "$later-$own"; pwd')).toEqual([0, `yes-\n${directory}/in\n`])
  })

  test('keeps no bash that nothing runs in any more', async () => {
    const { workspace, blocks, run } = await openExecutor('true')
    const pidOf = async (): Promise<number> => Number((await run('echo $$'))[1])
    const first = await pidOf()
    await workspace.executor.holdForAgent()
    await workspace.runBlocks(blocks)
    await workspace.executor.releaseForAgent()
    expect(await pidOf()).not.toBe(first)
    await expect.poll(() => isAlive(first)).toBe(false)
  })

  test('goes on with a new bash after one that ended', async () => {
    const { workspace, directory, run } = await openExecutor()
    expect(await run('cd /; sleep 60', 100)).toEqual([undefined, ''])
    expect(await run('pwd')).toEqual([0, `${directory}\n`])
    expect(await run('exit 3')).toEqual([3, ''])
    const long = workspace.executor.runForAgent({ code: 'echo so; sleep 60', timeoutMs: 10_000, scratchDir: '/' })
    await expect.poll(() => workspace.executor.outputForAgent()).toBe('so\n')
    await workspace.executor.stopForAgent()
    expect(await long).toMatchObject({ exitCode: undefined, output: 'so\n', problem: 'It was ended, as you asked.' })
  })

  test('ends a command that began before blocks, and leaves a directory that is gone', async () => {
    const { workspace, blocks, directory, run } = await openExecutor('rmdir in')
    await run('mkdir in; cd in')
    const long = workspace.executor.runForAgent({ code: 'echo so; sleep 60', timeoutMs: 20_000, scratchDir: '/' })
    await expect.poll(() => workspace.executor.outputForAgent()).toBe('so\n')
    await workspace.runBlocks(blocks)
    await workspace.executor.stopForAgent()
    expect(await long).toMatchObject({ exitCode: undefined, problem: 'It was ended, as you asked.' })
    const begun = { code: 'pwd', timeoutMs: 10_000, scratchDir: '/' }
    expect(await workspace.executor.runForAgent(begun)).toMatchObject({ isUntried: true, directory })
    expect(await run('pwd')).toEqual([0, `${directory}\n`])
  })

  test('begins nothing while it is held', async () => {
    const { workspace, run } = await openExecutor()
    const begun = run('echo so')
    await workspace.executor.holdForAgent()
    await sleep(100)
    expect(await workspace.executor.outputForAgent()).toBe('')
    await workspace.executor.releaseForAgent()
    expect(await begun).toEqual([0, 'so\n'])
    const late = run('echo late')
    await workspace.executor.endForAgent()
    expect(await late).toEqual([undefined, ''])
    expect(await workspace.executor.holdForAgent()).toEqual([])
  })

  test('holds what was left running while blocks run, and ends it', async () => {
    const { workspace, directory, run } = await openExecutor()
    // Other jobs get some seconds to end.
    const server = `require('http').createServer().listen(0); setInterval(() => fs.appendFileSync('ticks', '.'), 20)`
    await run(`node -e "${server}" &`)
    const ticks = (): number => readFileSync(join(directory, 'ticks'), { encoding: 'utf8', flag: 'a+' }).length
    await expect.poll(ticks).toBeGreaterThan(2)
    expect((await workspace.executor.holdForAgent()).length).toBeGreaterThan(0)
    const held = ticks()
    await sleep(200)
    expect(ticks()).toBe(held)
    await workspace.executor.releaseForAgent()
    await expect.poll(ticks).toBeGreaterThan(held)
    await workspace.executor.endForAgent()
    const ended = ticks()
    await sleep(200)
    expect(ticks()).toBe(ended)
    expect((await run('true'))[0]).toBeUndefined()
  })

  test('the same of a daemon that a product makes of itself', async () => {
    const { workspace, directory, run } = await openExecutor()
    const ticking = `setInterval(() => require('fs').appendFileSync('ticks', '.'), 20)`
    const daemon = `require('child_process').spawn(process.execPath, ['-e', process.argv[1]], { detached: true, stdio: 'ignore', env: {} }).unref()`
    await run(`node -e ${JSON.stringify(daemon)} ${JSON.stringify(ticking)}`)
    const ticks = (): number => readFileSync(join(directory, 'ticks'), { encoding: 'utf8', flag: 'a+' }).length
    await expect.poll(ticks).toBeGreaterThan(2)
    await workspace.executor.endForAgent()
    const ended = ticks()
    await sleep(200)
    expect(ticks()).toBe(ended)
  })
})
