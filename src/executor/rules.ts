import { relative, resolve } from 'node:path'
import { realPathOf } from '../system/files/ground.ts'
import { isInside, statsOf } from '../system/files/paths.ts'
import { steeringVariable } from './shell-variables.ts'
import type { LineWord } from './line-words.ts'
import type { LineCommand } from './read-line.ts'

export interface Rule {
  readonly source: string
  /** Whether the rule allows every command: `Bash`, `Bash()`, `Bash(*)`. */
  readonly isForAll: boolean
  readonly isExact: boolean
  /** Words that the rule names exactly: the complete words before its first `*`. */
  readonly words: readonly string[]
  readonly matches: (command: string) => boolean
}

/** Reads the rules about commands. Other rules (`Read(…)`, `mcp__…`) are left out. */
export function readRules(sources: readonly string[]): readonly Rule[] {
  return sources.flatMap((source) => {
    const [isBash, content = ''] = /^Bash(?:\(([\s\S]*)\))?$/.exec(source) ?? []
    if (isBash === undefined) return []
    const rule = readRule(source, content)
    // Several blanks in a rule also match one blank, because a command has one blank between words.
    const plain = readRule(source, content.replaceAll(/\s+/g, ' '))
    return [{ ...rule, matches: (command) => rule.matches(command) || plain.matches(command) }]
  })
}

function readRule(source: string, content: string): Rule {
  const rule = { source, isForAll: content === '' || content === '*', isExact: false }
  if (rule.isForAll) return { ...rule, words: [], matches: () => true }
  const wordsIn = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '')
  // The older form `TEXT:*` matches TEXT alone, or followed by a blank. A star inside TEXT is an ordinary character.
  if (content.endsWith(':*')) {
    const literal = content.slice(0, -2)
    const matches = (command: string): boolean => literal !== '' && `${command} `.startsWith(`${literal} `)
    return { ...rule, words: wordsIn(literal), matches }
  }
  const [first = '', ...pieces] = content.split(/\*+/)
  if (pieces.length === 0)
    return { ...rule, isExact: true, words: wordsIn(content), matches: (command) => command === content }
  // A rule whose only star is ` *` at its end also matches the program without arguments.
  const alone = pieces.length === 1 && content.endsWith(' *') ? content.slice(0, -2) : undefined
  return {
    ...rule,
    // A star may continue the word in front of it, so that word is left out.
    words: wordsIn(first.replace(/[^ ]*$/, '')),
    matches: (command) => command === alone || holdsInOrder(command, [first, ...pieces]),
  }
}

/** Whether a text consists of the pieces, with anything between them. Needs linear time for each piece. */
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

/** A command as rules see it: one blank between words, and the program without quotes. */
export function commandText([program, ...args]: readonly LineWord[]): string {
  const { value = '', text = '' } = program ?? {}
  return [/[\s'"\\]/.test(value) || value === '' ? text : value, ...args.map((arg) => arg.text)].join(' ')
}

type Place = Readonly<Record<'home' | 'directory', string>>

/** Rules that match a command in every directory where it may run. `cd a && node ../b.mjs` counts as `node b.mjs`. */
export function rulesOf(command: LineCommand, rules: readonly Rule[], home: string): readonly Rule[] {
  if (rules.length === 0) return []
  const texts = command.directories.map((directory) => ruleTexts(command, { home, directory }))
  return rules.filter((rule) => texts.every((each) => each.some(rule.matches)))
}

function ruleTexts({ words, program, args, variables }: LineCommand, place: Place): readonly string[] {
  const before = variables.map(({ text }) => `${text} `).join('')
  const starts = program === undefined ? [words] : [words, [program, ...args]]
  const isSteered = variables.some(({ name }) => steeringVariable.test(name))
  const names = new Map([...new Set([...words, ...args])].map((word) => [word, nameFromHome(word, place)]))
  return starts.flatMap((start) =>
    ['', './'].flatMap((prefix) => {
      const named = start.map((word, index) => {
        // A program without a slash comes from PATH, not from a file here.
        if (index === 0 && word.value?.includes('/') !== true) return word
        const name = names.get(word)
        const text = (index === 0 ? './' : prefix) + name
        return name === undefined ? word : { text, value: text }
      })
      const text = commandText(named)
      return isSteered ? [before + text] : [before + text, text]
    }),
  )
}

/** The path of a word's file, relative to `home`. It is absolute if only `home` has a file of that name. */
function nameFromHome({ value }: LineWord, { home, directory }: Place): string | undefined {
  if (value === undefined || /\s/.test(value)) return undefined
  const path = resolve(directory, value)
  if (statsOf(path)?.isFile() !== true) {
    // A rule means the file in `home`, so it must not match a later file of that name in `directory`.
    return directory !== home && statsOf(resolve(home, value))?.isFile() === true ? path : undefined
  }
  const [file, ground] = [realPathOf(path), realPathOf(home)]
  return isInside(file, ground) ? relative(ground, file) : undefined
}
