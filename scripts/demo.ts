// `npm run demo`: runs `mdtest demo` from this clone and writes the report to reports/, which git ignores.
import { prepare } from './lib/prepare.ts'
import { runCommand } from './lib/run-command.ts'

await prepare()
const args = process.argv.slice(2)
const { exitCode } = await runCommand([process.execPath, 'dist/bin.js', 'demo', '--out', 'reports/demo', ...args])
process.exitCode = exitCode
