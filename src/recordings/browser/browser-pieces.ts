import { readCode } from './read-code.ts'
import { readAction, type ReadAction } from './read-action.ts'
import type { Obstacle, BrowserItem, Sight } from '../derive/piece.ts'
import type { BrowserCall } from '../../records/agent-call.ts'
import { pageLines, pageLine } from '../../spec/browser/page-lines.ts'
import type { BrowserCommand, BrowserValue, BrowserText, Control } from '../../spec/browser/browser-line.ts'
import { isInside } from '../../system/files/paths.ts'
import { collapseSpace } from '../collapse-space.ts'
import { relative } from 'node:path'
import { partsOf } from '../derive/volatile-text.ts'

export interface BrowserSurroundings {
  readonly baseUrl: string | undefined
  /** Absolute path of the directory that the agent worked in. */
  readonly directory: string
  /** Text of the spec: what stands in it is no secret. */
  readonly known: string
  /** The variable of the environment that holds a value. */
  variableWith(value: string): string | undefined
  /** Whether a text holds a known secret. */
  isSecret(text: string): boolean
}

/** A call with what a recording keeps of it. */
export interface BrowserWork {
  readonly call: BrowserCall
  readonly commands: readonly BrowserCommand[]
  readonly obstacles: readonly Pick<Obstacle, 'code' | 'why'>[]
  /** Lines of the page that it showed. */
  readonly page?: readonly string[]
  /** Whether that is all of the page. */
  readonly isWholePage: boolean
}

/** What each call did in the browser, in order. */
export function browserWork(calls: readonly BrowserCall[], around: BrowserSurroundings): readonly BrowserWork[] {
  const done: BrowserWork[] = []
  for (const call of calls) {
    const page = pageIn(call)
    const commands: BrowserCommand[] = []
    const obstacles: Pick<Obstacle, 'code' | 'why'>[] = []
    for (const read of call.isError ? [] : actionsOf(call, around)) {
      if (read.kind === 'look') continue
      if (read.kind === 'obstacle') obstacles.push(needsTheModel(read.why))
      else if (read.kind === 'files') {
        const at = done.findLastIndex((work) => work.commands.length > 0)
        const before = done[at]
        const upload = uploadOf(before?.commands.at(-1), read.paths, around.directory)
        if (typeof upload === 'string') obstacles.push(needsTheModel(upload))
        else commands.push(upload)
        if (before) done.splice(at, 1, { ...before, commands: before.commands.slice(0, -1) })
      } else {
        const clean = withoutSecrets(read.command, around)
        if (typeof clean === 'string') obstacles.push({ code: 'UNCLEAN', why: clean })
        else commands.push(withStableControls(clean, around.known))
      }
    }
    done.push({ call, commands, obstacles, isWholePage: call.tool !== 'browser_find', ...(page && { page }) })
  }
  return done
}

function needsTheModel(why: string): Pick<Obstacle, 'code' | 'why'> {
  return { code: 'NEEDS_THE_MODEL', why: `${why} ${wayOut}` }
}

const wayOut = 'Give the control a name, a label or a test id, write a `browser` block, or leave the step to the agent.'

