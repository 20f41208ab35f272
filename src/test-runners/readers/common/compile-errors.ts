import { linesOf, messageOf } from './text.ts'
import { relativeFile } from './place.ts'
import type { FailingTest } from '../../runner.ts'

/** How compilers name a place: javac (Gradle and Maven), kotlinc, csc. Each is for one line. */
const forms: readonly RegExp[] = [
  /^(?<file>\/\S.*?\.\w+):(?<line>\d+): error: (?<message>.+)$/,
  /^\[ERROR\] (?<file>\/\S.*?\.\w+):\[(?<line>\d+),\d+\] (?<message>.+)$/,
  /^e: (?:file:\/\/)?(?<file>\/\S.*?\.kts?):(?<line>\d+):\d+:? (?<message>.+)$/,
  /^\s*(?<file>\/\S.*?\.\w+)\((?<line>\d+),\d+\): error (?<message>.+?)(?: \[[^\]]*\])?$/,
]

/** Longer lines are no compiler's, and expensive to search. */
const maxLineCharacters = 2000

/** Files that could not be compiled, each once, at its first error. */
export function readCompileErrors(text: string, root?: string): readonly FailingTest[] {
  const found = new Map<string, FailingTest>()
  for (const told of linesOf(text)) {
    if (told.length > maxLineCharacters || !/^\s*(?:\/|\[ERROR\] \/|e: )/.test(told)) continue
    const groups = forms.map((form) => form.exec(told)?.groups).find((each) => each !== undefined)
    if (groups === undefined) continue
    const { file = '', line, message = '' } = groups
    const name = relativeFile(file, root)
    if (found.has(name)) continue
    found.set(name, { name, file: name, line: Number(line), message: messageOf(message), standsFor: 'any' })
  }
  return [...found.values()]
}
