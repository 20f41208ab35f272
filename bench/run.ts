// `npm run bench`: compares mdtest with plain tools, and prints ratios within one run. See docs/benchmarks.md.
import { parseArgs } from 'node:util'
import { formatDuration } from '../scripts/lib/format-duration.ts'
import { prepare } from '../scripts/lib/prepare.ts'
import type { Measure, MeasureOptions } from './lib/measure.ts'
import { formatTable, type Row } from './lib/table.ts'
import { WrongCount } from './lib/wrong-count.ts'

/** Loaded on demand, because measures import files that only exist after the build. */
const measures: Readonly<Record<string, () => Promise<Measure>>> = {
  'many-specs': async () => (await import('./measures/many-specs.ts')).manySpecs,
  parsing: async () => (await import('./measures/parsing.ts')).parsing,
  blocks: async () => (await import('./measures/blocks.ts')).blocks,
  replay: async () => (await import('./measures/replay.ts')).replay,
  'live-and-replay': async () => (await import('./measures/live-and-replay.ts')).liveAndReplay,
  recording: async () => (await import('./measures/recording.ts')).recording,
  'one-spec': async () => (await import('./measures/one-spec.ts')).oneSpec,
  watch: async () => (await import('./measures/watch.ts')).watch,
  tracing: async () => (await import('./measures/tracing.ts')).tracing,
  executor: async () => (await import('./measures/executor.ts')).executor,
  acp: async () => (await import('./measures/acp.ts')).acp,
  agent: async () => (await import('./measures/agent.ts')).agent,
  'browser-loop': async () => (await import('./measures/browser-loop.ts')).browserLoop,
  'browser-replay': async () => (await import('./measures/browser-replay.ts')).browserReplay,
  'browser-cost': async () => (await import('./measures/browser-cost.ts')).browserCost,
  'browser-start': async () => (await import('./measures/browser-start.ts')).browserStart,
  'browser-tokens': async () => (await import('./measures/browser-tokens.ts')).browserTokens,
  'report-latency': async () => (await import('./measures/report-latency.ts')).reportLatency,
  report: async () => (await import('./measures/report.ts')).report,
  'thousand-specs': async () => (await import('./measures/thousand-specs.ts')).thousandSpecs,
  growth: async () => (await import('./measures/growth.ts')).growth,
  listing: async () => (await import('./measures/listing.ts')).listing,
  'openspec-list': async () => (await import('./measures/openspec-list.ts')).openspecList,
  'many-agents': async () => (await import('./measures/many-agents.ts')).manyAgents,
  'run-test': async () => (await import('./measures/run-test.ts')).runTest,
  answer: async () => (await import('./measures/answer.ts')).answer,
  importing: async () => (await import('./measures/importing.ts')).importing,
  install: async () => (await import('./measures/install.ts')).install,
  'first-green': async () => (await import('./measures/first-green.ts')).firstGreen,
}
const names = Object.keys(measures)

const help = `Usage: npm run bench -- [--only NAME]… [--rounds N]

  --only NAME   one measure; repeatable: ${names.join(', ')}
  --rounds N    how often each pair is run, 1 to 100 (default: each measure's own)

Exit codes: 0 all counts are right (times are only printed), 1 a count is wrong or a measure broke, 2 wrong use.
`

await main()

async function main(): Promise<void> {
  const flags = readFlags()
  if (flags === undefined) return
  await prepare()
  const rows: Row[] = []
  for (const name of flags.names) {
    const startedAtMs = performance.now()
    console.log(`\n— ${name}`)
    rows.push(...(await measure(name, flags.rounds)))
    console.log(`  took ${formatDuration(performance.now() - startedAtMs)}`)
  }
  console.log(`\n${formatTable(rows)}`)
  if (rows.some(({ verdict }) => verdict === 'wrong count' || verdict === 'broken')) process.exitCode = 1
}

/** Runs one measure. If it fails, the other measures still run. */
async function measure(name: string, rounds: MeasureOptions['rounds']): Promise<readonly Row[]> {
  try {
    const run = await measures[name]?.()
    if (run === undefined) throw new TypeError(`There is no measure \`${name}\``)
    return await run({ rounds, log: (line) => console.log(`  ${line}`) })
  } catch (error) {
    const isWrongCount = error instanceof WrongCount
    console.error(isWrongCount ? `  ${error.message}` : error)
    return [{ name, verdict: isWrongCount ? 'wrong count' : 'broken', note: messageOf(error).split('\n', 1).join('') }]
  }
}

interface Flags {
  readonly names: readonly string[]
  readonly rounds: MeasureOptions['rounds']
}

/** Returns `undefined` if nothing is to be measured, for example with `--help`. */
function readFlags(): Flags | undefined {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string', multiple: true },
        rounds: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help) {
      process.stdout.write(help)
      return undefined
    }
    const unknown = values.only?.find((name) => !names.includes(name))
    if (unknown !== undefined) throw new TypeError(`There is no measure \`${unknown}\``)
    const rounds = values.rounds === undefined ? undefined : Number(values.rounds)
    if (rounds !== undefined && !(Number.isInteger(rounds) && rounds >= 1 && rounds <= 100)) {
      throw new TypeError(`\`--rounds\` takes a whole number from 1 to 100, got \`${values.rounds}\``)
    }
    return { names: values.only ?? names, rounds }
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n\n${help}`)
    process.exitCode = 2
    return undefined
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
