import { dirname, relative } from 'node:path'
import { isInside } from '../../system/files/paths.ts'
import { collapseSpace } from '../../system/text/plain-text.ts'
import { readLine } from '../../permissions/read-command-line.ts'
import type { AgentCall, CommandCall, EditCall, ServiceCall } from '../../records/agent-call.ts'
import { browserWork, findSights, itemsOf } from '../browser/browser-pieces.ts'
import { needsTheModel, type BrowserSurroundings } from '../browser/read-actions.ts'
import type { BrowserItem, Obstacle, Piece, ServicePiece, StepPieces } from './piece.ts'
import { nameMintedValues } from './minted-values.ts'
import { formsOf, pathSource, putVariable } from './put-variable.ts'
import { quoteRegex, quoteWord } from '../../system/text/shell-and-regex-quotes.ts'

export interface ReportedStep {
  readonly step: string
  readonly quotes: readonly string[]
}

export interface Derivation {
  readonly steps: readonly StepPieces[]
  readonly obstacles: readonly Obstacle[]
}

interface Places {
  readonly directory: string
  /** Folders that become `TESTROOT` in commands: the suite root, and the copy in which the agent worked. */
  readonly roots: readonly string[]
  readonly scratchDir?: string | undefined
}

export interface DerivationInput extends Places {
  readonly steps: readonly ReportedStep[]
  readonly calls: readonly AgentCall[]
  /** Text of the spec. A value from the spec is the same in each run and needs no capture. */
  readonly known: string
  readonly browser: Pick<BrowserSurroundings, 'baseUrl' | 'variableWith' | 'isSecret'>
}

/** Returns commands, files and browser actions of each step. Omits commands that only read and are not quoted. */
export function derivePieces({ steps, calls, known, browser, ...places }: DerivationInput): Derivation {
  const { directory } = places
  const work = browserWork(
    calls.filter((call) => call.kind === 'browser'),
    { ...browser, directory, known, minted: new Map() },
  )
  const obstacles: Obstacle[] = []
  const seen: CommandCall[] = []
  const found = steps.map(({ step, quotes }) => {
    const own = calls.filter((call) => call.step === step)
    const commands = own.filter((call) => call.kind === 'command')
    const quoted = quotesByCommand(quotes, commands)
    seen.push(...commands)
    const { sights, lost } = findSights(quoted.lost, step, work)
    const inBrowser = new Map<AgentCall, readonly BrowserItem[]>(work.map((one) => [one.call, itemsOf(one, sights)]))
    obstacles.push(
      ...own.flatMap((call) => obstacleOf(call, places) ?? []).map((why) => ({ step, ...needsTheModel(why, wayOut) })),
      ...work.filter(({ call }) => call.step === step).flatMap((one) => one.obstacles.map((why) => ({ step, ...why }))),
      ...lost.map((quote) => ({
        step,
        code: 'NOT_ELIGIBLE' as const,
        why: describeLost(quote, seen, own),
      })),
    )
    const pieces: Piece[] = []
    for (const call of own) {
      if (call.kind === 'command' && call.isLook && quoted.of(call).length === 0 && !setsVariable(call)) continue
      const context = { ...places, quotes: quoted.of(call), calls, items: inBrowser.get(call) ?? [], before: pieces }
      const piece = toPiece(call, context)
      const last = pieces.at(-1)
      if (piece?.kind === 'browser' && last?.kind === 'browser')
        pieces.splice(-1, 1, { kind: 'browser', items: [...last.items, ...piece.items] })
      else if (piece !== undefined) pieces.push(piece)
    }
    return { step, pieces }
  })
  return { steps: nameMintedValues(found, known), obstacles }
}

/** Whether a command sets a variable that later commands may use. Such a command is always kept. */
function setsVariable({ command }: CommandCall): boolean {
  const read = readLine(command, { directories: [] })
  return !read.ok || read.commands.some(({ variables, words }) => variables.length > 0 || words[0]?.value === 'read')
}

function quotesByCommand(quotes: readonly string[], commands: readonly CommandCall[]) {
  const callOf = new Map(quotes.map((quote) => [quote, commands.findLast(({ output }) => prints(output, quote))]))
  const quotesOf = (call: AgentCall | undefined): readonly string[] =>
    [...callOf.keys()].filter((quote) => callOf.get(quote) === call)
  return { of: quotesOf, lost: quotesOf(undefined) }
}

function prints(output: string, quote: string): boolean {
  return collapseSpace(output).includes(collapseSpace(quote))
}

function describeLost(quote: string, seen: readonly CommandCall[], own: readonly AgentCall[]): string {
  const isEarlier = seen.some(({ output }) => prints(output, quote))
  if (!isEarlier && own.some(({ kind }) => kind === 'browser'))
    return `No page that the agent was shown in the step has a line with what it quoted: "${quote}". Say in the step what the page shows.`
  const what = isEarlier
    ? `The agent quoted what a command of an earlier step printed: "${quote}".`
    : `No command of the step printed what the agent quoted: "${quote}".`
  return `${what} Say in the step which command shows it.`
}

const wayOut = 'Say in the step how a command does it, write it as a block, or leave the step to the agent.'

