import { relative, resolve } from 'node:path'
import { runWatched } from '../attempt/attempt.ts'
import { writeEvidence } from './evidence/evidence-folder.ts'
import { isPlanned, writeExecutionLog } from './evidence/execution-log.ts'
import { fixGates, openGateCheckpoints, type FixResult } from './gates/fix-gates.ts'
import { type GateConfig, gateNames, type GateName } from '../project-config/gate-config.ts'
import { withContext } from './gates/gate-context.ts'
import { type CompleteResults, toGateResults, type GateEvidence, type TestEvidence } from './evidence/gate-results.ts'
import { readGateConfig } from '../project-config/read-gate-config.ts'
import { areGreen, runGates, type GateContext, type GateRun, type GateRuns } from './gates/run-gates.ts'
import { verifyEvidence, type GateValidation } from './evidence/verify-evidence.ts'
import { plainJson, plainLine, plainText } from '../../system/text/plain-text.ts'
import { redactTexts } from '../../system/redaction/redact-texts.ts'
import type { CliContext } from '../common/cli-context.ts'
import type { GateRequest, GateFlags } from './flags.ts'
import { chooseFixer } from './choose-fixer.ts'
import { createGit } from '../attempt/git/git.ts'
import { plural } from '../../system/text/wording.ts'

/** Runs the gates, has red ones fixed, and writes the evidence down. Whether they are green in the end. */
export async function run({ flags, root, file }: GateRequest, cli: CliContext): Promise<boolean> {
  const config = await readGateConfig({ root, file })
  const fixer = chooseFixer(flags, { config, root, path: cli.env.PATH ?? '' })
  return await withContext({ ...cli, root, mcpServers: config.mcpServers }, async (context) => {
    const runAll = (): Promise<GateRuns> => runGates(config.commands, { run: 1, context })
    const checkpoints = fixer && (await openGateCheckpoints(context))
    const watched = checkpoints && (await runWatched(checkpoints, runAll))
    const runs = watched?.result ?? (await runAll())
    const first = { runs, attempts: 1, fixAttempts: [] }
    // Should we be killed while an agent works, the evidence is there all the same.
    await write(first, context)
    const fixed =
      fixer === undefined || checkpoints === undefined || watched === undefined || areGreen(runs)
        ? first
        : await fixGates(runs, { config, fixer, context, checkpoints, ownWrites: await watched.written() })
    if (context.signal.aborted) return false
    const results = fixed === first ? await write(first, context) : await write(fixed, context)
    await tell({ fixed, results, config, context }, { flags, cli })
    await warnOfUncommitted(root, cli)
    return areGreen(fixed.runs)
  })
}

async function write(fixed: FixResult, { folder, ground, redactor }: GateContext): Promise<CompleteResults> {
  const results = redactTexts(toGateResults(fixed), redactor.redact)
  writeEvidence({ folder, ground }, { gate_results: results })
  return results
}

interface Ending {
  readonly fixed: FixResult
  readonly results: CompleteResults
  readonly config: GateConfig
  readonly context: GateContext
}

async function tell(
  { fixed, results, config, context }: Ending,
  { flags, cli }: { readonly flags: GateFlags; readonly cli: CliContext },
): Promise<void> {
  const { gate_validation: validation } = verifyEvidence({ gate_results: results }, config.commands)
  if (flags.hasExecutionLog && (config.executionLog ?? isPlanned(context.root))) {
    writeExecutionLog(context.root, [...formatGates(results), formatValidation(validation)])
  }
  const evidence = { gate_results: results }
  cli.stdout.write(
    flags.json
      ? `${plainJson(JSON.stringify(evidence, undefined, 2))}\n`
      : formatOutcome({
          results,
          runs: fixed.runs,
          root: context.root,
          folder: relative(cli.cwd, context.folder),
        }),
  )
}

const maxNames = 10

/** In a hook, says which files the gates have judged that will not be committed so. */
async function warnOfUncommitted(root: string, { env, stderr }: Pick<CliContext, 'env' | 'stderr'>): Promise<void> {
  const files = await uncommittedFiles(root, env)
  if (files.length === 0) return
  const names = files
    .slice(0, maxNames)
    .map(({ path, isTracked }) => `  ${plainLine(path)} (${isTracked ? 'not all of it is staged' : 'not in git'})`)
  const more = files.length > maxNames ? [`  and ${files.length - maxNames} more`] : []
  const lines = [
    `mdtest gate: warning: the gates judged the files as they are, and ${plural(files.length, 'file')} will not be committed so:`,
    ...names,
    ...more,
  ]
  stderr.write(lines.map((line) => `${line}\n`).join(''))
}

