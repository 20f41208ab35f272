import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AgentEvent } from '../../../src/agents/agent.ts'
import { Executor } from '../../../src/host/executor/executor.ts'
import type { ScenarioRequest } from '../../../src/host/protocol/protocol.ts'
import { AgentShell } from '../../../src/scenario/workspace/agent-shell.ts'
import { openShell } from '../../../src/system/shell/open-shell.ts'
import { useLauncher } from '../../support/use-launcher.ts'

const launcher = useLauncher()

interface Opened {
  readonly executor: Executor
  readonly root: string
  readonly events: AgentEvent[]
  run(command: string): Promise<string>
}

function openExecutor(allow: readonly string[], writes: readonly string[] = []): Opened {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-executor-')))
  const [root, scratchDir, tempDir] = ['root', 'scratch', 'temp'].map((name) => {
    mkdirSync(join(base, name))
    return join(base, name)
  }) as [string, string, string] // three names
  const env = { PATH: process.env.PATH ?? '' }
  const shell = openShell({ launcher: launcher, cwd: root, tempDir, env })
  const worker = new AgentShell({ fork: () => shell.fork(), directory: async () => root })
  onTestFinished(async () => {
    await worker.endForAgent()
    await shell.close()
    rmSync(base, { recursive: true })
  })
  const specFile = join(root, 'a.test.md')
  writeFileSync(specFile, '# A\n')
  const settings = { allow, dangerouslyAllowAllActions: false, blockTimeoutMs: 10_000 }
  const request = { cwd: root, root, specFile, includedFiles: [], writes, settings, isToBeRecorded: true }
  const logs = { dir: join(root, 'a.logs'), evidence: join(root, 'a.logs/now') }
  const executor = new Executor({
    worker,
    request: request as unknown as ScenarioRequest, // what it reads of it
    scratchDir,
    logs,
    environment: new Set(['PATH']),
    servers: { tools: [], hold: async () => [], release() {}, async close() {} },
  })
  const events: AgentEvent[] = []
  executor.listen({ onCall() {}, onEvent: (event) => void events.push(event) })
  return { executor, root, events, run: async (command) => (await executor.run({ command })).text }
}

