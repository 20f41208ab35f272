import { relative, resolve } from 'node:path'
import { isInside } from '../../system/files/paths.ts'
import { collapseSpace } from '../collapse-space.ts'
import type { AgentCall, CommandCall, EditCall, ServiceCall } from '../../records/agent-call.ts'
import { browserWork, findSights, itemsOf } from '../browser/browser-pieces.ts'
import type { BrowserSurroundings } from '../browser/read-actions.ts'
import type { BrowserItem, CommandPiece, FilePiece, Obstacle, Piece, ServicePiece, StepPieces } from './piece.ts'
import { nameMintedValues } from './minted-values.ts'
import { pathSource } from './path-source.ts'
import { scratchObstacle, withoutScratch } from './scratch-paths.ts'
import { formsOf, putVariable } from './put-variable.ts'
import { lastingCommands, type ShellSurroundings } from './shell-state.ts'
import { shellSpans } from '../../system/text/shell-spans.ts'
import { quoteRegex } from '../../system/text/quoting.ts'

/** A step that the agent reported as passed. */
export interface ReportedStep {
  /** Id of the step. */
  readonly step: string
  /** What it quoted as evidence, its checks included. */
  readonly quotes: readonly string[]
}

export interface Derivation {
  /** A step for each that was reported, in order. */
  readonly steps: readonly StepPieces[]
  readonly obstacles: readonly Obstacle[]
}

export interface DerivationInput {
  readonly steps: readonly ReportedStep[]
  /** In the order in which they began. */
  readonly calls: readonly AgentCall[]
  /** Absolute path of the directory that the agent worked in. */
  readonly directory: string
  /** Absolute paths that `TESTROOT` stands for: of the suite root, and of its copy where the agent worked in one. */
  readonly roots: readonly string[]
  /** What a command may hold that no output brought up: the text of the spec. */
  readonly known: string
  /** What a browser works with. Default: no base URL, and no secrets are known. */
  readonly browser?: Pick<BrowserSurroundings, 'baseUrl' | 'variableWith' | 'isSecret'>
  /** Around the lasting shell of an agent. Default: the spec has no commands of its own. */
  readonly shell?: ShellSurroundings
  /** Absolute path of the folder that the agent had for files of its own. */
  readonly scratchDir?: string | undefined
}

/**
 * Which commands and files of an agent make up each step. Left out is what only looked and was not quoted. Pure.
 */
export function derivePieces({
  steps,
  calls,
  directory,
  roots,
  known,
  browser = plainBrowser,
  shell = plainShell,
  scratchDir,
}: DerivationInput): Derivation {
  const work = browserWork(
    calls.filter((call) => call.kind === 'browser'),
    { ...browser, directory, known },
  )
  const obstacles: Obstacle[] = []
  const seen: CommandCall[] = []
  const all = calls.filter((call) => call.kind === 'command')
  const quotedIn = new Map(
    steps.map(({ step, quotes }) => {
      const own = all.filter((call) => call.step === step)
      return [step, quotesByCommand(quotes, own)] as const // pairs
    }),
  )
  const isKept = (call: AgentCall): boolean =>
    call.kind !== 'command' || !call.isLook || (quotedIn.get(call.step)?.of(call).length ?? 0) > 0
  const lasting = lastingCommands(calls, { ...shell, isKept })
  obstacles.push(...lasting.obstacles)
  const found = steps.map(({ step, quotes }) => {
    const own = calls.filter((call) => call.step === step)
    const quoted = quotedIn.get(step) ?? quotesByCommand(quotes, [])
    seen.push(...all.filter((call) => call.step === step))
    const { sights, lost } = findSights(quoted.lost, step, work)
    const inBrowser = new Map<AgentCall, readonly BrowserItem[]>(
      work.map((one) => [one.call, itemsOf(one, sights)] as const), // pairs
    )
    obstacles.push(
      ...own
        .flatMap((call) => obstacleOf(call, { directory, scratchDir }) ?? [])
        .map((why) => ({ step, code: 'NEEDS_THE_MODEL' as const, why: `${why} ${needsTheModelWayOut}` })),
      ...work.filter(({ call }) => call.step === step).flatMap((one) => one.obstacles.map((why) => ({ step, ...why }))),
      ...lost.map((quote) => ({
        step,
        code: 'NOT_ELIGIBLE' as const,
        why: describeLost(quote, { seen, isBrowser: own.some(({ kind }) => kind === 'browser') }),
      })),
    )
    const kept = own.filter((call) => isKept(call) || lasting.commands.has(call))
    const pieces = kept.flatMap((call) => {
      const items = inBrowser.get(call) ?? []
      const isLasting = lasting.commands.has(call)
      return toPiece(call, { directory, roots, quotes: quoted.of(call), calls, items, isLasting, scratchDir })
    })
    return { step, pieces: joinBrowserPieces(pieces) }
  })
  return { steps: nameMintedValues(found, known), obstacles }
}

