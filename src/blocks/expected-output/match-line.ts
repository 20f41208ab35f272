import { type LinePattern, nameUses, type Times } from './parse-expected.ts'
import { templateRegex, type TemplatePart } from './parse-template.ts'

export interface Bindings {
  readonly values: ReadonlyMap<string, string>
  /** The values of all names that later patterns recall. Bindings with equal keys lead to the same matches. */
  readonly key: string
  readonly captured: Captured | undefined
}

interface Captured {
  readonly values: readonly (readonly [name: string, value: string])[]
  readonly before: Captured | undefined
}

export function capturedValues({ captured }: Bindings): ReadonlyMap<string, string> {
  const all: (readonly [string, string])[] = []
  for (let last = captured; last !== undefined; last = last.before) all.push(...last.values)
  return new Map(all.reverse())
}

export interface Matcher {
  readonly index: number
  readonly isOptional: boolean
  readonly canRepeat: boolean
  /** Matches as few lines as possible. */
  readonly isLazy: boolean
  /** Returns the new bindings; `undefined` if the line does not match. */
  match(line: string, bindings: Bindings): Bindings | undefined
}

export function createMatchers(
  patterns: readonly LinePattern[],
  captures: ReadonlyMap<string, string>,
): { readonly matchers: readonly Matcher[]; readonly start: Bindings } {
  const names = recalledLater(patterns)
  const matchers = patterns.flatMap((pattern, index): readonly Matcher[] => {
    const match = createMatch(pattern, names)
    const matcher = (times: Times): Matcher => ({
      index,
      match,
      isLazy: false,
      isOptional: times === '?' || times === '*',
      canRepeat: times === '*',
    })
    if (pattern.kind === 'any-lines') return [{ ...matcher('*'), isLazy: true }]
    const times = pattern.kind === 'template' ? 'once' : pattern.times
    return times === '+' ? [matcher('once'), matcher('*')] : [matcher(times)]
  })
  return { matchers, start: bind(captures, names, undefined) }
}

function recalledLater(patterns: readonly LinePattern[]): readonly string[] {
  const captured = new Set<string>()
  const recalled = new Set<string>()
  for (const { name, kind } of nameUses({ patterns })) {
    if (kind === 'capture') captured.add(name)
    else if (captured.has(name)) recalled.add(name)
  }
  return [...recalled]
}

function bind(values: Bindings['values'], names: readonly string[], captured: Captured | undefined): Bindings {
  return { values, captured, key: names.length === 0 ? '' : JSON.stringify(names.map((name) => values.get(name))) }
}

function createMatch(pattern: LinePattern, names: readonly string[]): Matcher['match'] {
  switch (pattern.kind) {
    case 'any-lines':
      return (_line, bindings) => bindings
    case 'text':
      return (line, bindings) => (line === pattern.text ? bindings : undefined)
    case 'regex':
      return (line, bindings) => (pattern.regex.test(line) ? bindings : undefined)
    case 'template':
      return createTemplateMatch(pattern.parts, names)
    default:
      return pattern satisfies never
  }
}

function createTemplateMatch(parts: readonly TemplatePart[], names: readonly string[]): Matcher['match'] {
  const regexes = new Map<string, RegExp | undefined>()
  const recalls = parts.filter((part) => part.kind === 'recall').map(({ name }) => name)
  const capturing = parts.filter((part) => part.kind === 'capture').map(({ name }) => name)
  const regexFor = (values: Bindings['values']): RegExp | undefined => {
    const key = JSON.stringify(recalls.map((name) => values.get(name)))
    const valueOf = (name: string): string | undefined => values.get(name)
    if (!regexes.has(key)) regexes.set(key, templateRegex(parts, valueOf))
    return regexes.get(key)
  }
  return (line, bindings) => {
    const groups = regexFor(bindings.values)?.exec(line)
    if (groups === undefined || groups === null) return undefined
    if (capturing.length === 0) return bindings
    const found = capturing.map((name): [string, string] => [name, groups.groups?.[name] ?? ''])
    const recallable = found.filter(([name]) => names.includes(name))
    const values = recallable.length === 0 ? bindings.values : new Map([...bindings.values, ...recallable])
    return bind(values, names, { values: found, before: bindings.captured })
  }
}
