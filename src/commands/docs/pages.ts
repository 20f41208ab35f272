import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A page of the documentation that comes with the package. */
export interface Page {
  /** What it is asked for by: its path in `docs/` without `.md`, of a `README.md` that of its folder. */
  readonly topic: string
  /** Its first heading. */
  readonly title: string
  readonly text: string
}

/** All pages, by topic. */
export function readPages(): readonly Page[] {
  const folder = join(dirname(createRequire(import.meta.url).resolve('vitest-mdtest/package.json')), 'docs')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      const path = name.replaceAll('\\', '/')
      return { topic: path.replace(/(?:\/README)?\.md$/, ''), title: /^# (.+)$/m.exec(text)?.[1] ?? path, text }
    })
    .toSorted((a, b) => (a.topic < b.topic ? -1 : 1))
}