const plainBrowser: NonNullable<DerivationInput['browser']> = {
  baseUrl: undefined,
  variableWith: () => undefined,
  isSecret: () => false,
}

const plainShell: ShellSurroundings = { isExported: () => false, behind: () => '' }

interface QuotedCommands {
  of(call: AgentCall): readonly string[]
  /** Quotes that no command of the step printed. */
  readonly lost: readonly string[]
}

/** Each quote belongs to the last command of the step that printed it. */
function quotesByCommand(quotes: readonly string[], commands: readonly CommandCall[]): QuotedCommands {
  const byCall = new Map<AgentCall, string[]>()
  const lost: string[] = []
  for (const quote of new Set(quotes)) {
    const call = commands.findLast(({ output }) => prints(output, quote))
    if (call === undefined) lost.push(quote)
    else byCall.set(call, [...(byCall.get(call) ?? []), quote])
  }
  return { of: (call) => byCall.get(call) ?? [], lost }
}

function prints(output: string, quote: string): boolean {
  return collapseSpace(output).includes(collapseSpace(quote))
}

function describeLost(
  quote: string,
  { seen, isBrowser }: { readonly seen: readonly CommandCall[]; readonly isBrowser: boolean },
): string {
  const isEarlier = seen.some(({ output }) => prints(output, quote))
  if (isBrowser && !isEarlier)
    return `No page that the agent was shown in the step has a line with what it quoted: "${quote}". Say in the step what the page shows.`
  const what = isEarlier
    ? `The agent quoted what a command of an earlier step printed: "${quote}".`
    : `No command of the step printed what the agent quoted: "${quote}".`
  return `${what} Say in the step which command shows it.`
}

const needsTheModelWayOut =
  'Say in the step how a command does it, write it as a block, or leave the step to the agent.'

/** What follows without anything in between is one block. */
function joinBrowserPieces(pieces: readonly Piece[]): readonly Piece[] {
  const joined: Piece[] = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    if (piece.kind !== 'browser' || last?.kind !== 'browser') joined.push(piece)
    else joined.splice(-1, 1, { kind: 'browser', items: [...last.items, ...piece.items] })
  }
  return joined
}

