import { isAbsolute, relative } from 'node:path'
import { parse, type Expression, type SpreadElement } from 'acorn'
import type { BrowserCall } from '../../records/agent-call.ts'
import { shortAddress } from '../../spec/browser/addresses.ts'
import { quote } from '../../spec/browser/page-lines.ts'
import { isInside } from '../../system/files/paths.ts'
import { partsOf } from '../derive/volatile-text.ts'
import type { BrowserAction, Obstacle } from '../derive/piece.ts'
import { orNothing } from '../../system/error-facts.ts'

export interface BrowserSurroundings {
  readonly baseUrl: string | undefined
  readonly directory: string
  /** Text of the spec. Its words are no secrets, and its dates are intended. */
  readonly known: string
  variableWith(value: string): string | undefined
  isSecret(text: string): boolean
  /** For each value of a mailbox: the code that a replay uses instead, such as `captures.get('address1')`. */
  readonly minted: Map<string, string>
}

type ReadAction = BrowserAction | Pick<Obstacle, 'code' | 'why'>

const lookingTools =
  /^browser_(?:snapshot|find|take_screenshot|console_messages|network_requests?|generate_locator|wait_for|verify_\w+)$/

/** Tools whose actions a block can repeat without an agent. */
const actingTools =
  /^browser_(?:navigate|navigate_back|navigate_forward|reload|click|type|fill_form|select_option|press_key|hover|drag|file_upload|check|uncheck)$|^type_secret$/

export function readActions(call: BrowserCall, around: BrowserSurroundings): readonly ReadAction[] {
  const { tool, input, output, isError } = call
  const ofMail = readMail(call, around.minted)
  if (ofMail !== undefined) return ofMail
  if (isError || lookingTools.test(tool) || (tool === 'browser_tabs' && input['action'] === 'list')) return []
  if (tool === 'browser_handle_dialog') {
    const { accept, promptText } = input
    if (accept !== true) return [{ code: 'await dialog.dismiss();', method: 'dismiss', values: [] }]
    const text = typeof promptText === 'string' ? quote(promptText) : ''
    return [{ code: `await dialog.accept(${text});`, method: 'accept', values: [] }]
  }
  if (!actingTools.test(tool)) return [needsTheModel(`Only an agent can repeat the tool ${tool}.`)]
  const code = /### Ran Playwright code\n```js\n([\s\S]*?)\n```/.exec(output)?.[1] ?? ''
  const actions = statementsIn(code).flatMap((one) => readStatement(one, around) ?? [])
  return actions.length > 0 ? actions : [needsTheModel(`The tool ${tool} did not tell what it did.`)]
}

