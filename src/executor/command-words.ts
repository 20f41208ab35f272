import { relative, resolve } from 'node:path'
import { realPathOf } from '../system/files/ground.ts'
import type { LineCommand, LineWord } from './read-line.ts'
import type { Rule } from './rules.ts'
import { isInside, statsOf } from '../system/files/paths.ts'

/** A command as rules read it: one blank between words, the program without quotes. */
export function textOf([program, ...args]: readonly LineWord[]): string {
  const { value = '', text = '' } = program ?? {}
  return [/[\s'"\\]/.test(value) || value === '' ? text : value, ...args.map((arg) => arg.text)].join(' ')
}

/** The rules that match a command wherever it may run. */
export function rulesOf(
  command: LineCommand,
  rules: readonly Rule[],
  { home, directories }: { readonly home: string; readonly directories: readonly string[] },
): readonly Rule[] {
  if (rules.length === 0) return []
  const texts = directories.map((directory) => ruleTexts(command, { home, directory }))
  return rules.filter((rule) => texts.every((each) => each.some(rule.matches)))
}

/**
 * A command as rules may mean it: as it is written and without what only starts it, each file by its path from `home`, the
 * directory in which the scenario began. `node ./app.mjs` is `node app.mjs`, and so is `cd sub && node ../app.mjs`.
 *
 * @param directory absolute path of where it runs
 */
function ruleTexts(
  { words, variables }: LineCommand,
  { home, directory }: { readonly home: string; readonly directory: string },
): readonly string[] {
  const before = variables.map(({ text }) => `${text} `).join('')
  const starts = variables.length > 0 ? [words] : [words, unwrap(words)]
  const texts = starts.flatMap((start) =>
    ['', './'].map((prefix) => {
      const named = start.map((word, index) => {
        // A program without a slash is none of these files.
        if (index === 0 && word.value?.includes('/') !== true) return word
        const name = nameFromHome(word, { home, directory })
        return name === undefined ? word : wordOf((index === 0 ? './' : prefix) + name)
      })
      return before + textOf(named)
    }),
  )
  return [...new Set(texts)]
}

/** The path from `home` of a file that a word names; an absolute one where it is none of `home`. */
function nameFromHome(
  { value }: LineWord,
  { home, directory }: { readonly home: string; readonly directory: string },
): string | undefined {
  if (value === undefined || /\s/.test(value)) return undefined
  const path = resolve(directory, value)
  if (statsOf(path)?.isFile() !== true) {
    // There is no such file here: it may become another than the one that a rule means.
    return directory !== home && statsOf(resolve(home, value))?.isFile() === true ? path : undefined
  }
  const [file, ground] = [realPathOf(path), realPathOf(home)]
  return isInside(file, ground) ? relative(ground, file) : undefined
}

/** A word that stands for itself. */
function wordOf(text: string): LineWord {
  return { text, value: text, isPattern: false }
}

/** A program and its arguments as rules read them. */
export function commandText(name: string, args: readonly LineWord[]): string {
  return textOf([wordOf(name), ...args])
}

/** A text for a message, on one line and not too long. */
export function show(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return `\`${line.length > 80 ? `${line.slice(0, 79)}…` : line}\``
}

/** Takes off what only starts another command: `timeout 5`, `time`, `nice -n 5`, `nohup`. */
export function unwrap(words: readonly LineWord[]): readonly LineWord[] {
  const [program, ...args] = words
  if (!/^(?:timeout|time|nice|nohup)$/.test(program?.value ?? '')) return words
  const at = args.findIndex(({ value }) => value === undefined || !/^(?:-.*|[\d.]+[smhd]?|[A-Z]{3,9})$/.test(value))
  return at === -1 ? words : unwrap(args.slice(at))
}