/** Why a call cannot be repeated; `undefined` where it can. */
function obstacleOf(
  call: AgentCall,
  { directory, scratchDir }: Pick<PieceContext, 'directory' | 'scratchDir'>,
): string | undefined {
  if (call.kind === 'unrepeatable') return `It cannot be repeated without the agent: ${call.why}.`
  if (call.kind === 'mcp')
    return `It cannot be repeated without the agent: the tool \`${call.tool}\` of the MCP server \`${call.server}\`.`
  if (call.kind === 'browser') return undefined
  if (call.kind === 'edit') {
    const isOwn = [directory, scratchDir ?? directory].some((place) => isInside(call.file, place))
    return isOwn ? undefined : `The agent wrote a file outside of its directory: ${call.file}.`
  }
  const remote = /\bhttps?:\/\/(?!(?:127\.0\.0\.1|localhost|\[::1\])(?=[:/\s'"]|$))[^\s'"]+/.exec(call.command)?.[0]
  if (remote !== undefined) return `A command asks another machine: ${remote}.`
  const scratch = scratchObstacle(call.command)
  if (scratch !== undefined) return scratch
  return isInside(call.cwd, directory)
    ? undefined
    : `A command ran outside of the directory of the scenario: ${call.cwd}.`
}

interface PieceContext {
  readonly directory: string
  readonly roots: readonly string[]
  readonly quotes: readonly string[]
  readonly calls: readonly AgentCall[]
  /** Of a call in the browser. */
  readonly items: readonly BrowserItem[]
  readonly isLasting: boolean
  readonly scratchDir: string | undefined
}

function toPiece(call: AgentCall, context: PieceContext): readonly Piece[] {
  switch (call.kind) {
    case 'command':
      return [commandPiece(call, context)]
    case 'service':
      return [servicePiece(call, context)]
    case 'edit':
      return [filePiece(call, context)]
    case 'browser':
      return context.items.length > 0 ? [{ kind: 'browser', items: context.items }] : []
    case 'mcp':
    case 'unrepeatable':
      return []
    default:
      return call satisfies never
  }
}

function commandPiece(call: CommandCall, { quotes, isLasting, ...context }: PieceContext): CommandPiece {
  const { exitCode, isLook, output } = call
  const cwd = relative(context.directory, call.cwd)
  const command = withoutPlaces(call, context)
  const ofShell = isLasting && { isLasting }
  return { kind: 'command', command, cwd, exitCode, output, isLook, quotes, mints: [], ...ofShell }
}

function servicePiece(call: ServiceCall, { calls, ...context }: Omit<PieceContext, 'isLasting'>): ServicePiece {
  const cwd = relative(context.directory, call.cwd)
  const later = calls.slice(calls.indexOf(call) + 1)
  const port = later.flatMap((one) => (one.kind === 'command' ? portIn(one.command) : []))[0]
  return {
    kind: 'service',
    command: withoutPlaces(call, context),
    cwd,
    ...(port !== undefined && { wait: `port:${port}` }),
  }
}

/** The first port of this machine that a command names. */
function portIn(command: string): readonly string[] {
  const port = /(?:127\.0\.0\.1|localhost|\[::1\]):(\d{2,5})\b/.exec(command)?.[1]
  return port === undefined ? [] : [port]
}

function filePiece({ file, content }: EditCall, { directory, scratchDir }: PieceContext): FilePiece {
  if (scratchDir !== undefined && isInside(file, scratchDir)) {
    return { kind: 'file', path: relative(scratchDir, file), content, isScratch: true }
  }
  return { kind: 'file', path: relative(directory, resolve(directory, file)), content }
}

/** The directory of the agent is another one in each run, and the root on each machine. */
function withoutPlaces(
  { command: written, cwd }: Pick<CommandCall, 'command' | 'cwd'>,
  { directory, roots, scratchDir }: Pick<PieceContext, 'directory' | 'roots' | 'scratchDir'>,
): string {
  const here = relative(cwd, directory) || '.'
  const forms = formsOf(directory)
  // An address begins with no relative path.
  const found = new RegExp(String.raw`(?<!file:\/\/)${pathSource(forms)}`, 'gu')
  const command = scratchDir === undefined ? written : withoutScratch(written, scratchDir)
  const start = new RegExp(String.raw`^cd (["']?)(?:${forms.map(quoteRegex).join('|')})(?=[\s/"';&]|$)`)
  const begun = command.replace(start, (_found, quote: string) => `cd ${quote}${here}`).replace(cdToHere, '')
  return roots.reduce((text, root) => putVariable(text, root, 'TESTROOT'), withoutDirectory(begun))

  /** Behind a `cd` a relative path would be another one. */
  function withoutDirectory(text: string): string {
    const moved = cd.exec(text)
    if (moved === null) return text.replace(found, here)
    if (roots.some((root) => isInside(directory, root))) return text
    const end = isBare(text, moved.index + moved[0].search(/cd|pushd/)) ? moved.index + moved[0].length : 0
    const behind = putVariable(text.slice(end), directory, 'here')
    const isNeeded = behind !== text.slice(end)
    const begin = isNeeded ? `here=${here === '.' ? '$PWD' : `$PWD/${here}`}; ` : ''
    return `${begin}${text.slice(0, end).replace(found, here)}${behind}`
  }
}

/** Whether it stands in no quotes and in no file that the command writes. */
function isBare(command: string, index: number): boolean {
  let end = 0
  return shellSpans(command).find(({ text }) => (end += text.length) > index)?.kind === 'bare'
}

const cdToHere = /^cd (?:\.|'\.'|"\.")\/?\s*(?:&&|;|\n)\s*/

/** With its folder and what ends it. */
const cd = /(?:^|[\n;&|({])\s*(?:cd|pushd)\s[^\n;&|)]*/