/** Actions for a replay that needs a mail address or waits for a mail. `undefined` for other calls. */
function readMail(
  { tool, input, output, isError }: BrowserCall,
  minted: BrowserSurroundings['minted'],
): readonly ReadAction[] | undefined {
  if (!/^(?:new_address|wait_for_mail)$/.test(tool)) return undefined
  if (isError) return []
  const mint = (name: string, value: string): void => void minted.set(value, `captures.get(${quote(name)})`)
  const next = (kind: string): string => {
    const count = [...minted.values()].filter((code) => new RegExp(`'${kind}\\d+['_]`).test(code))
    return `${kind}${new Set(count.map((code) => /\d+/.exec(code)?.[0])).size + 1}`
  }
  if (tool === 'new_address') {
    const name = next('address')
    mint(name, output.replace(/^### Result\n/, '').trim())
    const code = `captures.set(${quote(name)}, mailbox.newAddress());`
    return [{ code, method: 'newAddress', values: [] }]
  }
  const name = next('mail')
  const { address, subject } = input
  const [, links = ''] = /^Links:\n((?:- .*\n)+)/m.exec(output) ?? []
  const [, codes] = /^Codes: (.*)$/m.exec(output) ?? []
  const found = { link: links.match(/^- \S+/gm)?.map((line) => line.slice(2)) ?? [], code: codes?.split(', ') ?? [] }
  for (const [kind, values] of Object.entries(found))
    for (const [index, value] of values.entries()) mint(`${name}_${kind}${index + 1}`, value)
  const to = minted.get(String(address)) ?? quote(String(address))
  const title = typeof subject === 'string' ? `, ${quote(subject)}` : ''
  return [{ code: `await mailbox.wait(${quote(name)}, ${to}${title});`, method: 'wait', values: [] }]
}

export function needsTheModel(why: string, way = wayOut): Pick<Obstacle, 'code' | 'why'> {
  return { code: 'NEEDS_THE_MODEL', why: `${why} ${way}` }
}

const wayOut =
  'Give the control a name, a label or a test id, write a `ts browser` block, or leave the step to the agent.'

export const typedSecret =
  'A password or another secret was typed that is in no environment variable. Set one, such as `TEST_PASSWORD`, and name it in the spec.'

interface Statement {
  readonly source: string
  readonly expression?: Expression
}

function statementsIn(code: string): readonly Statement[] {
  const program = orNothing(() => parse(code, { ecmaVersion: 'latest', sourceType: 'module' }))
  const statements = program?.body.map((node) => ({
    source: code.slice(node.start, node.end),
    ...(node.type === 'ExpressionStatement' && { expression: node.expression }),
  }))
  return statements ?? [{ source: code }]
}

/** Reads one statement of Playwright code; `undefined` if the statement only looks or waits. */
function readStatement({ source, expression }: Statement, around: BrowserSurroundings): ReadAction | undefined {
  if (/^await (?:expect\(|new Promise\(|page\.screenshot\()|\.waitFor\(/.test(source)) return undefined
  const chain = expression?.type === 'AwaitExpression' ? chainOf(expression.argument) : undefined
  const action = chain?.calls.at(-1)
  if (chain === undefined || action?.args === undefined) return unknown(source)
  const before = chain.calls.slice(0, -1)
  if (chain.root === 'fileChooser') return readFiles(action, source, around)
  if (chain.root !== 'page') return unknown(source)
  if (before.length === 0) return readPageCall(action, source, around)
  if (before.length === 1 && before[0]?.name === 'keyboard' && before[0].args === undefined) {
    const key = action.name === 'press' ? literalText(action.args[0]) : undefined
    return key === undefined
      ? unknown(source)
      : { code: `await page.keyboard.press(${quote(key)});`, method: 'press', values: [] }
  }
  const control = writeControl(before, around.known)
  return control === undefined ? unknown(source) : readControlCall(action, control, { source, around })
}

function unknown(source: string): ReadAction {
  return refuseAction('No browser block can be sure to do the same', source)
}

function refuseAction(what: string, source: string): ReadAction {
  return needsTheModel(`${what}: \`${source.replace(/\s+/g, ' ').replace(/^await |;$/g, '')}\`.`)
}

interface Call {
  readonly name: string
  readonly args?: readonly (Expression | SpreadElement)[]
}

interface Chain {
  readonly root: string
  readonly calls: readonly Call[]
}

/** Splits chained calls: `page.getByRole('button').click()`. */
function chainOf(node: Expression | SpreadElement): Chain | undefined {
  if (node.type === 'Identifier') return { root: node.name, calls: [] }
  const isCall = node.type === 'CallExpression'
  const member = isCall ? node.callee : node
  if (member.type !== 'MemberExpression' || member.object.type === 'Super') return undefined
  const { property, computed } = member
  const name = property.type === 'Identifier' && !computed ? property.name : literalText(property)
  const before = chainOf(member.object)
  if (before === undefined || name === undefined) return undefined
  return { ...before, calls: [...before.calls, { name, ...(isCall && { args: node.arguments }) }] }
}

function literalText(node: { readonly type: string; readonly value?: unknown } | null | undefined): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}

function readFiles({ name, args = [] }: Call, source: string, { directory }: BrowserSurroundings): ReadAction {
  if (name !== 'setFiles') return unknown(source)
  const files = args
    .flatMap((one) => (one.type === 'ArrayExpression' ? one.elements : [one]))
    .map((one) => literalText(one))
  if (!files.every((file) => file !== undefined)) return refuseAction('A choice of files was given up', source)
  const outside = files.find((file) => !isAbsolute(file) || !isInside(file, directory))
  if (outside !== undefined)
    return needsTheModel(`It uploads a file from outside of the directory of the scenario: ${outside}.`)
  const paths = files.map((file) => quote(relative(directory, file)))
  return { code: `await fileChooser.setFiles([${paths.join(', ')}]);`, method: 'setFiles', values: [] }
}

function readPageCall({ name, args = [] }: Call, source: string, { baseUrl, minted }: BrowserSurroundings): ReadAction {
  if (/^(?:goBack|goForward|reload)$/.test(name) && args.length === 0)
    return { code: `await page.${name}();`, method: name, values: [] }
  const url = literalText(args[0])
  if (name !== 'goto' || url === undefined || !URL.canParse(url)) return unknown(source)
  const link = minted.get(url)
  if (link !== undefined) return { code: `await page.goto(${link});`, method: 'goto', values: [] }
  const { origin, hostname, protocol } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return refuseAction('It opens no page of the web', source)
  const isOwn = baseUrl !== undefined && new URL(baseUrl).origin === origin
  const isHere = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
  if (!isOwn && !isHere) return refuseAction('It opens a page of another origin than the base URL', source)
  return { code: `await page.goto(${quote(shortAddress(url, baseUrl))});`, method: 'goto', values: [] }
}

interface WrittenControl {
  /** `page.getByRole('button', { name: 'Add' })` */
  readonly code: string
  readonly role?: string
  readonly name: string
}

const finders = /^getBy(?:Role|TestId|Label|Placeholder|Text|AltText|Title)$/

function writeControl(calls: readonly Call[], known: string): WrittenControl | undefined {
  let control: WrittenControl = { code: 'page', name: '' }
  for (const { name, args = [] } of calls) {
    const [first, second] = args
    const node = name === 'filter' ? first : second
    const options = node === undefined ? {} : literalOf(node)
    const text = literalText(first)
    if (typeof options !== 'object' || 'length' in options || args.length > 2) return undefined
    const { exact, name: label, hasText, ...others } = options
    if (Object.keys(others).length > 0) return undefined
    if (name === 'filter') {
      if (typeof hasText !== 'string' || args.length > 1 || control.code === 'page') return undefined
      control = { ...control, code: `${control.code}.filter({ hasText: ${quote(withoutVolatile(hasText, known))} })` }
      continue
    }
    if (!finders.test(name) || text === undefined || hasText !== undefined) return undefined
    if (exact !== undefined && exact !== true) return undefined
    const isRole = name === 'getByRole'
    const given = isRole ? label : text
    if (given !== undefined && typeof given !== 'string') return undefined
    const short = given === undefined ? undefined : withoutVolatile(given, known)
    const written = [
      isRole && short !== undefined && `name: ${quote(short)}`,
      // A name without its date or id is only a part of the name, so `exact` cannot match.
      exact === true && short === given && 'exact: true',
    ].filter((one) => one !== false)
    const argument = quote(isRole ? text : (short ?? text))
    const rest = written.length === 0 ? '' : `, { ${written.join(', ')} }`
    const role = isRole ? { role: text } : {}
    control = { code: `${control.code}.${name}(${argument}${rest})`, name: given ?? '', ...role }
  }
  return control
}

const actions = /^(?:click|dblclick|hover|check|uncheck|focus|fill|press|pressSequentially|selectOption|dragTo)$/

function readControlCall(
  { name, args = [] }: Call,
  control: WrittenControl,
  { source, around }: { readonly source: string; readonly around: BrowserSurroundings },
): ReadAction {
  if (!actions.test(name)) return unknown(source)
  const isTyped = name === 'fill' || name === 'pressSequentially'
  const values: string[] = []
  const written: string[] = []
  for (const arg of args) {
    const other = chainOf(arg)
    const text = literalText(arg)
    const minted = isTyped && text !== undefined ? around.minted.get(text) : undefined
    if (other?.root === 'process' && other.calls.length === 2) {
      written.push(`secret(${quote(other.calls[1]?.name ?? '')})`)
    } else if (other !== undefined) {
      const target = other.root === 'page' ? writeControl(other.calls, around.known) : undefined
      if (target === undefined || other.calls.length === 0) return unknown(source)
      written.push(target.code)
    } else if (minted !== undefined) {
      written.push(minted)
    } else if (text !== undefined && isTyped) {
      const secret = mustHide(text, control, around) ? around.variableWith(text) : undefined
      if (secret === undefined && mustHide(text, control, around)) return { code: 'UNCLEAN', why: typedSecret }
      if (secret === undefined) values.push(text)
      written.push(secret === undefined ? quote(text) : `secret(${quote(secret)})`)
    } else {
      const value = literalOf(arg)
      if (value === undefined) return unknown(source)
      values.push(...[value].flat().filter((one) => typeof one === 'string'))
      written.push(writeLiteral(value))
    }
  }
  const { code, ...found } = control
  return { code: `await ${code}.${name}(${written.join(', ')});`, method: name, ...found, values }
}

type Literal = string | number | boolean | readonly Literal[] | { readonly [name: string]: Literal }

function literalOf(node: Expression | SpreadElement | null): Literal | undefined {
  if (node?.type === 'Literal') {
    const { value } = node
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined
  }
  if (node?.type === 'ArrayExpression') {
    const values = node.elements.map(literalOf)
    return values.every((value) => value !== undefined) ? values : undefined
  }
  if (node?.type !== 'ObjectExpression') return undefined
  const entries = node.properties.map((one) =>
    one.type === 'Property' && one.key.type === 'Identifier'
      ? ([one.key.name, literalOf(one.value)] as const)
      : undefined,
  )
  return entries.every((entry): entry is readonly [string, Literal] => entry?.[1] !== undefined)
    ? Object.fromEntries(entries)
    : undefined
}

function writeLiteral(value: Literal): string {
  if (typeof value === 'string') return quote(value)
  if (Array.isArray(value)) return `[${value.map(writeLiteral).join(', ')}]`
  if (typeof value !== 'object') return String(value)
  const entries = Object.entries(value).map(([name, one]) => `${name}: ${writeLiteral(one)}`)
  return `{ ${entries.join(', ')} }`
}

function mustHide(text: string, { name }: WrittenControl, around: BrowserSurroundings): boolean {
  const isKnown = around.known.includes(text) && !around.isSecret(text)
  return text !== '' && !isKnown && (secretName.test(name) || around.isSecret(text))
}

const secretName =
  /pass(?:word|wort|code|phrase)|kennwort|contraseña|mot de passe|\bsenha\b|\bp[iu][nk]\b|secret|token|api.?key|one.?time/i

/** Removes dates, times and ids from a name. The recorded line fails if several controls match the rest. */
function withoutVolatile(text: string, known: string): string {
  const kept = partsOf(text).map(({ text: part, kind }) =>
    kind !== undefined && passing.has(kind.name) && !known.includes(part) ? '\0' : part,
  )
  const pieces = kept.join('').split('\0')
  const best = pieces.length === 1 ? text : pieces.map((piece) => piece.trim()).find((piece) => /\p{L}{2}/u.test(piece))
  return best ?? text
}

const passing: ReadonlySet<string> = new Set(['time', 'date', 'clock', 'uuid', 'hex'])
