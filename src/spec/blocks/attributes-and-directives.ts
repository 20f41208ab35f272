import { didYouMean } from '../../system/text/did-you-mean.ts'
import { isInnerPath, tagPattern, durationForm, parseDuration, parseWords } from '../front-matter/value-forms.ts'
import type { Word } from '../front-matter/value-forms.ts'
import { loginForm, userName } from '../front-matter/servers-and-logins.ts'
import { describeBadRepeats, maxRepeats } from '../front-matter/front-matter.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { Block, BlockAttributes, Directives, Place } from '../spec.ts'

type Reader<T> = (value: string | undefined, place: Place) => T | string

function alone<T>(given: T): Reader<T> {
  return (value) => (value === undefined ? given : 'written alone, without a value')
}

function readTimeout(value = ''): { readonly timeoutMs: number } | string {
  const timeoutMs = parseDuration(value)
  return timeoutMs === undefined ? durationForm : { timeoutMs }
}

interface Reading<T> {
  readonly what: 'attribute' | 'directive'
  readonly report: Report
  readerOf(name: string): Reader<T> | undefined
  describeUnknown(word: Word): string
}

/** Reports each wrong word, and returns the readings of the others. */
function readWords<T extends object>(words: readonly Word[], { what, report, readerOf, describeUnknown }: Reading<T>) {
  const seen = new Set<string>()
  return words.flatMap((word) => {
    const { name, value, raw, isBroken } = word
    const reader = readerOf(name)
    if (reader === undefined) {
      report(`unknown-${what}`, word, describeUnknown(word))
      return []
    }
    const isRepeated = seen.has(name)
    seen.add(name)
    const given = isBroken ? 'without a stray or missing `"`' : reader(value, word)
    if (isRepeated) report(`duplicate-${what}`, word, `\`${name}\` is given twice. Leave one of them.`)
    else if (typeof given !== 'string') return [{ word, given }]
    else report(`bad-${what}-value`, word, `\`${name}\` must be ${given}, got \`${raw}\`.`)
    return []
  })
}

const attributeReaders: Readonly<Record<string, Reader<Partial<BlockAttributes>>>> = {
  exit: (value = '') =>
    /^\d{1,3}$/.test(value) && Number(value) <= 255
      ? { exit: Number(value) }
      : 'a whole number from 0 to 255, as in `exit=2`',
  errexit: (value) => (value === 'off' ? { errexit: 'off' } : '`off` (without it a script stops at its first failure)'),
  timeout: readTimeout,
  cwd: (value = '') => (isInnerPath(value) ? { cwd: value } : 'a path inside the working directory, as in `cwd=sub`'),
  skip: alone({ skip: true }),
  stream: (value) =>
    value === 'stdout' || value === 'stderr' || value === 'both' ? { stream: value } : '`stdout`, `stderr` or `both`',
  background: alone({ background: true }),
  wait: (value = '') =>
    isReadiness(value)
      ? { wait: value }
      : '`port:` and a number from 1 to 65535 or `file:` and a path, as in `wait=port:3000`',
  file: (value = '') =>
    isInnerPath(value) && !/(?:^|[/\\])\.{0,2}$/.test(value)
      ? { file: value }
      : 'a path of a file inside the working directory, as in `file=config.json`',
}

const namesByKind: Readonly<Record<Block['kind'], readonly string[]>> = {
  script: ['exit', 'errexit', 'timeout', 'cwd', 'env', 'skip', 'stream', 'background', 'wait'],
  console: ['timeout', 'cwd', 'env', 'skip', 'stream'],
  module: ['timeout', 'cwd', 'env', 'skip'],
  browser: ['timeout', 'env', 'skip'],
  file: ['file', 'skip'],
}

