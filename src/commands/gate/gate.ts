import { isUtf8 } from 'node:buffer'
import { basename, dirname, join, resolve, relative } from 'node:path'
import { exitCodes, interruptedBy, type CliContext } from '../common/cli.ts'
import { findProject, suiteRoot } from '../common/suite.ts'
import { type GateFlags, type GateRequest, gateSyntax, toGateFlags } from './flags.ts'
import { command } from '../common/define-command.ts'
import {
  evidenceFile,
  verify,
  type CompleteResults,
  type GateEvidence,
  type Outcome,
  type TestEvidence,
  type Validation,
  toGateResults,
  verifyEvidence,
} from './evidence.ts'
import {
  gateEnvironment,
  areGreen,
  type GateContext,
  type GateRun,
  type GateRuns,
  runGates,
  withContext,
} from './run-gates.ts'
import { findHook, hooks, installHook, removeHook } from './hook.ts'
import { findGateConfig, readGateConfig } from '../project-config/read-gate-config.ts'
import { ownFile } from '../../system/mdtest-package.ts'
import { existsSync } from 'node:fs'
import { runWatched } from '../attempt/attempt.ts'
import { openCheckpoints } from '../attempt/checkpoints/checkpoints.ts'
import { askGit, createGit } from '../../system/git/git.ts'
import { keptFolders } from './evidence-folder.ts'
import { chooseFixer, fixGates } from './fix-gates.ts'
import { type GateName, gateNames } from '../project-config/gate-config.ts'
import { describeFileProblem, writeLogFile } from '../../records/folders/log-file.ts'
import { parseMarkdown } from '../../spec/markdown/parse-markdown.ts'
import { inlineText } from '../../spec/markdown/positions-and-placeholders.ts'
import { type Ground, groundAt } from '../../system/files/trusted-folder.ts'
import { readFileIn } from '../../system/files/read-file.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { redactTexts } from '../../system/redaction/redact-texts.ts'
import { plainJson, plainLine, plainText } from '../../system/text/plain-text.ts'
import { plural } from '../../system/text/wording.ts'
import { formatPlace } from '../../test-runners/runner.ts'

export const gate = command(gateSyntax, async (given, cli) => {
  const flags = toGateFlags(given)
  const root = await gateRoot(flags, cli.cwd)
  const file = flags.config === undefined ? undefined : resolve(cli.cwd, flags.config)
  const asked = { flags, root, file }
  if (flags.hook) {
    cli.stdout.write(await changeHook(asked, cli))
    return exitCodes.gate.passed
  }
  const isGreen = flags.verify === undefined ? await run(asked, cli) : await verify(asked, cli)
  if (cli.signal.aborted) return interruptedBy(cli.signal)
  return exitCodes.gate[isGreen ? 'passed' : 'failed']
})

/** Without `--dir`, searches for a configuration from the current directory upwards. Default: the current directory */
async function gateRoot({ dir, config, remove }: GateFlags, cwd: string): Promise<string> {
  const here = await suiteRoot(dir, cwd)
  // With `--remove`, read no configuration: hooks must be removable even if the configuration is broken.
  if (dir !== undefined || config !== undefined || remove) return here
  const top = await findProject(undefined, cwd)
  for (let folder = here; ; folder = dirname(folder)) {
    if ((await findGateConfig({ root: folder })) !== undefined) return folder
    if (folder === top || folder === dirname(folder)) return here
  }
}

async function changeHook({ flags, root, file: configFile }: GateRequest, { env }: CliContext): Promise<string> {
  // Check the configuration first. A hook without gates would refuse every commit.
  if (!flags.remove) await readGateConfig({ root, file: configFile })
  const place = await findHook(root, gateEnvironment(env))
  if (flags.remove)
    return `The hooks in ${place.folder} ${(await removeHook(place)) ? 'do not run the gates any more' : 'did not run the gates'}.\n`
  const machine = { nodeFolder: dirname(process.execPath), program: ownFile('#bin') }
  const others = await installHook(place, { root, configFile, machine })
  const left = others.map((other) => `${other} is yours and stays: commits that use it skip the gates.\n`)
  const ours = hooks.filter((name) => !others.includes(join(place.folder, name)))
  return `${ours.join(', ')} in ${place.folder} run the gates before each commit, on the files in the work tree.\n${left.join('')}`
}