/** A file that is not as it will be committed. */
interface UncommittedFile {
  /** Relative to the work tree. */
  readonly path: string
  readonly isTracked: boolean
}

/**
 * Files of the work tree that differ from what is about to be committed. None, where no hook of git has started us: then
 * nothing is about to be.
 *
 * @param root absolute path
 * @param env as git gave it
 * @throws MdtestError `EXEC_GIT_FAILED`
 */
async function uncommittedFiles(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly UncommittedFile[]> {
  const { GIT_INDEX_FILE: indexFile } = env
  if (indexFile === undefined) return []
  const top = (await createGit(root, env)(['rev-parse', '--show-toplevel'])).toString().trimEnd()
  // For `git commit FILE` it is an index of its own. Its path is that of a hook, which is started at the top.
  const index = resolve(top, indexFile)
  const output = await createGit(top, env)(['status', '--porcelain', '--no-renames', '-z'], { index })
  return output
    .toString()
    .split('\0')
    .filter((entry) => entry !== '' && entry[1] !== ' ')
    .map((entry) => ({ path: entry.slice(3), isTracked: !entry.startsWith('??') }))
}

const maxTests = 20
const maxLines = 40

interface Outcome {
  readonly results: CompleteResults
  readonly runs: GateRuns
  readonly root: string
  /** Path of the evidence, as shown. */
  readonly folder: string
}

/** What became of the gates, for people: a line for each, what is red, and where the rest is. */
function formatOutcome({ results, runs, root, folder }: Outcome): string {
  const lines = formatGates(results).map((line) => line.replace(/^- \*\*(.+?)\*\*/, '$1'))
  const fixes = results.test.fix_attempts.map(
    ({ result, fix_applied: applied }, index) => `Fix ${index + 1}: ${result}: ${plainLine(applied)}`,
  )
  const red = gateNames.flatMap((name) => {
    const run = runs[name]
    return run === undefined || run.isPass ? [] : ['', `${name} failed:`, ...describe(run, root)]
  })
  const concerns = (results.test.concerns ?? []).map((each) => `Concern: test: ${plainLine(each)}.`)
  return [...lines, ...fixes, ...concerns, ...red, '', `Evidence: ${folder}/`].map((line) => `${line}\n`).join('')
}

function describe({ results, reason, tail }: GateRun, root: string): readonly string[] {
  const tests = results.failingTests.slice(0, maxTests).map(({ name, file, line, message }) => {
    const place = file === undefined ? '' : `(${relativeIn(root, file)}${line === undefined ? '' : `:${line}`})`
    return `  ${plainLine(`${name} ${place}`)}: ${plainLine(message)}`
  })
  const more = results.failingTests.length - maxTests
  const output = plainText(tail).trimEnd().split('\n').slice(-maxLines)
  return [
    ...(reason === undefined ? [] : [`  ${plainLine(reason)}`]),
    ...tests,
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...output.map((line) => `  | ${line}`),
  ]
}

function relativeIn(root: string, file: string): string {
  return file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file
}

/** A line for each gate, in markdown: `- **Test:** PASS (command: npm test, exit_code: 0, pass: 12, fail: 0, attempts: 1)`. */
export function formatGates(results: CompleteResults): readonly string[] {
  return gateNames.map((name) => formatGate(name, results[name]))
}

/** `- **gate_validation:** compile: pass, lint: skipped, test: pass`. */
export function formatValidation(validation: GateValidation): string {
  return `- **gate_validation:** ${gateNames.map((name) => `${name}: ${validation[name]}`).join(', ')}`
}

function formatGate(name: GateName, evidence: GateEvidence | TestEvidence): string {
  const title = `- **${name.charAt(0).toUpperCase()}${name.slice(1)}:** ${evidence.status.toUpperCase()}`
  if (evidence.status === 'skipped') return title
  const facts = [`command: ${plainLine(evidence.command ?? '')}`, `exit_code: ${evidence.exit_code}`]
  return `${title} (${[...facts, ...('attempts' in evidence ? factsOfTests(evidence) : [])].join(', ')})`
}

function factsOfTests({ pass_count: passed, fail_count: failed, attempts }: TestEvidence): readonly string[] {
  return [`pass: ${passed ?? 'unknown'}`, `fail: ${failed ?? 'unknown'}`, `attempts: ${attempts}`]
}