describe('the executor that mdtest lends an agent', () => {
  test('execute a command that a rule allows, and tell of it', async () => {
    const { run, events, root, executor } = openExecutor(['Bash(node *)'])
    writeFileSync(join(root, 'say.mjs'), 'console.log("said"); process.exitCode = 4')
    expect(await run('node say.mjs')).toMatch(/^After \d+\.\d\d s:\nExit code 4\nOutput:\nsaid$/)
    expect(events).toEqual([
      { type: 'tool-call', id: 'c1', kind: 'command', tool: 'run', title: 'node say.mjs', files: [], directory: root },
      { type: 'tool-result', id: 'c1', isError: false, exitCode: 4, output: 'said\n' },
    ])
    expect(executor.done).toMatchObject([{ kind: 'command', command: 'node say.mjs', cwd: root, exitCode: 4 }])
  })

  test('tell each byte of an output, and show characters', async () => {
    const { run, events, root, executor } = openExecutor(['Bash(node *)'])
    writeFileSync(join(root, 'say.mjs'), 'process.stdout.write(Buffer.from([0x61, 0xff, 0xc3, 0xa4]))')
    expect(await run('node say.mjs')).toMatch(/\na\ufffdä$/)
    expect(events[1]).toMatchObject({ type: 'tool-result', output: 'a\udcffä' })
    expect(executor.done).toMatchObject([{ output: 'a\ufffdä' }])
  })

  test('have what is guarded compared after each line that is more than a look', async () => {
    const { run, executor, root } = openExecutor(['Bash(node *)'])
    let compared = 0
    const onAction = async (): Promise<void> => void (compared += 1)
    executor.listen({ onCall() {}, onEvent() {}, onAction })
    writeFileSync(join(root, 'say.mjs'), '')
    const counts: number[] = []
    for (const line of ['ls; cat say.mjs', 'node say.mjs', 'cd .', 'echo x > $MDTEST_SCRATCH/x']) {
      await run(line)
      await executor.hold()
      await executor.release()
      counts.push(compared)
    }
    expect(counts).toEqual([0, 1, 1, 1])
  })

  test('compare again before the next command if comparing failed', async () => {
    const { run, executor, root } = openExecutor(['Bash(node *)'])
    let compared = 0
    const onAction = async (): Promise<void> => {
      compared += 1
      if (compared === 1) throw new Error('no descriptor is left')
    }
    executor.listen({ onCall() {}, onEvent() {}, onAction })
    writeFileSync(join(root, 'say.mjs'), '')
    for (const line of ['node say.mjs', 'ls', 'ls']) expect(await run(line)).toContain('Exit code 0')
    expect(compared).toBe(2)
  })

  test('refuse what no rule allows', async () => {
    const { run, events, executor } = openExecutor([])
    expect(await run('npm publish')).toMatch(/^Refused: .*npm publish/)
    expect(events).toMatchObject([{ type: 'denial', what: 'npm publish', rule: expect.stringContaining('Bash(npm') }])
    expect(executor.done).toEqual([{ kind: 'refused' }])
  })

  test('tell no result of what was not executed', async () => {
    const { run, executor, events } = openExecutor(['Bash(node *)'])
    await executor.end()
    expect(await run('node a.mjs')).toContain('The scenario is over')
    expect(events).toMatchObject([{ type: 'tool-call' }])
    expect(executor.done).toEqual([{ kind: 'refused' }])
  })

  test('do nothing while a report is checked', async () => {
    const { run, executor, events } = openExecutor([])
    executor.waitWhile(() => true)
    expect(await run('echo so')).toContain('still checks')
    expect(events).toEqual([])
  })

  test('refuse a program of the agent that comes to be in the background', async () => {
    const { run, executor } = openExecutor(['Bash(node *)'])
    await run('{ sleep 0.2; echo "console.log(1)" > $MDTEST_SCRATCH/a.mjs; } &')
    await expect.poll(() => existsSync(join(executor.scratchDir, 'a.mjs'))).toBe(true)
    expect(await run('node $MDTEST_SCRATCH/a.mjs')).toMatch(/^Refused: .* which is no file of the project/)
  })

  test('take no words of a job in the background for those of a later command', async () => {
    const { run } = openExecutor(['Bash(node *)'])
    expect(await run('{ sleep 0.3; echo late words; } &')).not.toContain('late words')
    expect(await run('sleep 0.6; echo now; wait')).toMatch(/Output:\nnow$/)
  })

  test('lend a command no file and no variable of their own', async () => {
    const { run } = openExecutor(['Bash(env)'])
    const found = await run('echo done 0 >&197; echo done 0 >&198; echo done 0 >&199')
    expect(await run('env')).not.toMatch(/TOKEN|MCP/)
    expect(found.match(/Bad file descriptor/g)).toHaveLength(3)
  })

  test('write no file that `*` would make an option of', async () => {
    const { executor } = openExecutor([], ['**'])
    expect((await executor.write({ path: '--to-command=sh', content: '' })).isError).toBe(true)
    expect((await executor.write({ path: join(executor.scratchDir, '-x/a'), content: '' })).isError).toBe(true)
  })

  test('run no copy of the product', async () => {
    const { run, root } = openExecutor(['Bash(node *)'])
    writeFileSync(join(root, 'notes.mjs'), `import { words } from './words.mjs'\nconsole.log(words)\n`)
    writeFileSync(join(root, 'words.mjs'), `export const words = 'of the product'\n`)
    expect(await run('cp *.mjs $MDTEST_SCRATCH && node $MDTEST_SCRATCH/notes.mjs')).toMatch(/^Refused: /)
    expect(await run('cd $MDTEST_SCRATCH && node notes.mjs')).toMatch(/^Refused: /)
    expect(await run('node notes.mjs')).toContain('of the product')
  })

  test('let nobody write to the product through a link', async () => {
    const { run, root } = openExecutor([])
    writeFileSync(join(root, 'data.txt'), 'data')
    await run('cp -l data.txt $MDTEST_SCRATCH/hard')
    await run('cp -s $PWD/data.txt $MDTEST_SCRATCH/soft; echo x > $MDTEST_SCRATCH/soft')
    await run('ln -s $PWD $MDTEST_SCRATCH/folder; echo x > $MDTEST_SCRATCH/folder/data.txt')
    await run('for name in hard soft folder/data.txt; do echo x > $MDTEST_SCRATCH/$name; done')
    expect(readFileSync(join(root, 'data.txt'), 'utf8')).toBe('data')
  })

  test('write no files once the scenario is over', async () => {
    const { executor, events } = openExecutor([])
    await executor.end()
    const write = executor.write({ path: join(executor.scratchDir, 'a'), content: 'a' })
    expect(await write).toEqual({ text: 'The scenario is over.', isError: true })
    expect(events).toEqual([])
  })

  test('show head and tail of a long output, and keep all of it in a file', async () => {
    const { run, executor } = openExecutor(['Bash(seq *)'])
    const lines = (await run('seq 1000')).split('\n')
    expect(lines).toHaveLength(3 + 120 + 1 + 80)
    expect(lines[123]).toBe('… lines 121 to 920 are left out: all of it is in $MDTEST_SCRATCH/c1.out …')
    const rest = await run('tail -n +901 $MDTEST_SCRATCH/c1.out')
    expect(rest.split('\n').slice(3)).toEqual(Array.from({ length: 100 }, (_, index) => String(901 + index)))
    expect((await executor.nextOutput({ id: 'c9' })).isError).toBe(true)
  })

  test('write files of the agent in its folder and where the spec lets them', async () => {
    const { executor, root, events } = openExecutor([], ['data/*.json'])
    const write = async (path: string): Promise<boolean> => !(await executor.write({ path, content: '{}' })).isError
    symlinkSync(root, join(executor.scratchDir, 'link'))
    mkdirSync(join(root, 'data'))
    writeFileSync(join(root, 'kept.json'), 'kept')
    symlinkSync('../kept.json', join(root, 'data/link.json'))
    expect(await Promise.all([write('data/a.json'), write(join(executor.scratchDir, 'deep/b.txt'))])).toEqual([
      true,
      true,
    ])
    const refused = [
      'a.json',
      '../a.json',
      join(executor.scratchDir, 'link/kept.json'),
      'data/link.json',
      'data/x/a.json',
    ]
    expect(await Promise.all(refused.map(write))).toEqual(refused.map(() => false))
    const log = await executor.write({ path: 'a.logs/now.log.md', content: '---' })
    expect(log).toMatchObject({ isError: true, text: expect.stringContaining('Report with `report_step`') })
    expect(readFileSync(join(root, 'kept.json'), 'utf8')).toBe('kept')
    expect(events.filter(({ type }) => type === 'tool-call')).toMatchObject([
      { tool: 'write', use: 'edit', files: [join(root, 'data/a.json')], written: ['{}'] },
      { tool: 'write', use: 'edit' },
    ])
  })

  test('note what was done in the order in which it began', async () => {
    const { executor, root } = openExecutor(['Bash(node *)'], ['data/*'])
    writeFileSync(join(root, 'say.mjs'), 'console.log("said")')
    writeFileSync(join(root, 'wait.mjs'), 'setInterval(() => {}, 1000)')
    await executor.run({ command: 'node say.mjs' })
    await executor.run({ command: 'node wait.mjs &' })
    const waiting = executor.run({ command: 'node wait.mjs' })
    await expect.poll(() => executor.isBusy).toBe(true)
    expect(executor.done.at(-1)).toEqual({ kind: 'unfinished', command: 'node wait.mjs' })
    executor.noteReport(true)
    await executor.nextOutput({ id: 'c3', stop: true })
    await waiting
    await executor.write({ path: 'data/in.txt', content: 'in' })
    await executor.run({ command: 'node say.mjs' })
    expect(executor.done).toEqual([
      saidIn(root),
      { ...saidIn(root), command: 'node wait.mjs', output: '', isBackground: true },
      { kind: 'unfinished', command: 'node wait.mjs', isEnded: true },
      { kind: 'report', isAccepted: true },
      { kind: 'edit', file: join(root, 'data/in.txt'), content: 'in' },
      saidIn(root),
    ])
  })
})

function saidIn(cwd: string): object {
  const done = { kind: 'command', command: 'node say.mjs', output: 'said\n', isBackground: false }
  return { ...done, cwd, exitCode: 0 }
}
