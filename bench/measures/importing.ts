import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runCommand } from '../../scripts/lib/run-command.ts'
import type { Measure } from '../lib/measure.ts'
import { createProject, type Project } from '../lib/project.ts'
import { runRounds } from '../lib/rounds.ts'
import { timedRow } from '../lib/table.ts'
import { assertCount } from '../lib/wrong-count.ts'

/** A Node.js loader hook that records every file that is loaded after it. */
const recorder = (file: string): string => `import { appendFileSync } from 'node:fs'
export async function load(url, context, next) {
  if (url.startsWith('file:')) appendFileSync(${JSON.stringify(file)}, url + '\\n')
  return next(url, context)
}
`

/** Compares `import 'vitest-mdtest'` with an empty module, in a new process. Also lists the files that it loads. */
export const importing: Measure = async ({ rounds = 15, log }) => {
  const project = await createProject({
    'ours.mjs': `import { mdtest } from 'vitest-mdtest'\nif (typeof mdtest !== 'function') process.exitCode = 1\n`,
    'plain.mjs': '',
  })
  try {
    const loaded = await listLoaded(project)
    const packages = countByPackage(loaded)
    log(`loads ${loaded.length} files: ${[...packages].map(([name, count]) => `${name} ${count}`).join(', ')}`)
    const time = (name: string) => async (): Promise<number> => {
      const startedAtMs = performance.now()
      const { exitCode, output } = await runCommand([process.execPath, join(project.dir, name)], { quiet: true })
      assertCount(`exit code of ${name}`, { expected: 0, actual: exitCode, details: output })
      return performance.now() - startedAtMs
    }
    const result = await runRounds({ rounds, ours: time('ours.mjs'), plain: time('plain.mjs') })
    const { median, min, max } = result.addedMs
    return [
      {
        ...timedRow("import 'vitest-mdtest'", result),
        result: `+${median.toFixed(0)} ms`,
        range: `${min.toFixed(0)} … ${max.toFixed(0)} ms`,
        note: `${loaded.length} files of ${packages.size} packages`,
      },
    ]
  } finally {
    await project.remove()
  }
}

async function listLoaded({ dir }: Project): Promise<readonly string[]> {
  const record = join(dir, 'loaded.txt')
  await writeFile(join(dir, 'hooks.mjs'), recorder(record))
  const hooks = pathToFileURL(join(dir, 'hooks.mjs')).href
  const register = `data:text/javascript,import{register}from'node:module';register('${hooks}')`
  const { exitCode, output } = await runCommand([process.execPath, '--import', register, join(dir, 'ours.mjs')], {
    quiet: true,
  })
  assertCount('exit code with the list of loads', { expected: 0, actual: exitCode, details: output })
  const urls = (await readFile(record, 'utf8')).trim().split('\n')
  return urls.filter((url) => !url.endsWith('/ours.mjs'))
}

function countByPackage(urls: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const url of urls) {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? url
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}
