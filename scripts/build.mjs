// Compiles src/ to dist/, bundles what every run loads, and makes the command executable.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundleInPlace } from './lib/bundle-in-place.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
})
// Loaded in every run with a spec, in every worker, with the first agent.
await bundleInPlace([
  'options/resolve-options.js',
  'vitest/plan-spec.js',
  'public/internal-runtime.js',
  'host/carry-out.js',
])
const bin = new URL('../dist/bin.js', import.meta.url)
if (existsSync(bin)) chmodSync(bin, 0o755)
