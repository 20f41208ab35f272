import { posix, relative, resolve } from 'node:path'
import { specsGlob } from '../../system/spec-endings.ts'
import { formatSpent } from '../../records/tokens-and-cost.ts'
import { logFolder } from '../../records/folders/log-paths.ts'
import { newestLogs, readRun, type ShownRun, type ShownStep } from '../../records/folders/read-run.ts'
import type { JournalEntry } from '../../records/journal/journal.ts'
import type { RecordedReason } from '../../records/recorded-reason.ts'
import type { StepResult } from '../../records/result-log/result-log.ts'
import { describeMisfit, sourceWord } from '../../records/step-source.ts'
import { executorWord } from '../../records/used-executor.ts'
import { cutLine, plainJson, plainLine, plainText } from '../../system/text/plain-text.ts'
import { plural } from '../../system/text/wording.ts'
import { command, type CommandSyntax, flag, type Given } from '../common/define-command.ts'
import { wholeSpecs } from '../common/find-specs.ts'
import { suiteRootFlag } from '../common/flags.ts'
import { SetUpError } from '../common/cli.ts'
import { createPalette, hasColors, indent, indentText, paintStatus } from '../common/styled-text.ts'
import type { Palette, Style } from '../common/styled-text.ts'
import { suiteRoot } from '../common/suite.ts'

export const showSyntax = {
  command: 'show',
  usage: ['[specs…] [options]'],
  about:
    'Shows the newest run of each spec: verdict, result log, journal and evidence. Without arguments: of all specs that have one.',
  flags: {
    dir: suiteRootFlag,
    logsDir: flag('--logs-dir DIR', 'folder of the logs, if the option `logs.dir` is set'),
    json: flag('--json', 'print JSON'),
  },
  examples: ['shop.test.md'],
  exitCodes: '0 done, 2 a spec does not exist or has no log.',
} satisfies CommandSyntax

export const show = command(showSyntax, async (given, { cwd, env, stdout }) => {
  const runs = await readRuns(given, cwd)
  const palette = createPalette(hasColors(stdout, env))
  stdout.write(
    given.json
      ? `${plainJson(JSON.stringify(runs, undefined, 2))}\n`
      : runs.map((run) => formatRun(run, { cwd, palette })).join('\n'),
  )
})

const hint =
  'Run a spec in which an agent acts; blocks alone write none. If your configuration sets `logs.dir`, name that folder with `--logs-dir`.'

async function readRuns({ paths, dir, logsDir }: Given<typeof showSyntax>, cwd: string): Promise<readonly ShownRun[]> {
  const root = await suiteRoot(dir, cwd)
  // Accept all kinds of specs, because `include` may have been different in an earlier run.
  const specs = await wholeSpecs(paths, { command: 'show', dir: root, cwd, include: [specsGlob] })
  const runs = await Promise.all(
    specs.map(async (file) => {
      const folder = logFolder({ specFile: file, root, ...(logsDir !== undefined && { dir: resolve(root, logsDir) }) })
      const logs = newestLogs(folder)
      if (logs === undefined && paths.length > 0) throw new SetUpError(`There is no log in ${folder}. ${hint}`)
      return logs === undefined ? [] : [await readRun(file, logs)]
    }),
  )
  if (runs.flat().length === 0) throw new SetUpError(`There are no logs under ${root}. ${hint}`)
  return runs.flat()
}

type Lines = readonly string[]

