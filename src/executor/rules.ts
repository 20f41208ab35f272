import { relative, resolve } from 'node:path'
import { realPathOf } from '../system/files/ground.ts'
import { isInside, statsOf } from '../system/files/paths.ts'
import { steeringVariable } from './programs.ts'
import type { LineWord } from './line-words.ts'
import type { LineCommand } from './read-line.ts'

export interface Rule {
  readonly source: string
  /** Whether it allows every command: `Bash`, `Bash()`, `Bash(*)`. */
  readonly isForAll: boolean
  readonly isExact: boolean
  /** Words that it names to the letter: whole ones before its first `*`. */
  readonly words: readonly string[]
  readonly matches: (command: string) => boolean
}

/** The rules that speak of commands. Others (`Read(…)`, `mcp__…`) are left out. */
export function readRules(sources: readonly string[]): readonly Rule[] {
  return sources.flatMap((source) => {
    const [, content] = /^Bash(?:\(([\s\S]*)\))?$/.exec(source) ?? [undefined, null]
    if (content === null) return []
    const rule = readRule(source, content ?? '')
    // Blanks between words count as one, those in quotes as they are.
    const plain = readRule(source, (content ?? '').replaceAll(/\s+/g, ' '))
    return [{ ...rule, matches: (command) => rule.matches(command) || plain.matches(command) }]
  })
}

function readRule(source: string, content: string): Rule {
  const rule = { source, isForAll: content === '' || content === '*', isExact: false }
  if (rule.isForAll) return { ...rule, words: [], matches: () => true }
  const wordsIn = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '')
  // The older form: a text, and behind it the end or a blank. A star before it means nothing.
  if (content.endsWith(':*')) {
    const literal = content.slice(0, -2)
    const matches = (command: string): boolean =>
      literal !== '' && (command === literal || command.startsWith(`${literal} `))
    return { ...rule, words: wordsIn(literal), matches }
  }
  const [first = '', ...pieces] = content.split(/\*+/)
  if (pieces.length === 0)
    return { ...rule, isExact: true, words: wordsIn(content), matches: (command) => command === content }
  // One star, behind a blank and at the end: the program alone matches, too.
  const alone = pieces.length === 1 && content.endsWith(' *') ? content.slice(0, -2) : undefined
  return {
    ...rule,
    // What a star may go on with is not the whole word.
    words: wordsIn(first.replace(/[^ ]*$/, '')),
    matches: (command) => command === alone || holdsInOrder(command, [first, ...pieces]),
  }
}

/** Whether a text is made of the pieces with anything between them. In linear time for each piece. */
function holdsInOrder(text: string, pieces: readonly string[]): boolean {
  const [first = '', ...others] = pieces
  const last = others.pop() ?? ''
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (const piece of others) {
    const found = text.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return at <= text.length - last.length
}

/** A command as rules read it: one blank between words, the program without quotes. */
export function textOf([program, ...args]: readonly LineWord[]): string {
  const { value = '', text = '' } = program ?? {}
  return [/[\s'"\\]/.test(value) || value === '' ? text : value, ...args.map((arg) => arg.text)].join(' ')
}

interface Place {
  readonly home: string
  readonly directory: string
}

/** The rules that match a command wherever it may run: `cd sub && node ../app.mjs` is `node app.mjs`, too. */
export function rulesOf(command: LineCommand, rules: readonly Rule[], home: string): readonly Rule[] {
  const { directories } = command
  if (rules.length === 0) return []
  const texts = directories.map((directory) => ruleTexts(command, { home, directory }))
  return rules.filter((rule) => texts.every((each) => each.some(rule.matches)))
}

function ruleTexts({ words, program, args, variables }: LineCommand, place: Place): readonly string[] {
  const before = variables.map(({ text }) => `${text} `).join('')
  const starts = program === undefined ? [words] : [words, [program, ...args]]
  const isSteered = variables.some(({ name }) => steeringVariable.test(name))
  const names = new Map([...words, ...args].map((word) => [word, nameFromHome(word, place)]))
  return starts.flatMap((start) =>
    ['', './'].flatMap((prefix) => {
      const named = start.map((word, index) => {
        // A program without a slash is none of these files.
        if (index === 0 && word.value?.includes('/') !== true) return word
        const name = names.get(word)
        const text = (index === 0 ? './' : prefix) + name
        return name === undefined ? word : { text, value: text }
      })
      const text = textOf(named)
      return isSteered ? [before + text] : [before + text, text]
    }),
  )
}

/** The path from `home` of a file that a word names; an absolute one where it is none of `home`. */
function nameFromHome({ value }: LineWord, { home, directory }: Place): string | undefined {
  if (value === undefined || /\s/.test(value)) return undefined
  const path = resolve(directory, value)
  if (statsOf(path)?.isFile() !== true) {
    // There is no such file here: it may become another than the one that a rule means.
    return directory !== home && statsOf(resolve(home, value))?.isFile() === true ? path : undefined
  }
  const [file, ground] = [realPathOf(path), realPathOf(home)]
  return isInside(file, ground) ? relative(ground, file) : undefined
}
