import { messageOf } from './message.ts'
import { relativeFile } from './place.ts'
import type { FailingTest } from './runner.ts'

/** How compilers name a place: javac (Gradle and Maven), kotlinc, csc. */
const forms: readonly RegExp[] = [
  /^(?<file>\/\S.*?\.\w+):(?<line>\d+): error: (?<message>.+)$/gm,
  /^\[ERROR\] (?<file>\/\S.*?\.\w+):\[(?<line>\d+),\d+\] (?<message>.+)$/gm,
  /^e: (?:file:\/\/)?(?<file>\/\S.*?\.kts?):(?<line>\d+):\d+:? (?<message>.+)$/gm,
  /^\s*(?<file>\/\S.*?\.\w+)\((?<line>\d+),\d+\): error (?<message>.+?)(?: \[[^\]]*\])?$/gm,
]

/** Files that could not be compiled, each once, at its first error. */
export function readCompileErrors(text: string, root?: string): readonly FailingTest[] {
  const found = new Map<string, FailingTest>()
  for (const { groups } of forms.flatMap((form) => [...text.matchAll(form)])) {
    const { file = '', line, message = '' } = groups ?? {}
    const name = relativeFile(file, root)
    if (!found.has(name)) found.set(name, { name, file: name, line: Number(line), message: messageOf(message) })
  }
  return [...found.values()]
}
