import type { Given } from '../line/words.ts'

/** One option of a command, and what was given to it. */
export interface Option {
  /** With its dashes. Short ones one by one. */
  readonly name: string
  readonly value?: Given
}

export interface Arguments {
  readonly options: readonly Option[]
  readonly operands: readonly Given[]
}

/**
 * Takes the arguments of a command apart as most programs do.
 *
 * @param valued options that take a value: `-n --lines`
 * @param isLeading whether options end at the first operand
 */
export function readArguments(args: readonly Given[], valued = '', isLeading = false): Arguments {
  const takesValue = new Set(valued.split(/\s+/))
  const meant = (name: string): string => [...takesValue].find((each) => isMeantBy(name, each, takesValue)) ?? name
  const options: Option[] = []
  const operands: Given[] = []
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at]
    const { value } = arg ?? {}
    if (arg === undefined) break
    if (value === '--') return { options, operands: [...operands, ...args.slice(at + 1)] }
    if (value === undefined || value === '-' || !value.startsWith('-')) {
      if (isLeading) return { options, operands: args.slice(at) }
      operands.push(arg)
    } else if (value.startsWith('--')) {
      const [, written = value, own] = /^(--[^=]*)=([\s\S]*)$/.exec(value) ?? []
      const name = meant(written)
      if (own !== undefined) options.push({ name, value: { ...arg, value: own } })
      else if (takesValue.has(name)) options.push(withValue(name, args[(at += 1)]))
      else options.push({ name })
    } else {
      for (let letter = 1; letter < value.length; letter += 1) {
        const name = `-${value[letter]}`
        if (!takesValue.has(name)) options.push({ name })
        else {
          const own = value.slice(letter + 1)
          options.push(own === '' ? withValue(name, args[(at += 1)]) : { name, value: { ...arg, value: own } })
          break
        }
      }
    }
  }
  return { options, operands }
}

function withValue(name: string, value: Given | undefined): Option {
  return value === undefined ? { name } : { name, value }
}

/** What was given to any of these options. */
export function valuesOfOptions({ options }: Arguments, ...names: readonly string[]): readonly Given[] {
  return options.flatMap(({ name, value }) => (names.includes(name) && value !== undefined ? [value] : []))
}

export function hasOption({ options }: Arguments, ...names: readonly string[]): boolean {
  return options.some(({ name }) => names.some((each) => isMeantBy(name, each)))
}

/** Whole options of some program that others begin with. */
const whole: ReadonlySet<string> = new Set('--arg --text --checkpoint --exclude --file --output --no --test'.split(' '))

/**
 * Whether a program may take `--outp` for `--output`: most let the end of a name off.
 *
 * @param known whole names, which stand for nothing else
 */
export function isMeantBy(written: string, name: string, known: ReadonlySet<string> = whole): boolean {
  if (written === name) return true
  const isShortened = written.startsWith('--') && written.length > 2 && name.startsWith(written)
  return isShortened && !known.has(written) && !whole.has(written)
}
