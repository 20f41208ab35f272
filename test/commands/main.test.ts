import { Readable, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { commands, main } from '../../src/commands/main.ts'
import { interruptedBy } from '../../src/commands/common/cli.ts'

/** Runs a command in this process: its exit code, and what it printed. */
async function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const texts = { stdout: '', stderr: '' }
  const open = (name: keyof typeof texts): Writable =>
    new Writable({ write: (chunk: Buffer, _, done) => ((texts[name] += chunk.toString()), done()) })
  const streams = { stdin: Readable.from([]), stdout: open('stdout'), stderr: open('stderr') }
  const code = await main(args, { cwd: '/', env: {}, ...streams, signal: new AbortController().signal })
  return { code, ...texts }
}

test.each(commands.map(({ name }) => name))('mdtest %s --help tells its use and its exit codes', async (name) => {
  const { code, stdout, stderr } = await run(name, '--help')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(new RegExp(`^Usage: mdtest ${name}\\b`))
  expect(stdout).toContain('Exit codes: 0')
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(130)
})

test.each([['--help'], ['-h'], ['help']])('%s lists all commands', async (flag) => {
  const { code, stdout } = await run(flag)
  expect(code).toBe(0)
  for (const { name, summary } of commands) expect(stdout).toContain(`${name.padEnd(8)}  ${summary}`)
})

test.each<readonly [readonly string[], number, string]>([
  [[], 2, 'Which command?'],
  [['rnu'], 2, 'There is no command `rnu`. Did you mean `run`?'],
  [['a\u001b[2Jb'], 2, 'There is no command'],
  [['show', '--nope'], 2, "Unknown option '--nope'"],
  [['list', '--cost'], 2, "Unknown option '--cost'. Costs are shown in"],
  [['init', 'src'], 2, 'takes no paths'],
  [['gate', '--rerun'], 2, '`--rerun` needs `--verify FILE`.'],
  [['gate', '--remove'], 2, '`--remove` needs `--hook`.'],
  [['gate', '--verify', 'f', '--hook'], 2, 'cannot be used with option'],
  [['list', '--dir', '/no/such'], 2, 'is not a directory'],
  [['report'], 2, '`mdtest run --report`'],
  [['docs', 'no-such-page'], 2, 'There is no page `no-such-page`.'],
  [['mcp', '--keep', '0'], 2, '`--keep` takes a whole number from 1 to'],
  [['run', '-i', '--headless'], 2, 'contradict each other'],
  [['fix'], 3, 'What is to be fixed?'],
  [['fix', '--feature', 'a', '--feature', 'a'], 3, 'given twice'],
  [['fix', '--resume', '../x'], 3, 'takes the id of a session'],
])('mdtest %j ends with %i', async (args, expected, message) => {
  const { code, stdout, stderr } = await run(...args)
  expect(stderr).toContain(`mdtest: `)
  expect(stderr).toContain(message)
  expect(stderr).not.toContain('\u001b')
  expect([code, stdout]).toEqual([expected, ''])
})

test('an interrupted command ends as shells tell it', () => {
  expect(interruptedBy(AbortSignal.abort('SIGTERM'))).toBe(143)
  expect(interruptedBy(AbortSignal.abort('SIGINT'))).toBe(130)
  expect(interruptedBy(AbortSignal.abort())).toBe(130)
})
