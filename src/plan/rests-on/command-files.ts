import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { lookerOf, writers } from '../../permissions/known-programs.ts'
import { readLine, type LineCommand } from '../../permissions/read-command-line.ts'
import { orNothing } from '../../system/error-facts.ts'
import { isInside, repositoryOf, statsOf } from '../../system/files/paths.ts'
import { quoteForBash } from '../../system/text/shell-and-regex-quotes.ts'

/** Programs that can read whole folders, even if the command names no file. */
const wholeFolder = /^(?:git|find|tree|du)$/
/** Programs that read at most the names in a folder, not its files. */
const listers = /^(?:ls|test|\[|stat|cd|mkdir|rm|rmdir|touch)$/
/** Commands that read files they do not name, such as `sha256sum -c list` and `grep -r word folder`. */
const listed = /^\w+sum\n(?:[^]*\n)?(?:-\w*c|--check)|\n--files0|^[ef]?grep\n(?:[^]*\n)?-(?:-?(?:de)?r|\w*[rR])/
/** Matches a question about a file in `[[` or `test`, such as `-e FILE`. */
const fileQuestion = /(?:^|\s)-(?:[a-hkprsuwxGLNOS]|nt|ot|ef)\s/
const shells = /^(?:(?:ba|da|k|z)?sh|source|\.)$/

/** Collects the files that commands depend on, as far as the command lines name them. */
export class CommandFiles {
  /** Absolute paths, existing or not. The value is `true` if the names in a folder matter, as for `ls`. */
  readonly files = new Map<string, boolean>()
  /** Names of programs. Only a run shows which files they read. */
  readonly programs = new Set<string>()
  opaque: string | undefined
  readonly #root: string
  readonly #variables: string

  constructor(root: string, variables: Readonly<Record<string, string>>) {
    this.#root = repositoryOf(root)
    this.#variables = Object.entries(variables)
      .map(([name, value]) => `${name}=${quoteForBash(value)}\n`)
      .join('')
  }

  /** @returns the directories that the shell may be in afterwards */
  addLine(line: string, directories: readonly string[]): readonly string[] {
    const [variable] = /\b(?:NODE_OPTIONS|BASH_ENV)\b/.exec(line) ?? []
    if (variable !== undefined) this.opaque ??= `a command names \`${variable}\``
    const tests = line.split('[[').slice(1)
    if (tests.some((test) => fileQuestion.test(test))) this.opaque ??= '`[[` asks about a file'
    const read = readLine(/\$|\(\(/.test(line) ? this.#variables + line : line, { directories })
    if (read.ok) for (const command of read.commands) this.#add(command)
    else this.opaque ??= `mdtest does not follow its commands (${read.problem})`
    return read.ok ? read.directoriesAfter : directories
  }

  #add(command: LineCommand): void {
    const { program, args, variables, redirects, directories } = command
    for (const { operator, target } of redirects) if (/^<>?$/.test(operator) && target) this.#name([target], command)
    if (program === undefined) {
      const pattern = variables.flatMap((each) => each.words).find(({ isPattern }) => isPattern)
      if (pattern !== undefined) this.#leaveOpen(pattern)
      return
    }
    const { value = '' } = program
    const name = basename(value)
    const looker = value === name ? lookerOf(name, args) : undefined
    const words = args.map((word) => word.value)
    if (value === '') this.opaque ??= `mdtest cannot tell which program \`${program.text}\` is`
    else if (wholeFolder.test(name) && directories.some((each) => isInside(each, this.#root)))
      this.opaque ??= `\`${name}\` looks at all files`
    else if (listed.test([name, ...words].join('\n')))
      this.opaque ??= `\`${name}\` reads files that its arguments do not name`
    else if (looker?.isWithoutFiles) this.#mention(command)
    else if (looker !== undefined || writers.has(name)) {
      this.#name(args, command)
      const isOfAll = name === 'ls' && words.every((word) => word?.startsWith('-'))
      for (const each of isOfAll ? directories : []) this.#note(each, true)
    } else if (shells.test(name) && words[0] === '-c' && words[1] !== undefined) this.addLine(words[1], directories)
    else if (shells.test(name)) this.#addScript(words[0] ?? '$', directories)
    else if (words.some((word) => /^--(?:(?:experimental-)?permission|run$)/.test(word ?? '')))
      this.opaque ??= 'a program runs with `--permission` or `--run`'
    else {
      // The trace may miss a file that an argument names, as for `--env-file` of Node.js.
      this.#mention(command)
      const isScript = directories.some((each) =>
        /^#!.*\b(?:ba|da)?sh\b/.test(this.#readScript(resolve(each, value)) ?? ''),
      )
      if (value !== name && isScript) this.#addScript(value, directories)
      else this.programs.add(name)
    }
  }

  /** Adds words that may be file names, such as arguments of an unknown program. */
  #mention({ program, args, directories }: LineCommand): void {
    const isTest = /^(?:test|\[)$/.test(program?.value ?? '') && args.some(({ text }) => fileQuestion.test(`${text} `))
    for (const word of args) {
      if (word.isPattern || (isTest && word.value === undefined && !word.isNumber)) this.#leaveOpen(word)
      for (const file of word.value === undefined ? [] : directories.map((each) => namedFile(word, each)))
        this.#note(file, isTest && statsOf(file)?.isDirectory())
    }
  }

  #leaveOpen({ text }: LineCommand['args'][number]): void {
    this.opaque ??= `mdtest cannot tell which files \`${text}\` names`
  }

  #addScript(name: string, directories: readonly string[]): void {
    for (const file of directories.map((each) => resolve(each, name))) {
      const text = this.#readScript(file)
      if (text === undefined) this.opaque ??= `mdtest cannot read the script \`${name}\``
      else if (!this.files.has(file)) {
        this.#note(file)
        this.addLine(text, directories)
      }
    }
  }

  /** Adds words that must be names of files or folders, as for `cat`. */
  #name(words: LineCommand['args'], { program, directories }: LineCommand): void {
    for (const word of words.filter(({ isNumber }) => !isNumber)) {
      if (word.value === undefined || word.isPattern) this.#leaveOpen(word)
      for (const file of directories.map((each) => namedFile(word, each))) {
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

  #readScript(file: string): string | undefined {
    return isInside(file, this.#root) ? orNothing(() => readFileSync(file, 'utf8')) : undefined
  }
}

/** The path that a word may name. In `--name=file`, the value is the path. */
function namedFile({ value = '' }: LineCommand['args'][number], directory: string): string {
  return resolve(directory, value.replace(/^-+[\w-]*=/, ''))
}
