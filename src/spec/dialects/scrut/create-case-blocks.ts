import { foldDirectives, isInContainer, readRole } from '../../blocks/create-block.ts'
import type { DirectiveComment } from '../../blocks/parse-directives.ts'
import type { Fence } from '../../blocks/fence.ts'
import type { Report } from '../../rules/spec-rules.ts'
import type { Block, BlockAttributes, TranscriptCommand } from '../../spec.ts'
import { parseCase } from './parse-case.ts'
import { withDefaults, type CaseConfig, type Wait } from './read-case-config.ts'
import { singleQuoted } from '../../../system/text/quoting.ts'

export interface CaseContext {
  readonly report: Report
  /** Of the document. */
  readonly defaults?: CaseConfig
  /** Absolute path of the document for `SCRUT_TEST`. */
  readonly file?: string
}

/** The blocks that carry out one test case. */
export interface CaseBlocks {
  /** Empty where it cannot be read. */
  readonly blocks: readonly Block[]
  readonly config: CaseConfig
}

/**
 * Makes a transcript of one command of a fence of the language `scrut`, before it a script for what the configuration
 * wants to be done first; a detached command becomes a `background` script.
 */
export function createCaseBlocks(
  fence: Fence,
  comments: readonly DirectiveComment[],
  { report, defaults = {}, file }: CaseContext,
): CaseBlocks {
  if (isInContainer(fence, report)) return { blocks: [], config: defaults }
  const base = { line: fence.line, column: fence.column, role: readRole(fence, report), code: fence.code }
  const attributes = foldDirectives(readWords(fence, report), comments, report)
  const parsed = parseCase(fence, report)
  if (parsed === undefined) return { blocks: [], config: defaults }
  const { command } = parsed
  const config = withDefaults(parsed.config, defaults)
  const env = file === undefined ? {} : { SCRUT_TEST: `${file}:${command.line}` }
  const frame = { ...base, codeLine: fence.line + 1, attributes: { ...attributes, env } }
  const preparation = formatPreparation(config)
  const before = preparation === undefined ? [] : [toScript(frame, preparation.code, { env: {}, ...preparation.limit })]
  if (config.detached !== true) return { blocks: [...before, toTranscript(frame, command, config)], config }
  reportCompared(command, fence, report)
  // Whatever it ends with is nothing that scrut would look at.
  const code = `(\n${command.command}\n)\nexit 0`
  return { blocks: [...before, toScript(frame, code, { background: true, exit: 0 })], config }
}

type Frame = Pick<Block, 'line' | 'column' | 'role' | 'code' | 'codeLine' | 'attributes'>

function toScript(frame: Frame, code: string, attributes: Partial<BlockAttributes>): Block {
  return {
    ...frame,
    kind: 'script',
    code,
    attributes: { ...frame.attributes, ...attributes, errexit: 'off' },
    expected: [],
  }
}

function toTranscript(frame: Frame, command: TranscriptCommand, config: CaseConfig): Block {
  const { outputStream = 'stdout', timeoutMs, stripAnsiEscaping, keepCrlf, skipDocumentCode } = config
  return {
    ...frame,
    kind: 'console',
    commands: [command],
    attributes: {
      stream: outputStream === 'combined' ? 'both' : outputStream,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...frame.attributes,
    },
    scrut: {
      keepsAnsi: stripAnsiEscaping !== true,
      keepsCrlf: keepCrlf === true,
      ...(skipDocumentCode !== undefined && { skipCode: skipDocumentCode }),
    },
  }
}

function readWords({ words }: Fence, report: Report): BlockAttributes {
  const others = words.filter(({ name, value }) => value !== undefined || (name !== 'run' && name !== 'verify'))
  for (const word of others.filter(({ raw }) => raw !== 'skip')) {
    const message = `\`${word.raw}\` is no attribute of a \`scrut\` block. Known: \`run\`, \`verify\`, \`skip\`; all else stands in braces behind them, as in \`scrut {timeout: 5s}\`.`
    report('unknown-attribute', word, message)
  }
  return { env: {}, ...(others.some(({ raw }) => raw === 'skip') && { skip: true }) }
}

function reportCompared(
  { command, expected, exitCode, line }: TranscriptCommand,
  { column }: Fence,
  report: Report,
): void {
  if (expected.length === 0 && exitCode === 0) return
  const message =
    'What a detached command prints and ends with is not compared. Take these lines away, and look at its work in a later test case.'
  report('scrut-config', { line: line + command.split('\n').length, column }, message)
}

/** What has to be done before a test case, in bash; `undefined` where that is nothing. */
function formatPreparation({
  environment = {},
  wait,
}: CaseConfig): { readonly code: string; readonly limit: Pick<BlockAttributes, 'timeoutMs'> } | undefined {
  const lines = [
    ...Object.entries(environment).map(([name, value]) => formatVariable(name, value)),
    ...(wait === undefined || wait.timeoutMs === 0 ? [] : [formatWait(wait)]),
  ]
  if (lines.length === 0) return undefined
  // A loop of short pauses takes longer than their sum.
  return { code: lines.join('\n'), limit: wait === undefined ? {} : { timeoutMs: 2 * wait.timeoutMs + 10_000 } }
}

/** In scrut the state of the case before outranks the environment. */
function formatVariable(name: string, value: string): string {
  return `[[ -n \${${name}+x} ]] || ${name}=${singleQuoted(value)}; export ${name}`
}

const pauseMs = 50

/** A path ends the wait early. It is no failure when the path is not there in time. */
function formatWait({ timeoutMs, path }: Wait): string {
  if (path === undefined) return `command sleep ${timeoutMs / 1000}`
  const target = path.startsWith('/') ? singleQuoted(path) : `"$TMPDIR"/${singleQuoted(path)}`
  const pause = `[[ -e ${target} ]] && break; command sleep ${pauseMs / 1000}`
  return `(for ((n = 0; n < ${Math.ceil(timeoutMs / pauseMs)}; n++)); do ${pause}; done)`
}
