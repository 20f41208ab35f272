// `npm run demo`: runs the specs of examples/notes the way a user would. Those without an agent run anywhere; those
// with prose run, too, where a real agent is at hand.
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { prepare } from './lib/prepare.ts'
import { root, runCommand } from './lib/run-command.ts'

await prepare()
const specs = readSpecs('examples/notes')
const agent = ['claude', 'codex'].find(isOnPath)
const chosen = specs.filter(({ needsAgent }) => agent !== undefined || !needsAgent)
console.log(
  agent === undefined
    ? 'Neither `claude` nor `codex` is on PATH: only the specs that need no agent run.'
    : `\`${agent}\` is on PATH: it carries out the specs with prose.`,
)
for (const spec of specs) console.log(`${chosen.includes(spec) ? 'runs ' : 'skips'}  ${spec.path}`)

const { exitCode } = await runCommand([
  process.execPath,
  'dist/bin.js',
  'run',
  ...chosen.map(({ path }) => path),
  '-d',
  'examples/notes',
  '--headless',
])
process.exitCode = exitCode

interface DemoSpec {
  readonly path: string
  readonly needsAgent: boolean
}

function readSpecs(folder: string): readonly DemoSpec[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.md'))
    .map((path) => join(folder, path))
    .toSorted()
    .map((path) => ({ path, needsAgent: !/^agent: none$/m.test(readFileSync(join(root, path), 'utf8')) }))
}

function isOnPath(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return folder !== ''
    } catch {
      return false
    }
  })
}