/** Formats a run for people. Control characters in texts of agents are escaped. */
export function formatRun(run: ShownRun, style: Style): string {
  const { steps, otherCalls, journalNotes, body } = run
  const { palette } = style
  const { bold, yellow } = palette
  const calls = otherCalls.flatMap((call) => formatCall(call, palette))
  const sections = [
    [titleLine(run, style), ...indent(outcomeLines(run, palette))],
    ...steps.map((step, index) => indent(formatStep(step, { run, palette, before: steps[index - 1] }))),
    indent(calls.length === 0 ? [] : [bold('Outside of the steps'), ...indent(calls)]),
    indent(journalNotes.map(yellow)),
    indent(body.trim() === '' ? [] : [bold('What the agent wrote'), ...indentText(body.trim())]),
    indent(filesOf(run, style)),
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n')
}

function titleLine({ spec, startedAt, verdict, log }: ShownRun, { cwd, palette }: Style): string {
  const named = 'problem' in verdict ? log : verdict
  const { scenario, attempt = 1 } = 'scenario' in named ? named : {}
  const name = [relative(cwd, spec), ...(scenario === undefined ? [] : [scenario])].map(plainLine).join(' > ')
  return `${palette.bold(name)} ${palette.dim(`${startedAt}${attempt > 1 ? `, attempt ${attempt}` : ''}`)}`
}

/** Without a verdict, shows the status in the log as a mere claim, because the agent can write the log. */
function outcomeLines({ verdict, log, steps }: ShownRun, palette: Palette): Lines {
  if ('problem' in verdict) {
    const isBad = 'code' in log
    const said = isBad
      ? `${palette.red(log.code)} ${plainLine(log.message)}`
      : `The log says ${paintStatus(log.status, palette)}.`
    return [palette.yellow(verdict.problem), said]
  }
  const { repeat, outcome, usage } = verdict
  const run = repeat ? `, run ${repeat.run} of ${repeat.of}, ${repeat.required} required` : ''
  const isExpected = outcome === 'pass' && steps.every((step) => step.verdict?.expected !== undefined)
  const told = `outcome ${isExpected ? palette.bold('failed as expected') : paintStatus(outcome, palette)}${run}`
  if (usage === undefined) return [told]
  const spent = formatSpent(usage)
  const model = usage.model === undefined ? '' : ` (${plainLine(usage.model)})`
  return [told, `${spent === 'usage unknown' ? '' : 'used '}${spent}${model}`]
}

const fileTitles = { log: 'result log', verdict: 'verdict', journal: 'journal', raw: 'output', evidence: 'evidence' }

function filesOf({ files, evidence }: ShownRun, { cwd, palette }: Style): Lines {
  const lines = Object.entries(fileTitles).flatMap(([key, title]) => {
    const path = files[key as keyof typeof fileTitles] // a key above
    return path === undefined ? [] : [`${title.padEnd(10)}  ${plainLine(relative(cwd, path))}`]
  })
  const cited = evidence.map(({ name, bytes }) => `${plainLine(name)}${bytes === undefined ? '' : ` (${bytes} bytes)`}`)
  return lines.length === 0 ? [] : [palette.bold('Files'), ...indent([...lines, ...indent(cited)])]
}

interface StepContext {
  readonly run: ShownRun
  readonly palette: Palette
  /** The previous step. If its recording did not match for the same reason, only the previous step shows details. */
  readonly before: ShownStep | undefined
}

function formatStep(step: ShownStep, context: StepContext): Lines {
  const { id, verdict, result, calls } = step
  const { run, palette, before } = context
  const checks = (result?.checks ?? []).flatMap(({ n, line, status, ...said }, index) => {
    const name = n === undefined && line !== undefined ? `check at line ${line}` : `check ${n ?? index + 1}`
    return [`${name} ${paintStatus(status, palette)}`, ...indent(formatReport(said, { run, palette }))]
  })
  const expected = (verdict?.expected ?? []).flatMap((reason) => formatReason(reason, palette))
  return [
    `${palette.bold(plainLine(id))} ${describeStep(step, context).join(', ')}`,
    ...indent([
      ...formatMisfit(verdict?.source?.reason, before?.verdict?.source?.reason),
      ...(verdict?.reasons ?? []).flatMap((reason) => formatReason(reason, palette)),
      ...(expected.length === 0 ? [] : [palette.dim('what failed:'), ...indent(expected)]),
      ...(result ? formatReport(result, { run, palette }) : []),
      ...checks,
      ...calls.flatMap((call) => formatCall(call, palette)),
    ]),
  ]
}

function describeStep({ verdict, result }: ShownStep, { run, palette }: StepContext): Lines {
  // Show what the agent reported, too, because mdtest may have judged otherwise.
  const reported = result ? [`reported ${paintStatus(result.status, palette)}`] : []
  if (verdict === undefined) return result ? reported : [palette.yellow('not reported')]
  const { outcome, assurance, expected, change, durationMs, source, executor, passedRuns } = verdict
  const name = change === undefined ? '' : ` (change ${plainLine(change)})`
  const isEarly = outcome === 'pass' && expected === undefined && change !== undefined
  // Mark a pass without evidence, so that it does not look like other passes.
  const proof = assurance === 'claimed' ? palette.bold(palette.yellow('? claimed')) : assurance
  const runs = 'repeat' in run.verdict ? run.verdict.repeat?.run : undefined
  const judged = [
    expected ? palette.bold(`failed as expected${name}`) : paintStatus(outcome, palette),
    ...(proof === undefined ? [] : [proof]),
    ...(isEarly ? [`early${name}`] : []),
    ...(durationMs > 0 ? [palette.dim(`in ${(durationMs / 1000).toFixed(1)} s`)] : []),
  ]
  return [
    judged.join(' '),
    ...(source ? [source.kind === 'handed-over' ? palette.yellow(plainLine(sourceWord(source))) : source.kind] : []),
    ...(executor ? [`executor ${plainLine(executorWord(executor))}`] : []),
    ...(passedRuns === undefined || runs === undefined ? [] : [`passed in ${passedRuns} of ${runs} runs`]),
    ...reported,
  ]
}

function formatMisfit(reason: RecordedReason | undefined, before: RecordedReason | undefined): Lines {
  if (reason === undefined) return []
  const isTold = before?.message === reason.message && before.line === reason.line
  const misfit = `the recording did not match: ${plainLine(describeMisfit(reason))}`
  return [misfit, ...(isTold ? [] : indentText(reason.message))]
}

/** Keeps line breaks, because a message may contain a diff. */
function formatReason({ code, message }: Pick<RecordedReason, 'code' | 'message'>, { red, green }: Palette): Lines {
  const [first = '', ...rest] = indentText(message)
  const painted = rest.map((line) => (/^ *-/.test(line) ? green(line) : /^ *\+/.test(line) ? red(line) : line))
  return [`${red(plainLine(code))} ${first.trimStart()}`, ...painted]
}

function formatReport(
  { observed, evidence = [] }: Pick<StepResult, 'observed' | 'evidence'>,
  { run, palette }: Pick<StepContext, 'run' | 'palette'>,
): Lines {
  const cites = evidence.map((cited) => {
    if (typeof cited !== 'string') return `cites: “${plainLine(cited.quote)}”`
    const isThere = run.evidence.some(({ name }) => name === posix.normalize(cited))
    return `cites: ${plainLine(cited)}${isThere ? '' : ` ${palette.yellow('(no such file)')}`}`
  })
  return [...(observed === undefined ? [] : [`observed: ${plainLine(observed)}`]), ...cites]
}

const maxExcerptLines = 3
const maxLineCharacters = 160

function formatCall({ at, kind, title, exitCode, denied, excerpt }: JournalEntry, palette: Palette): Lines {
  const { dim, red, yellow } = palette
  const time = at.slice('2026-02-10T'.length, '2026-02-10T14:30:00'.length)
  const notes = [
    ...(denied ? [yellow('refused')] : []),
    ...(exitCode === undefined ? [] : [exitCode === 0 ? dim('exit 0') : red(`exit ${exitCode}`)]),
  ]
  const text = plainText(excerpt).trimEnd()
  const lines = text === '' ? [] : text.split('\n')
  const shown = lines.slice(0, maxExcerptLines).map((line) => cutLine(line, maxLineCharacters))
  const left = lines.length - shown.length
  const more = left === 0 ? [] : [`… ${plural(left, 'more line')}`]
  return [
    [`${dim(`${time} ${kind}`)} ${cutLine(plainLine(title), maxLineCharacters)}`, ...notes].join('  '),
    ...[...shown, ...more].map((line) => dim(`  | ${line}`)),
  ]
}
