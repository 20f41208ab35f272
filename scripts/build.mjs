// Compiles src/ to dist/, bundles what every run loads, and makes the command executable.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundleInPlace, bundlePage, bundleToCommonJs, writeLicences } from './lib/bundle-in-place.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
})
// By itself, because each worker loads it: one file takes half the time that a file and its fifteen chunks take.
const ofWorkers = await bundleInPlace({ entries: ['public/internal-runtime'], chunks: 'chunks/worker' })
const ofOthers = await bundleInPlace({
  entries: [
    'bin',
    'public/index',
    'public/agents',
    'public/jest',
    'public/jest-setup',
    'public/jest-teardown',
    'public/reporter',
    'public/result-log',
    'agents/browser/main',
    'exec/launcher-main',
    'jest/server-main',
  ],
  chunks: 'chunks',
})
writeLicences([...ofWorkers, ...ofOthers])
await bundleToCommonJs('jest/runtime')
await bundlePage('report/page')
const bin = new URL('../dist/bin.js', import.meta.url)
if (existsSync(bin)) chmodSync(bin, 0o755)
