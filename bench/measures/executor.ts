import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from '../../scripts/lib/run-command.ts'
import { createLiveProject, notesProgram, notesSpec, type LiveProject } from '../lib/live-project.ts'
import type { Measure, MeasureOptions } from '../lib/measure.ts'
import { createProject, timeTests, type Project } from '../lib/project.ts'
import { compareTurns, runRounds, runTurns } from '../lib/rounds.ts'
import { timedRow, type Row } from '../lib/table.ts'
import { assertCount } from '../lib/wrong-count.ts'

const commands = 200
/** Each step runs one command. */
const steps = 20

/** Compares commands that mdtest executes for an agent with the agent's own shell: single and in a scenario. */
export const executor: Measure = async (options) => [...(await oneCommand(options)), ...(await scenario(options))]

/** A program that stands in for the CLI: it calls `run` of mdtest for commands and records the time. */
const caller = `#!${process.execPath}
import { readFileSync, writeFileSync } from 'node:fs'
const config = process.argv[process.argv.indexOf('--mcp-config') + 1]
const { url, headers } = JSON.parse(readFileSync(config, 'utf8')).mcpServers.mdtest
const call = async (name, input) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } })
  const all = { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  return (await fetch(url, { method: 'POST', headers: all, body })).text()
}
console.log(JSON.stringify({ type: 'system', subtype: 'init', session_id: '0', model: 'model-1' }))
await call('run', { command: './say begin' })
const startedAtMs = performance.now()
for (let n = 0; n < ${commands}; n += 1) {
  if (!(await call('run', { command: './say ' + n })).includes('Exit code 0')) process.exit(1)
}
writeFileSync(process.env.TOOK_FILE, String(performance.now() - startedAtMs))
const input = { step: '1-count', status: 'pass', observed: 'counted' }
const say = (type, part) => console.log(JSON.stringify({ type, message: { content: [part] } }))
say('assistant', { type: 'tool_use', id: '1', name: 'mcp__mdtest__report_step', input })
say('user', { type: 'tool_result', tool_use_id: '1', content: await call('report_step', input) })
`

const config = `import { defineConfig } from 'vitest/config'
import { mdtest } from 'vitest-mdtest'
export default defineConfig({
  plugins: [mdtest({ agent: 'claude', minAssurance: 'claimed', allow: ['Bash(./say *)'], executor: 'mdtest', sandbox: 'off' })],
})
`

async function oneCommand({ rounds = 7 }: MeasureOptions): Promise<readonly Row[]> {
  const project = await createProject({
    'vitest.config.ts': config,
    'count.test.md': '# Counting\n\n## Count\n\nCount.\n',
    'bin/claude': caller,
    say: '#!/bin/sh\necho "$1"\n',
    'bin/package.json': '{ "type": "module" }\n',
    'all.sh': `for ((n = 0; n < ${commands}; n += 1)); do ./say $n; done\n`,
  })
  for (const name of ['bin/claude', 'say']) await chmod(join(project.dir, name), 0o755)
  try {
    const result = await runRounds({ rounds, ours: () => timeCalls(project), plain: () => timeBash(project) })
    return [timedRow('a command by `run`, bash', result, { maxAddedMs: 10 })]
  } finally {
    await project.remove()
  }
}

async function timeCalls(project: Project): Promise<number> {
  const file = join(project.dir, 'took')
  const env = { TOOK_FILE: file }
  const path = `${join(project.dir, 'bin')}:${process.env.PATH}`
  await timeTests(project, { program: 'vitest', args: ['run'], tests: 1, path, env })
  return Number(await readFile(file, 'utf8')) / commands
}

async function timeBash({ dir }: Project): Promise<number> {
  const startedAtMs = performance.now()
  const { exitCode } = await runCommand(['bash', join(dir, 'all.sh')], { cwd: dir, quiet: true })
  assertCount('exit code of bash', { expected: 0, actual: exitCode })
  return (performance.now() - startedAtMs) / commands
}

async function scenario({ rounds = 5, log }: MeasureOptions): Promise<readonly Row[]> {
  const name = `${steps} commands by claude, its own shell`
  const live = await createLiveProject({ 'notes.sh': notesProgram, 'notes.test.md': notesSpec(steps) })
  if (!live.ok) return [{ name, verdict: 'skipped', note: live.reason }]
  const requests: Record<string, number> = {}
  const time = (mode: 'agent' | 'mdtest') => async (): Promise<number> => {
    const before = live.asked()
    const durationMs = await timeScenario(live, mode)
    requests[mode] = live.asked() - before
    return durationMs
  }
  try {
    const times = await runTurns(rounds, { mdtest: time('mdtest'), agent: time('agent') })
    log(`requests to the model: ${requests['mdtest']}, with its own shell ${requests['agent']}`)
    assertCount('requests to the model', { expected: requests['agent'], actual: requests['mdtest'] })
    return [timedRow(name, compareTurns(times.mdtest, times.agent), { maxRatio: 1.1 })]
  } finally {
    await live.remove()
  }
}

function timeScenario({ project, path, env }: LiveProject, mode: string): Promise<number> {
  const all = { ...env, REPLAY: 'off', EXECUTOR: mode }
  return timeTests(project, { program: 'vitest', args: ['run'], tests: steps, path, env: all })
}
