// `npm run check`: all static checks. Runs every check even if one fails, then lists the results.
import { readFileSync } from 'node:fs'
import { formatDuration } from './lib/format-duration.ts'
import { prepareModules } from './lib/prepare.ts'
import { nodeProgram, runCommand, script, type Argv } from './lib/run-command.ts'
import { formatSizes } from './lib/sizes.ts'

const parts: readonly [name: string, argv: Argv][] = [
  ['types', nodeProgram('typescript/bin/tsc', '-p', 'tsconfig.json')],
  ['page types', nodeProgram('typescript/bin/tsc', '-p', 'tsconfig.page.json')],
  ['lint', nodeProgram('.bin/oxlint', '--deny-warnings')],
  ['format', nodeProgram('.bin/oxfmt', '--check')],
  ['unused', nodeProgram('knip/bin/knip.js')],
  ['build', script('build')],
  ['publint', nodeProgram('.bin/publint', '--strict')],
  ['exports', nodeProgram('.bin/attw', '--pack', '.', '--profile', 'esm-only')],
  [
    'repository',
    nodeProgram(
      'vitest/vitest.mjs',
      'run',
      '--project=repository',
      '--reporter=default',
      '--reporter=json',
      '--outputFile.json=reports/repository.json',
    ),
  ],
]

await prepareModules()
const results = []
for (const [name, argv] of parts) {
  console.log(`\n— ${name}`)
  const startedAtMs = performance.now()
  const { exitCode } = await runCommand(argv, { env: { ...process.env, MDTEST_SKIP_BUILD: '1' } })
  results.push({ name, exitCode, durationMs: performance.now() - startedAtMs })
}

console.log('')
for (const { name, exitCode, durationMs } of results) {
  const end = exitCode === 0 ? 'ok' : `failed with exit code ${exitCode}`
  console.log(`${name.padEnd(12)}${formatDuration(durationMs).padStart(8)}  ${end}`)
}
console.log(`\n${formatSizes()}`)
const unnamed = ['package.json', 'README.md', 'docs/pull-requests.md'].filter((file) =>
  readFileSync(file, 'utf8').includes('OWNER/vitest-mdtest'),
)
if (unnamed.length > 0)
  console.log(`\nwarning: put the name of the repository's owner in place of OWNER in ${unnamed.join(', ')}`)
process.exitCode = results.some(({ exitCode }) => exitCode !== 0) ? 1 : 0