function obstacleOf(call: AgentCall, { directory, scratchDir }: Places): string | undefined {
  if (call.kind === 'unrepeatable') return `It cannot be repeated without the agent: ${call.why}.`
  if (call.kind === 'mcp')
    return `It cannot be repeated without the agent: the tool \`${call.tool}\` of the MCP server \`${call.server}\`.`
  if (call.kind === 'browser') return undefined
  if (call.kind === 'edit') {
    const isOwn = [directory, scratchDir ?? directory].some((place) => isInside(call.file, place))
    return isOwn ? undefined : `The agent wrote a file outside of its directory: ${call.file}.`
  }
  const remote = /\bhttps?:\/\/(?!(?:127\.0\.0\.1|localhost|\[::1\])(?=[:/\s'"]|$))[^\s'"]+/.exec(call.command)?.[0]
  if (remote !== undefined) return `A command contacts another machine: ${remote}.`
  if (call.command.replace(scratchVariable, '').includes('MDTEST_SCRATCH'))
    return 'A command asks for `MDTEST_SCRATCH` by its name, which a replay does not know.'
  return isInside(call.cwd, directory)
    ? undefined
    : `A command ran outside of the directory of the scenario: ${call.cwd}.`
}

const scratchVariable = /\$(\{?)MDTEST_SCRATCH(?!\w)/g

interface PieceContext extends Places {
  readonly quotes: readonly string[]
  readonly calls: readonly AgentCall[]
  readonly items: readonly BrowserItem[]
  readonly before: readonly Piece[]
}

function toPiece(call: AgentCall, context: PieceContext): Piece | undefined {
  switch (call.kind) {
    case 'command': {
      const { kind, exitCode, output } = call
      const [command, cwd] = [withoutPlaces(call, context), cwdOf(call, context)]
      return { kind, command, cwd, exitCode, output, quotes: context.quotes, mints: [] }
    }
    case 'service':
      return servicePiece(call, context)
    case 'edit':
      return editPiece(call, context)
    case 'browser':
      return context.items.length > 0 ? { kind: 'browser', items: context.items } : undefined
    case 'mcp':
    case 'unrepeatable':
      return undefined
    default:
      return call satisfies never
  }
}

/** The `cwd` of a block, relative to the scenario's directory. Empty if all commands ran in this directory. */
function cwdOf({ cwd }: Pick<CommandCall, 'cwd'>, { directory, calls }: PieceContext): string {
  const isMoving = calls.some((call) => (call.kind === 'command' || call.kind === 'service') && call.cwd !== directory)
  return relative(directory, cwd) || (isMoving ? '.' : '')
}

function servicePiece(call: ServiceCall, context: PieceContext): ServicePiece {
  const { calls } = context
  const later = calls.slice(calls.indexOf(call) + 1).flatMap((one) => (one.kind === 'command' ? one.command : []))
  const port = /(?:127\.0\.0\.1|localhost|\[::1\]):(\d{2,5})\b/.exec(later.join('\n'))?.[1]
  const wait = port !== undefined && { wait: `port:${port}` }
  return { kind: 'service', command: withoutPlaces(call, context), cwd: cwdOf(call, context), ...wait }
}

function editPiece({ file, content }: EditCall, context: PieceContext): Piece {
  const { directory, scratchDir, before } = context
  const isScratch = scratchDir !== undefined && isInside(file, scratchDir)
  const path = relative(isScratch ? scratchDir : directory, file)
  const isFirst = before.every((one) => one.kind === 'file' && one.path !== path)
  if (isFirst && !isScratch && (content === '' || content.endsWith('\n'))) return { kind: 'file', path, content }
  const command = writeFileCommand(isScratch ? '"$TMPDIR"/' : '', path, content)
  const cwd = cwdOf({ cwd: directory }, context)
  return { kind: 'command', command, cwd, exitCode: 0, output: '', quotes: [], mints: [] }
}

function writeFileCommand(base: string, path: string, content: string): string {
  const folder = dirname(path)
  const made = folder === '.' ? '' : `mkdir -p ${base}${quoteWord(folder)} && `
  const file = `${base}${quoteWord(path)}`
  if (content === '') return `${made}: > ${file}`
  if (!content.endsWith('\n')) return `${made}printf %s ${quoteWord(content)} > ${file}`
  let end = 'EOF'
  while (content.split('\n').includes(end)) end += '_'
  return `${made}cat > ${file} <<'${end}'\n${content}${end}`
}

/** Replaces the agent's directory and the root in a command. Both have other paths in the next run. */
function withoutPlaces(
  { command: written, cwd }: Pick<CommandCall, 'command' | 'cwd'>,
  { directory, roots, scratchDir }: Places,
): string {
  const here = relative(cwd, directory) || '.'
  const forms = formsOf(directory)
  // A path after `file://` must stay absolute.
  const found = new RegExp(String.raw`(?<!file:\/\/)${pathSource(forms)}`, 'gu')
  const named = written.replace(scratchVariable, '$$$1TMPDIR')
  const command = scratchDir === undefined ? named : putVariable(named, scratchDir, 'TMPDIR')
  const start = new RegExp(String.raw`^cd (["']?)(?:${forms.map(quoteRegex).join('|')})(?=[\s/"';&]|$)`)
  const begun = command.replace(start, (_found, quote: string) => `cd ${quote}${here}`).replace(cdToHere, '')
  const inRoots = (text: string): string => roots.reduce((rest, root) => putVariable(rest, root, 'TESTROOT'), text)
  // After a `cd`, a relative path would name another file. A variable keeps the path right.
  if (!cd.test(begun)) return inRoots(begun.replace(found, here))
  const moved = roots.some((root) => isInside(directory, root)) ? begun : putVariable(begun, directory, 'here')
  return inRoots(moved === begun ? begun : `here=${here === '.' ? '$PWD' : `$PWD/${here}`}; ${moved}`)
}

const cdToHere = /^cd (?:\.|'\.'|"\.")\/?\s*(?:&&|;|\n)\s*/
const cd = /(?:^|[\n;&|({])\s*(?:cd|pushd)\s/