export function parseAttributes(words: readonly Word[], kind: Block['kind'], report: Report): BlockAttributes {
  const names = namesByKind[kind]
  const readings = readWords(words, {
    what: 'attribute',
    report,
    readerOf(name) {
      if (name.startsWith('env.')) return names.includes('env') ? readVariable(name.slice(4)) : undefined
      return names.includes(name) ? attributeReaders[name] : undefined
    },
    describeUnknown({ name, raw }) {
      const words = kind === 'file' ? names : ['run', 'verify', ...names]
      const known = words.map((item) => (item === 'env' ? '`env.NAME=…`' : `\`${item}\``)).join(', ')
      const what = kind === 'script' ? 'script' : `\`${kind}\``
      const hint = kind === 'console' && name === 'exit' ? ' Write the exit code as the last output line, `[2]`.' : ''
      return `\`${raw}\` is no attribute of a ${what} block.${didYouMean(name, words)} Known: ${known}.${hint}`
    },
  })
  // Use spread: the assignment `env['__proto__'] = …` would set the prototype, not a variable.
  return readings.reduce<BlockAttributes>(
    (all, { given }) => ({ ...all, ...given, env: { ...all.env, ...given.env } }),
    { env: {} },
  )
}

function readVariable(name: string): Reader<Partial<BlockAttributes>> {
  return (value) =>
    /^[A-Za-z_]\w*$/.test(name) && value !== undefined
      ? { env: { [name]: value } }
      : 'a variable and its value, as in `env.NAME=value`'
}

function isReadiness(value: string): boolean {
  const [, port] = /^port:(\d{1,5})$/.exec(value) ?? []
  return port === undefined ? /^file:[^\0]+$/.test(value) : Number(port) >= 1 && Number(port) <= 65_535
}

export interface DirectiveComment extends Place {
  readonly text: string
  readonly start: Place
}

export interface ParsedDirectives {
  readonly directives: Directives
  readonly words: readonly Word[]
}

const directiveReaders = new Map<string, Reader<Directives>>([
  ['skip', (value) => ({ skip: value ?? '' })],
  ['only', alone({ only: true })],
  ['todo', alone({ todo: true })],
  ['fails', alone({ fails: true })],
  ['tags', readTags],
  ['timeout', readTimeout],
  ['retry', readCount('retry', 'retry=2')],
  ['repeats', readCount('repeats', 'repeats=5 require=4')],
  ['require', readCount('require', 'repeats=5 require=4')],
  ['login', readLogin],
  ['agent', (value) => (value === 'none' ? { agent: 'none' } : '`none`; other agents are named in the front matter')],
])

export function parseDirectives(comments: readonly DirectiveComment[], report: Report): ParsedDirectives {
  const names = [...directiveReaders.keys()]
  const known = names.map((name) => `\`${name}\``).join(', ')
  const all = comments.flatMap((comment) => {
    const found = parseWords(comment.text, comment.start)
    if (found.length === 0) report('empty-directive', comment, `The comment says nothing. Known words: ${known}.`)
    return found
  })
  const readings = readWords(all, {
    what: 'directive',
    report,
    readerOf: (name) => directiveReaders.get(name),
    describeUnknown: ({ raw, name }) => `\`${raw}\` is no directive.${didYouMean(name, names)} Known words: ${known}.`,
  })
  const directives = readings.reduce<Directives>((before, { given }) => ({ ...before, ...given }), {})
  const words = readings.map(({ word }) => word)
  const problem = describeBadRepeats(directives)
  const word = words.find(({ name }) => name === 'require')
  if (problem !== undefined && word) report('bad-directive-value', word, problem)
  return { directives, words }
}

function readTags(value = ''): Directives | string {
  const tags = value.split(',').map((tag) => tag.trim())
  return tags.every((tag) => tagPattern.test(tag))
    ? { tags }
    : 'names separated by commas, without spaces or `!*&|()`, as in `tags=smoke,slow`'
}

function readLogin(value = '', { line, column }: Place): Directives | string {
  return userName.test(value) ? { login: { user: value, line, column } } : `${loginForm}, as in \`login=admin\``
}

function readCount(name: 'retry' | 'repeats' | 'require', example: string): Reader<Directives> {
  const [min, max] = name === 'retry' ? [0, 100] : [1, maxRepeats]
  return (value = '') => {
    const count = /^\d{1,3}$/.test(value) ? Number(value) : -1
    return count >= min && count <= max
      ? { [name]: count }
      : `a whole number from ${min} to ${max}, as in \`${example}\``
  }
}
