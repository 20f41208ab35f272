import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { lookerOf, writers } from '../../executor/programs.ts'
import { readLine, type LineCommand } from '../../executor/read-line.ts'
import { orNothing } from '../../system/error-facts.ts'
import { isInside, statsOf } from '../../system/files/paths.ts'
import { quoteForBash } from '../../system/text/quoting.ts'

/** Programs that may read all files of a folder, although the command need not name it. */
const wholeFolder = /^(?:git|find|tree|du)$/
/** Programs that read at most the names in a folder, not its files. */
const listers = /^(?:ls|test|\[|stat|cd|mkdir|rm|rmdir|touch)$/
const shells = /^(?:(?:ba|da|k|z)?sh|source|\.)$/

/** Collects the files that commands depend on, as far as the command lines name them. */
export class CommandFiles {
  /** Absolute paths, existing or not. `true`: the names in the folder count as well. */
  readonly files = new Map<string, boolean>()
  /** Names of programs whose files are known only after a run. */
  readonly programs = new Set<string>()
  opaque: string | undefined
  readonly #root: string
  readonly #variables: string

  constructor(root: string, variables: Readonly<Record<string, string>>) {
    this.#root = root
    this.#variables = Object.entries(variables)
      .map(([name, value]) => `${name}=${quoteForBash(value)}\n`)
      .join('')
  }

  /** @returns the directories that the shell may be in afterwards */
  addLine(line: string, directories: readonly string[]): readonly string[] {
    const read = readLine(this.#variables + line, { directories })
    if (read.ok) for (const command of read.commands) this.#add(command)
    else this.opaque ??= `mdtest does not follow its commands (${read.problem})`
    return read.ok ? read.directoriesAfter : directories
  }

  #add(command: LineCommand): void {
    const { program, args, variables, redirects, directories } = command
    if (variables.some(({ name }) => name === 'NODE_OPTIONS')) this.opaque ??= 'a command sets `NODE_OPTIONS`'
    for (const { operator, target } of redirects) if (/^<>?$/.test(operator) && target) this.#name([target], command)
    if (program === undefined) return
    const { value = '' } = program
    const name = basename(value)
    const looker = value === name ? lookerOf(name, args) : undefined
    const words = args.map((word) => word.value)
    if (value === '') this.opaque ??= `mdtest cannot tell which program \`${program.text}\` is`
    else if (wholeFolder.test(name) && directories.some((each) => isInside(each, this.#root)))
      this.opaque ??= `\`${name}\` looks at all files`
    else if (looker?.isWithoutFiles) return
    else if (looker !== undefined || writers.has(name)) {
      this.#name(args, command)
      const isOfAll = name === 'ls' && words.every((word) => word?.startsWith('-'))
      for (const each of isOfAll ? directories : []) this.#note(each, true)
    } else if (shells.test(name) && words[0] === '-c' && words[1] !== undefined) this.addLine(words[1], directories)
    else if (shells.test(name)) this.#addScript(words[0] ?? '$', directories)
    else if (words.some((word) => /^--(?:experimental-)?permission/.test(word ?? '')))
      this.opaque ??= 'a program runs with `--permission`'
    else {
      // Existing files among the arguments count, because the program may read them unseen.
      const existing = args.filter((word) => directories.some((each) => statsOf(fileOf(word, each))?.isFile()))
      this.#name(existing, command)
      const isScript = directories.some((each) =>
        /^#!.*\b(?:ba|da)?sh\b/.test(this.#textOf(resolve(each, value)) ?? ''),
      )
      if (value !== name && isScript) this.#addScript(value, directories)
      else this.programs.add(name)
    }
  }

  /** Reads the lines of a shell script like those of a spec. */
  #addScript(name: string, directories: readonly string[]): void {
    for (const file of directories.map((each) => resolve(each, name))) {
      const text = this.#textOf(file)
      if (text === undefined) this.opaque ??= `mdtest cannot read the script \`${name}\``
      else if (!this.files.has(file)) {
        this.#note(file)
        this.addLine(text, directories)
      }
    }
  }

  /** Adds words as file names: each of them may be one. */
  #name(words: LineCommand['args'], { program, directories }: LineCommand): void {
    for (const word of words.filter(({ isNumber }) => !isNumber)) {
      if (word.value === undefined || word.isPattern)
        this.opaque ??= `mdtest cannot tell which files \`${word.text}\` names`
      for (const file of directories.map((each) => fileOf(word, each))) {
        const isFolder = isInside(file, this.#root) && statsOf(file)?.isDirectory() === true
        if (isFolder && !listers.test(program?.value ?? ''))
          this.opaque ??= `a command reads the folder \`${word.text}\``
        this.#note(file, isFolder && program?.value !== 'cd')
      }
    }
  }

  #note(file: string, isList = false): void {
    if (isInside(file, this.#root)) this.files.set(file, isList || this.files.get(file) === true)
  }

  #textOf(file: string): string | undefined {
    return isInside(file, this.#root) ? orNothing(() => readFileSync(file, 'utf8')) : undefined
  }
}

/** The path that a word may name; for `--name=file` that is the value. */
function fileOf({ value = '' }: LineCommand['args'][number], directory: string): string {
  return resolve(directory, value.replace(/^-+[\w-]*=/, ''))
}
