import { relative, resolve } from 'node:path'
import { realPathOf } from '../system/files/trusted-folder.ts'
import { isInside, statsOf } from '../system/files/paths.ts'
import { steeringVariable } from './shell-variables.ts'
import type { LineWord } from './resolve-words.ts'
import type { LineCommand } from './read-command-line.ts'

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
    // Read the rule a second time with single blanks, because commands have single blanks between words.
    const plain = readRule(source, content.replaceAll(/\s+/g, ' '))
    return [{ ...rule, matches: (command) => rule.matches(command) || plain.matches(command) }]
  })
}

function readRule(source: string, content: string): Rule {
  const rule = { source, isForAll: content === '' || content === '*', isExact: false }
  if (rule.isForAll) return { ...rule, words: [], matches: () => true }
  const wordsIn = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '')
  // The older form `npm test:*` matches `npm test` alone and `npm test …`. Other stars in it are plain characters.
  if (content.endsWith(':*')) {
    const literal = content.slice(0, -2)
    const matches = (command: string): boolean => literal !== '' && `${command} `.startsWith(`${literal} `)
    return { ...rule, words: wordsIn(literal), matches }
  }
  const [first = '', ...pieces] = content.split(/\*+/)
  if (pieces.length === 0)
    return { ...rule, isExact: true, words: wordsIn(content), matches: (command) => command === content }
  // A rule such as `npm *`, whose only star is at the end, also matches `npm` alone.
  const alone = pieces.length === 1 && content.endsWith(' *') ? content.slice(0, -2) : undefined
  return {
    ...rule,
    // Drop the text in front of a star: in `npm run te*`, `te` is only the beginning of a word.
    words: wordsIn(first.replace(/[^ ]*$/, '')),
    matches: (command) => command === alone || holdsInOrder(command, [first, ...pieces]),
  }
}

/** Whether a text consists of the pieces in this order, with any text between them. */
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

/** The text of a command that rules are compared with: single blanks, and no quotes around the program. */
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
        // A program name without a slash is looked up on PATH. It is no file of this directory.
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

/** The path of a file relative to `home`, because rules name files from there. */
function nameFromHome({ value }: LineWord, { home, directory }: Place): string | undefined {
  if (value === undefined || /\s/.test(value)) return undefined
  const path = resolve(directory, value)
  if (statsOf(path)?.isFile() !== true) {
    // A rule means the file in `home`. The absolute path avoids a match with a file of the same name in `directory`.
    return directory !== home && statsOf(resolve(home, value))?.isFile() === true ? path : undefined
  }
  const [file, ground] = [realPathOf(path), realPathOf(home)]
  return isInside(file, ground) ? relative(ground, file) : undefined
}
