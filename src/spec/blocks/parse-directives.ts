import { didYouMean } from '../../system/text/did-you-mean.ts'
import { isTag, durationForm, parseDuration, parseWords, type Word } from '../front-matter/value-forms.ts'
import { describeBadRepeats, maxRepeats } from '../front-matter/front-matter.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { Directives, Place, Group, Step } from '../spec.ts'

export interface DirectiveComment extends Place {
  readonly text: string
  readonly start: Place
}

export interface ParsedDirectives {
  readonly directives: Directives
  readonly words: readonly Word[]
}

type Reader = (value: string | undefined) => Directives | string

const readers = new Map<string, Reader>([
  ['skip', (value) => ({ skip: value ?? '' })],
  ['only', (value) => (value === undefined ? { only: true } : 'written alone, without a value')],
  ['todo', (value) => (value === undefined ? { todo: true } : 'written alone, without a value')],
  ['fails', (value) => (value === undefined ? { fails: true } : 'written alone, without a value')],
  ['tags', readTags],
  ['timeout', readTimeout],
  ['retry', readRetry],
  ['repeats', (value) => readCount('repeats', value)],
  ['require', (value) => readCount('require', value)],
  ['agent', (value) => (value === 'none' ? { agent: 'none' } : '`none`; other agents are named in the front matter')],
])

export function parseDirectives(comments: readonly DirectiveComment[], report: Report): ParsedDirectives {
  const words: Word[] = []
  let directives: Directives = {}
  for (const comment of comments) {
    const found = parseWords(comment.text, comment.start)
    if (found.length === 0) report('empty-directive', comment, `The comment says nothing. Known words: ${known()}.`)
    for (const word of found) {
      const reading = readWord(word, words, report)
      if (reading === undefined) continue
      words.push(word)
      directives = { ...directives, ...reading }
    }
  }
  const problem = describeBadRepeats(directives)
  const word = words.find(({ name }) => name === 'require')
  if (problem !== undefined && word) report('bad-directive-value', word, problem)
  return { directives, words }
}

function readWord(word: Word, earlier: readonly Word[], report: Report): Directives | undefined {
  const reader = readers.get(word.name)
  if (reader === undefined) {
    report(
      'unknown-directive',
      word,
      `\`${word.raw}\` is no directive.${didYouMean(word.name, [...readers.keys()])} Known words: ${known()}.`,
    )
    return undefined
  }
  if (earlier.some(({ name }) => name === word.name)) {
    report('duplicate-directive', word, `\`${word.name}\` is given twice. Leave one of them.`)
    return undefined
  }
  const reading = word.isBroken ? 'without a stray or missing `"`' : reader(word.value)
  if (typeof reading !== 'string') return reading
  report('bad-directive-value', word, `\`${word.name}\` must be ${reading}, got \`${word.raw}\`.`)
  return undefined
}

function readTags(value = ''): Directives | string {
  const tags = value.split(',').map((tag) => tag.trim())
  return tags.every(isTag) ? { tags } : 'names separated by commas, without spaces or `!*&|()`, as in `tags=smoke,slow`'
}

function readTimeout(value = ''): Directives | string {
  const timeoutMs = parseDuration(value)
  return timeoutMs === undefined ? durationForm : { timeoutMs }
}

function readRetry(value = ''): Directives | string {
  return /^\d{1,3}$/.test(value) && Number(value) <= 100
    ? { retry: Number(value) }
    : 'a whole number from 0 to 100, as in `retry=2`'
}

function readCount(name: 'repeats' | 'require', value = ''): Directives | string {
  const count = /^\d{1,3}$/.test(value) ? Number(value) : 0
  return count >= 1 && count <= maxRepeats
    ? { [name]: count }
    : `a whole number from 1 to ${maxRepeats}, as in \`repeats=5 require=4\``
}

function known(): string {
  return [...readers.keys()].map((name) => `\`${name}\``).join(', ')
}

interface Parent {
  readonly directives: Directives
  readonly children: readonly (Group | Step)[]
}

/** Gives the steps below a heading what its directives say of them; their own come first. */
export function inheritDirectives<T extends Parent>(parent: T): T {
  const { skip, todo, fails, timeoutMs } = parent.directives
  const inherited: Directives = {
    ...(skip !== undefined && { skip }),
    ...(todo && { todo }),
    ...(fails && { fails }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  }
  if (Object.keys(inherited).length === 0) return parent
  return { ...parent, children: parent.children.map((child) => inherit(child, inherited)) }
}

function inherit(child: Group | Step, inherited: Directives): Group | Step {
  const withOwn = { ...child, directives: { ...inherited, ...child.directives } }
  return withOwn.kind === 'step' ? withOwn : inheritDirectives(withOwn)
}
