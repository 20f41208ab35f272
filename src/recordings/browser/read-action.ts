import { shortAddress } from '../../spec/browser/addresses.ts'
import type {
  BrowserCommand,
  BrowserText,
  BrowserValue,
  Control,
  ControlVerb,
} from '../../spec/browser/browser-line.ts'
import { roles } from '../../spec/browser/roles.ts'
import { CodeChain, type CodeValue, type Statement } from './read-code.ts'

/** What a statement of Playwright's is for a recording. */
export type ReadAction =
  | { readonly kind: 'action'; readonly command: BrowserCommand }
  /** It only looked or waited. */
  | { readonly kind: 'look' }
  /** Files for the control that was clicked just before: absolute paths. */
  | { readonly kind: 'files'; readonly paths: readonly string[] }
  /** Why it cannot be repeated, a sentence. */
  | { readonly kind: 'obstacle'; readonly why: string }

interface ActionContext {
  readonly baseUrl: string | undefined
}

/** A statement as a line of a `browser` block. A control that only its place on the page tells is never guessed. */
export function readAction({ source, chain }: Statement, { baseUrl }: ActionContext): ReadAction {
  if (/^await (?:expect\(|new Promise\(|page\.screenshot\()|\.waitFor\(/.test(source)) return { kind: 'look' }
  const last = chain?.calls.at(-1)
  if (chain === undefined || last?.args === undefined) return unknown(source)
  const { name, args } = last
  const before = chain.calls.slice(0, -1)
  if (chain.root === 'fileChooser' && name === 'setFiles') {
    const paths = textsIn(args[0])
    return paths.length > 0 ? { kind: 'files', paths } : obstacle('A choice of files was given up', source)
  }
  if (chain.root !== 'page') return unknown(source)
  if (before.length === 0) return ofPage({ name, args, source, baseUrl })
  const [keyboard, ...more] = before
  if (keyboard?.name === 'keyboard' && more.length === 0) {
    const [key] = args
    return name === 'press' && typeof key === 'string' ? action({ kind: 'press', key }) : unknown(source)
  }
  const control = controlOf(new CodeChain('page', before))
  return control === undefined ? unknown(source) : ofControl(control, { name, args, source })
}

function action(command: BrowserCommand): ReadAction {
  return { kind: 'action', command }
}

function obstacle(what: string, source: string): ReadAction {
  return { kind: 'obstacle', why: `${what}: \`${source.replace(/\s+/g, ' ').replace(/^await |;$/g, '')}\`.` }
}

function unknown(source: string): ReadAction {
  return obstacle('No line of a `browser` block says the same', source)
}

interface MethodCall {
  readonly name: string
  readonly args: readonly CodeValue[]
  readonly source: string
}

const moves: Readonly<Record<string, 'back' | 'forward' | 'reload'>> = {
  goBack: 'back',
  goForward: 'forward',
  reload: 'reload',
}

function ofPage({ name, args, source, baseUrl }: MethodCall & ActionContext): ReadAction {
  const move = moves[name]
  if (move !== undefined) return action({ kind: 'history', move })
  const [url] = args
  if (name !== 'goto' || typeof url !== 'string' || !URL.canParse(url)) return unknown(source)
  const { origin, hostname, protocol } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return obstacle('It opens no page of the web', source)
  const isOwn = baseUrl !== undefined && new URL(baseUrl).origin === origin
  const isHere = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
  if (!isOwn && !isHere) return obstacle('It opens a page of another origin than the base URL', source)
  return action({ kind: 'goto', address: textOf(shortAddress(url, baseUrl)) })
}

const verbs: Readonly<Record<string, ControlVerb>> = {
  click: 'click',
  dblclick: 'double-click',
  hover: 'hover',
  check: 'check',
  uncheck: 'uncheck',
  focus: 'focus',
  fill: 'fill',
  pressSequentially: 'type',
  selectOption: 'select',
}

function ofControl(control: Control, { name, args, source }: MethodCall): ReadAction {
  const [first, ...more] = args
  if (name === 'press' && typeof first === 'string' && more.length === 0) {
    return action({ kind: 'press', control, key: first })
  }
  if (name === 'dragTo' && first instanceof CodeChain) {
    const to = controlOf(first)
    return to === undefined ? unknown(source) : action({ kind: 'drag', control, to })
  }
  const isRight = name === 'click' && isObject(first) && first['button'] === 'right' && Object.keys(first).length === 1
  if (isRight) return action({ kind: 'act', verb: 'right-click', control, values: [] })
  const verb = verbs[name]
  if (verb === undefined || more.length > 0) return unknown(source)
  const values = valuesIn(first)
  const wanted = verb === 'select' ? values.length > 0 : values.length === (takesValue(verb) ? 1 : 0)
  const isRead = first === undefined ? args.length === 0 : values.length > 0
  return wanted && isRead ? action({ kind: 'act', verb, control, values }) : unknown(source)
}

function takesValue(verb: ControlVerb): boolean {
  return verb === 'fill' || verb === 'type'
}

/** Texts, and variables that Playwright's server put in their place. */
function valuesIn(value: CodeValue): readonly BrowserValue[] {
  if (Array.isArray(value)) return value.flatMap(valuesIn)
  if (typeof value === 'string') return [textOf(value)]
  if (value instanceof CodeChain && value.root === 'process' && value.calls[0]?.name === 'env') {
    const [, name, ...more] = value.calls
    return name !== undefined && more.length === 0 ? [{ variable: name.name }] : []
  }
  return []
}

function textsIn(value: CodeValue): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')
}

function textOf(text: string): BrowserText {
  return text === '' ? [] : [text]
}

const byMethod: Readonly<Record<string, Exclude<Control['by'], 'role'>>> = {
  getByTestId: 'testid',
  getByLabel: 'label',
  getByPlaceholder: 'placeholder',
  getByText: 'text',
  getByAltText: 'alt',
  getByTitle: 'title',
}

/** `undefined` where something else than what a user perceives tells the control. */
function controlOf({ root, calls }: CodeChain): Control | undefined {
  if (root !== 'page') return undefined
  let control: Control | undefined
  for (const { name, args } of calls) {
    const [what, options] = args ?? []
    if (name === 'filter') {
      if (control === undefined || control.hasText !== undefined || !isObject(what)) return undefined
      const { hasText, ...others } = what
      if (typeof hasText !== 'string' || Object.keys(others).length > 0) return undefined
      control = { ...control, hasText: textOf(hasText) }
      continue
    }
    const found: Control | undefined = typeof what === 'string' ? baseOf(name, what, options) : undefined
    if (found === undefined) return undefined
    control = { ...found, ...(control && { within: control }) }
  }
  return control
}

function baseOf(method: string, what: string, options: CodeValue): Control | undefined {
  const given = options === undefined ? {} : isObject(options) ? options : undefined
  if (given === undefined) return undefined
  const { name, exact, ...others } = given
  if (Object.keys(others).length > 0 || (exact !== undefined && exact !== true)) return undefined
  const isExact = exact === true ? ({ isExact: true } as const) : {} // a literal
  const by = byMethod[method]
  if (by !== undefined) return name === undefined ? { by, name: textOf(what), ...isExact } : undefined
  if (method !== 'getByRole' || !roles.includes(what)) return undefined
  if (name === undefined) return { by: 'role', role: what }
  return typeof name === 'string' ? { by: 'role', role: what, name: textOf(name), ...isExact } : undefined
}

function isObject(value: CodeValue): value is { readonly [name: string]: CodeValue } {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof CodeChain)
}