function pageIn({ tool, output, isError }: BrowserCall): readonly string[] | undefined {
  if (isError) return undefined
  if (/```yaml\n/.test(output)) return pageLines(output)
  if (tool !== 'browser_find') return undefined
  return pageLines(
    output
      .split('\n')
      .filter((line) => /^\s*- /.test(line))
      .join('\n'),
  )
}

/** Tools that look, wait and verify. */
const lookingTools =
  /^browser_(?:snapshot|find|take_screenshot|console_messages|network_requests?|generate_locator|wait_for|verify_\w+)$/

function actionsOf(call: BrowserCall, { baseUrl }: BrowserSurroundings): readonly ReadAction[] {
  const { tool, input, output } = call
  if (lookingTools.test(tool) || (tool === 'browser_tabs' && input['action'] === 'list')) return []
  if (tool === 'browser_handle_dialog') {
    const { accept, promptText } = input
    const text = typeof promptText === 'string' && accept === true ? { text: [promptText] } : {}
    return [{ kind: 'action', command: { kind: 'dialog', accepts: accept === true, ...text } }]
  }
  if (!actingTools.test(tool)) return [{ kind: 'obstacle', why: `Only an agent can repeat the tool ${tool}.` }]
  const read = readCode(output).map((statement) => readAction(statement, { baseUrl }))
  return read.length > 0 ? read : [{ kind: 'obstacle', why: `The tool ${tool} did not tell what it did.` }]
}

/** Of others, like those that run code in the page or change tabs, no line tells what they do. */
const actingTools =
  /^browser_(?:navigate|navigate_back|navigate_forward|reload|click|type|fill_form|select_option|press_key|hover|drag|file_upload|check|uncheck)$/

/** The click that opened the choice of files, with these files; else why not. */
function uploadOf(
  clicked: BrowserCommand | undefined,
  paths: readonly string[],
  directory: string,
): BrowserCommand | string {
  if (clicked?.kind !== 'act' || clicked.verb !== 'click') return 'Files were chosen for a control that nobody clicked.'
  const outside = paths.find((path) => !isInside(path, directory))
  if (outside !== undefined) return `It uploads a file from outside of the directory of the scenario: ${outside}.`
  return { ...clicked, verb: 'upload', values: paths.map((path) => [relative(directory, path)]) }
}

/** The action with variables in the place of secrets; why it is none to write down, where it is none. */
function withoutSecrets(command: BrowserCommand, around: BrowserSurroundings): BrowserCommand | string {
  if (command.kind !== 'act' || (command.verb !== 'fill' && command.verb !== 'type')) return command
  const { control } = command
  const values: BrowserValue[] = []
  for (const value of command.values) {
    const text = 'variable' in value ? '' : value.join('')
    const isKnown = around.known.includes(text) && !around.isSecret(text)
    const mustHide = text !== '' && !isKnown && (isForSecrets(control) || around.isSecret(text))
    const variable = mustHide ? around.variableWith(text) : undefined
    if (mustHide && variable === undefined) return typedSecret
    values.push(variable === undefined ? value : { variable })
  }
  return { ...command, values }
}

export const typedSecret =
  'A password or another secret was typed that is in no variable of the environment. Set one, such as `TEST_PASSWORD`, and name it in the spec.'

/** What the page showed for each quote, by the call that showed it. */
export interface FoundSights {
  readonly sights: ReadonlyMap<BrowserCall, readonly Sight[]>
  /** Quotes of which no page of the step had a line. */
  readonly lost: readonly string[]
}

/**
 * Where each quote of a step stood: behind the action after which it was there to stay.
 *
 * @param all what was done in the whole scenario
 */
export function findSights(quotes: readonly string[], step: string, all: readonly BrowserWork[]): FoundSights {
  const own = all.filter(({ call }) => call.step === step)
  const start = own[0] === undefined ? 0 : all.indexOf(own[0])
  const commands = own.flatMap((work) => work.commands)
  const before = commands.length > 0 ? lastPage(all.slice(0, start)) : all.find(isWhole)?.page
  const shown = own.filter(({ page }) => page !== undefined)
  const sights = new Map<BrowserCall, Sight[]>()
  const lost: string[] = []
  for (const quote of quotes) {
    const at = shown.findLastIndex(({ page = [] }) => linesOfQuote(quote, page) !== undefined)
    const lines = at === -1 ? undefined : linesOfQuote(quote, shown[at]?.page ?? [])
    if (lines === undefined) {
      // What a dialog asks is on no page: that it asks is repeated by answering it.
      if (!own.some(({ call }) => asks(call, quote))) lost.push(quote)
      continue
    }
    for (const line of lines) {
      const since = shown
        .slice(0, at + 1)
        .findLastIndex(({ page = [], isWholePage }) => isWholePage && !page.includes(line))
      const isOld = before?.includes(line) === true && since === -1
      const work = shown[isOld ? at : Math.max(since + 1, 0)] ?? shown[at]
      if (work === undefined) continue
      const weakness = before?.includes(line)
        ? 'it was on the page before'
        : isEcho(line, commands)
          ? 'it is what the step itself put there'
          : undefined
      const known = sights.get(work.call) ?? []
      if (known.some((one) => one.line === line)) continue
      sights.set(work.call, [...known, { kind: 'sight', line, ...(weakness !== undefined && { weakness }) }])
    }
  }
  return { sights, lost }
}

function asks({ output }: BrowserCall, quote: string): boolean {
  const dialogs = /### Modal state\n(- \[[^]*?)(?=\n### |$)/.exec(output)?.[1] ?? ''
  return collapseSpace(dialogs).includes(collapseSpace(quote))
}

function isWhole({ page, isWholePage }: BrowserWork): boolean {
  return page !== undefined && isWholePage
}

function lastPage(done: readonly BrowserWork[]): readonly string[] | undefined {
  return done.findLast(isWhole)?.page
}

/** The lines of a block for a call. */
export function itemsOf({ call, commands }: BrowserWork, sights: FoundSights['sights']): readonly BrowserItem[] {
  return [...commands.map((command): BrowserItem => ({ kind: 'action', command })), ...(sights.get(call) ?? [])]
}

/** The line of the page that holds each line of a quote, or is it: the shortest; `undefined` where one is on none. */
function linesOfQuote(quote: string, lines: readonly string[]): readonly string[] | undefined {
  const wanted = quote.split('\n').map(pageLine).filter(isText)
  const found = wanted.map((text) => lineHolding(text, lines))
  return wanted.length > 0 && found.every((line) => line !== undefined) ? found : undefined
}

function lineHolding(text: string, lines: readonly string[]): string | undefined {
  return lines.filter((line) => bare(line).includes(bare(text))).toSorted((a, b) => a.length - b.length)[0]
}

/** Agents leave out the quotes around names. */
function bare(text: string): string {
  return collapseSpace(text.replaceAll('"', ''))
}

function isText(text: string): boolean {
  return /[\p{L}\p{N}\p{S}]/u.test(text)
}

/** Whether a line of the page only shows what one of the actions put there itself. */
function isEcho(line: string, commands: readonly BrowserCommand[]): boolean {
  return commands.some((command) => command.kind === 'act' && isEchoOf(line, command))
}

function isEchoOf(line: string, { verb, control, values }: Extract<BrowserCommand, { kind: 'act' }>): boolean {
  const [, role = '', name = '', state = '', text = ''] =
    /^([\w-]+)(?: "((?:[^"\\]|\\.)*)")?((?: \[[^\]]*\])*)(?:: "?(.*?)"?)?$/.exec(line) ?? []
  if (verb === 'fill' || verb === 'type') return fields.has(role) && values.some((value) => plain(value) === text)
  const isOwn = control.by !== 'role' || (control.role === role && name.includes(plain(control.name ?? [])))
  if (verb === 'check' || verb === 'uncheck') return isOwn && /^(?:checkbox|radio|switch)$/.test(role)
  if (verb === 'select')
    return role === 'option' && state.includes('[selected]') && values.some((value) => plain(value) === name)
  return false
}

const fields: ReadonlySet<string> = new Set(['textbox', 'searchbox', 'spinbutton', 'combobox', 'slider'])

function plain(value: BrowserValue | BrowserText): string {
  return 'variable' in value ? '' : value.map((part) => (typeof part === 'string' ? part : '')).join('')
}

/** Whether a control takes what nobody may read, by what it is called. */
function isForSecrets(control: Control): boolean {
  return secretName.test(plain(control.name ?? []))
}

const secretName =
  /pass(?:word|wort|code|phrase)|kennwort|contraseña|mot de passe|\bsenha\b|\bp[iu][nk]\b|secret|token|api.?key|one.?time/i

/**
 * An action whose controls are found on another day, too: of a name with a date, a time or an id in it, what stands before
 * or behind it is enough. Where that tells several controls the line fails; it never takes the wrong one.
 *
 * @param known text of the spec: a date in it is meant
 */
function withStableControls(command: BrowserCommand, known: string): BrowserCommand {
  if (command.kind === 'drag') {
    return { ...command, control: stable(command.control, known), to: stable(command.to, known) }
  }
  if (command.kind === 'act') return { ...command, control: stable(command.control, known) }
  if (command.kind !== 'press' || command.control === undefined) return command
  return { ...command, control: stable(command.control, known) }
}

function stable(control: Control, known: string): Control {
  const { name, hasText, within, ...rest } = control
  const shorter = name && shorten(name, known)
  const { isExact: _isExact, ...loose } = rest
  const base = shorter === name ? rest : loose
  return {
    ...base,
    ...(shorter && { name: shorter }),
    ...(hasText && { hasText: shorten(hasText, known) }),
    ...(within && { within: stable(within, known) }),
  } as Control // its name is as present as it was
}

/** The first piece with words and without anything volatile; the text itself where it has no volatile part, or no other. */
function shorten(text: BrowserText, known: string): BrowserText {
  const [whole] = text
  if (typeof whole !== 'string' || text.length > 1) return text
  const pieces = ['']
  for (const { text: part, kind } of partsOf(whole)) {
    if (kind !== undefined && passing.has(kind.name) && !known.includes(part)) pieces.push('')
    else pieces.push(`${pieces.pop() ?? ''}${part}`)
  }
  if (pieces.length === 1) return text
  const [best] = pieces.map((piece) => piece.trim()).filter((piece) => /\p{L}{2}/u.test(piece))
  return best === undefined ? text : [best]
}

const passing: ReadonlySet<string> = new Set(['time', 'date', 'clock', 'uuid', 'hex'])