async function run({ flags, root, file }: GateRequest, cli: CliContext): Promise<boolean> {
  const config = await readGateConfig({ root, file })
  const fixer = chooseFixer(flags, { config, root, path: cli.env.PATH ?? '' })
  return await withContext({ ...cli, root, mcpServers: config.mcpServers }, async (context) => {
    const { folder } = context
    const runAll = (): Promise<GateRuns> => runGates(config.commands, { run: 1, context })
    // Packages of one repository have separate refs: `forgetOlder` must not remove runs of another package.
    const inRepository = relative(await findProject(undefined, root), root).replaceAll(
      /[^\w/-]/gu,
      (sign) => `_${sign.codePointAt(0)?.toString(16)}`,
    )
    const refPrefix = join('refs/mdtest/gate', inRepository, basename(folder))
    const place = { folder: join(folder, 'checkpoints'), refPrefix }
    const checkpoints = fixer && (await openCheckpoints({ ...context, ...place }))
    await checkpoints?.forgetOlder(keptFolders)
    const watched = checkpoints && (await runWatched(checkpoints, runAll))
    let fixed: Outcome = { runs: watched?.result ?? (await runAll()), attempts: 1, fixAttempts: [] }
    // Write the evidence now: mdtest may be killed while an agent works.
    let results = writeEvidence(fixed, context)
    if (fixer && checkpoints && watched && !areGreen(fixed.runs)) {
      const ownWrites = await watched.written()
      fixed = await fixGates(fixed.runs, { config, fixer, context, checkpoints, ownWrites })
      if (!context.signal.aborted) results = writeEvidence(fixed, context)
    }
    if (context.signal.aborted) return false
    if (!flags.noExecutionLog && (config.executionLog ?? existsSync(join(root, '.planning'))))
      writeExecutionLog(root, [
        ...formatGates(results),
        formatValidation(verifyEvidence({ gate_results: results }, config.commands)),
      ])
    cli.stdout.write(
      flags.json
        ? `${plainJson(JSON.stringify({ gate_results: results }, undefined, 2))}\n`
        : formatOutcome(results, fixed.runs, relative(cli.cwd, join(folder, evidenceFile))),
    )
    await warnOfUncommitted(root, cli)
    return areGreen(fixed.runs)
  })
}

function writeEvidence(fixed: Outcome, { folder, ground, redactor }: GateContext): CompleteResults {
  const results = redactTexts(toGateResults(fixed), redactor.redact)
  const text = `${JSON.stringify({ gate_results: results }, undefined, 2)}\n`
  writeLogFile(ground, join(folder, evidenceFile), text)
  return results
}

const maxNames = 10

async function warnOfUncommitted(root: string, { env, stderr }: Pick<CliContext, 'env' | 'stderr'>): Promise<void> {
  const files = await uncommittedFiles(root, env)
  if (files.length === 0) return
  const lines = [
    `mdtest gate: warning: the gates judged the files on disk, and the commit differs from them in ${plural(files.length, 'file')}:`,
    ...files.slice(0, maxNames),
    ...(files.length > maxNames ? [`  and ${files.length - maxNames} more`] : []),
  ]
  stderr.write(lines.map((line) => `${line}\n`).join(''))
}

/** One line for each file that differs from what will be committed. Empty outside of a git hook. */
async function uncommittedFiles(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  const { GIT_INDEX_FILE: indexFile } = env
  if (indexFile === undefined) return []
  const top = await askGit(createGit(root, env), 'rev-parse', '--show-toplevel')
  // For `git commit FILE`, git makes a separate index. Its path is relative to the top folder, where hooks start.
  const index = resolve(top, indexFile)
  const output = await createGit(top, env)(['status', '--porcelain', '--no-renames', '-z'], { index })
  const entries = output
    .toString()
    .split('\0')
    .filter((entry) => entry !== '' && entry[1] !== ' ')
  return entries.map((entry) => {
    const state = entry.startsWith('??') ? 'not in git' : 'not all of it is staged'
    return `  ${plainLine(entry.slice(3))} (${state})`
  })
}

const maxTests = 20
const maxLines = 40

