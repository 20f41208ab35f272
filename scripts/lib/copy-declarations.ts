import { cpSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compiled, dist } from './run-command.ts'

/**
 * Copies the type declarations of modules, including those of all imported modules, to dist/.
 * @param entries paths in .cache/compiled/, without `.d.ts`
 */
export function copyDeclarations(entries: readonly string[]): void {
  const copied = new Set<string>()
  const left = [...entries]
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (copied.has(path)) continue
    copied.add(path)
    cpSync(join(compiled, `${path}.d.ts`), join(dist, `${path}.d.ts`))
    const text = readFileSync(join(dist, `${path}.d.ts`), 'utf8')
    for (const [, imported = ''] of text.matchAll(/(?:from|import\() ?['"](\.[^'"]*)\.[jt]s['"]/g)) {
      left.push(join(dirname(path), imported))
    }
  }
}
