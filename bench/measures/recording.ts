import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { at } from '../lib/at.ts'
import { createLiveProject, notesProgram, notesSpec } from '../lib/live-project.ts'
import type { Log, Measure } from '../lib/measure.ts'
import { timeTests } from '../lib/project.ts'
import { compareTurns, runTurns } from '../lib/rounds.ts'
import { files } from '../lib/spec-texts.ts'
import { timedRow, type Row } from '../lib/table.ts'

/** Other files in the project. All are copied for each execution. */
const fileCount = 300
/** File in which each run of the program records its start and end. */
const ledger = 'ledger'

/** Compares `mdtest record` with a plain run by the agent. The time of the executed commands is subtracted. */
export const recording: Measure = async ({ rounds = 5, log }) => {
  const rows: Row[] = []
  for (const steps of [2, 8]) rows.push(await measure(steps, { rounds, log }))
  return rows
}

async function measure(steps: number, { rounds, log }: { readonly rounds: number; readonly log: Log }): Promise<Row> {
  const name = `recording ${steps} steps, their commands taken off`
  const live = await createLiveProject({
    'notes.test.md': notesSpec(steps),
    ...files(fileCount, (n) => [`src/f${n}.js`, `export const n = ${n}\n`]),
  })
  if (!live.ok) return { name, verdict: 'skipped', note: live.reason }
  const { project, path, env } = live
  const file = join(project.dir, ledger)
  await project.write('notes.sh', withLedger(file))
  const commandsMs: Record<'record' | 'run', number[]> = { record: [], run: [] }
  const time =
    (command: 'record' | 'run', ...flags: readonly string[]) =>
    async (): Promise<number> => {
      writeFileSync(file, '')
      rmSync(join(project.dir, 'notes.recording.md'), { force: true })
      const args = [command, ...flags]
      const durationMs = await timeTests(project, { program: 'mdtest', args, tests: steps, path, env })
      const lines = readFileSync(file, 'utf8').trim().split('\n')
      commandsMs[command].push(lines.reduce((sum, line) => sum + spanMs(line), 0))
      if (commandsMs[command].length === 1) log(`\`mdtest ${command}\`, ${steps} steps: ${lines.length} commands`)
      return durationMs
    }
  try {
    const times = await runTurns(rounds, { record: time('record'), run: time('run', '--replay', 'off') })
    // The first turn is not counted.
    const beyond = (command: 'record' | 'run'): readonly number[] =>
      times[command].map((durationMs, round) => durationMs - at(commandsMs[command], round + 1))
    return timedRow(name, compareTurns(beyond('record'), beyond('run')), { maxAddedMs: 3000 })
  } finally {
    await live.remove()
  }
}

function withLedger(file: string): string {
  return `now() { date +%s%N; }\nbegan=$(now)\nsleep 0.05\n${notesProgram}echo "$began $(now)" >>'${file}'\n`
}

function spanMs(line: string): number {
  const [began = 0, ended = 0] = line.split(' ').map(Number)
  return (ended - began) / 1e6
}