function formatOutcome(results: CompleteResults, runs: GateRuns, file: string): string {
  const lines = formatGates(results).map((line) => line.replace(/^- \*\*(.+?)\*\*/, '$1'))
  const fixes = results.test.fix_attempts.map(
    ({ result, fix_applied: applied }, index) => `Fix ${index + 1}: ${result}: ${plainLine(applied)}`,
  )
  const red = gateNames.flatMap((name) => {
    const gateRun = runs[name]
    return gateRun === undefined || gateRun.isPass ? [] : ['', `${name} failed:`, ...describeRun(gateRun)]
  })
  const concerns = (results.test.concerns ?? []).map((each) => `Concern: test: ${plainLine(each)}.`)
  return [...lines, ...fixes, ...concerns, ...red, '', `Evidence: ${file}`].map((line) => `${line}\n`).join('')
}

function describeRun({ results, reason, tail }: GateRun): readonly string[] {
  const tests = results.failingTests.slice(0, maxTests).map(({ name, file, line, message }) => {
    const place = file === undefined ? '' : `(${formatPlace({ file, line })})`
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

/** A markdown line per gate: `- **Test:** PASS (command: npm test, exit_code: 0, pass: 12, fail: 0, attempts: 1)`. */
export function formatGates(results: CompleteResults): readonly string[] {
  return gateNames.map((name) => formatGate(name, results[name]))
}

function formatGate(name: GateName, evidence: GateEvidence | TestEvidence): string {
  const title = `- **${name.charAt(0).toUpperCase()}${name.slice(1)}:** ${evidence.status.toUpperCase()}`
  if (evidence.status === 'skipped') return title
  const facts = [`command: ${plainLine(evidence.command ?? '')}`, `exit_code: ${evidence.exit_code}`]
  if ('attempts' in evidence) {
    const { pass_count: passed, fail_count: failed, attempts } = evidence
    facts.push(`pass: ${passed ?? 'unknown'}`, `fail: ${failed ?? 'unknown'}`, `attempts: ${attempts}`)
  }
  return `${title} (${facts.join(', ')})`
}

export function formatValidation({ gate_validation: validation }: Pick<Validation, 'gate_validation'>): string {
  return `- **gate_validation:** ${gateNames.map((name) => `${name}: ${validation[name]}`).join(', ')}`
}

const fileName = 'EXECUTION-LOG.md'
const title = 'Gate Results'

/** Throws if the log is a link, because its target may be outside of the project. */
function writeExecutionLog(root: string, lines: readonly string[]): void {
  const ground = groundAt(root)
  const file = join(root, fileName)
  writeLogFile(ground, file, replaceSection(readLogText(ground, file), lines))
}

/** Replaces the lines below our heading, up to the next heading. All other bytes stay the same. */
export function replaceSection(text: string, lines: readonly string[]): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const section = findSection(text)
  const body = `${newline}${newline}${lines.join(newline)}${newline}`
  if (section === undefined) return `${text}${gapAfter(text, newline)}## ${title}${body}`
  const rest = text.slice(section.end)
  return `${text.slice(0, section.headingEnd)}${body}${rest === '' ? '' : newline}${rest}`
}

function findSection(text: string): { readonly headingEnd: number; readonly end: number } | undefined {
  const parsed = parseMarkdown(text)
  if (!parsed.ok) throw unreadable(`${fileName} is too large.`)
  const headings = parsed.root.children.filter((node) => node.type === 'heading')
  const index = headings.findIndex((heading) => inlineText(heading) === title)
  const headingEnd = headings[index]?.position?.end.offset
  if (headingEnd === undefined) return undefined
  const next = headings[index + 1]?.position?.start.offset
  return { headingEnd, end: next === undefined ? text.length : text.lastIndexOf('\n', next - 1) + 1 }
}

function gapAfter(text: string, newline: string): string {
  if (text === '') return ''
  return text.endsWith('\n') ? newline : `${newline}${newline}`
}

function readLogText(ground: Ground, file: string): string {
  const read = readFileIn(ground, file, maxBytes)
  if (!read.ok && read.why === 'missing') return ''
  if (!read.ok) {
    throw unreadable(describeFileProblem(read, { what: `file \`${file}\``, maxBytes, missing: '' }))
  }
  if (!isUtf8(read.bytes)) throw unreadable(`${file} is not UTF-8 text.`)
  return read.bytes.toString('utf8')
}

const maxBytes = 64 * 1024 * 1024

function unreadable(what: string): MdtestError {
  return new MdtestError('LOG_UNREADABLE', what, {
    hint: 'Move it away, and a new one is written; `--no-execution-log` leaves it alone.',
  })
}
