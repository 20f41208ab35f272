// Compiles src/ to .cache/compiled/, bundles the package's entry points and programs to dist/, and makes the command
// executable. Does nothing if the sources have not changed since the last build.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, bundlePage, bundleToCommonJs, writeLicences } from './lib/bundle.ts'
import { copyDeclarations } from './lib/copy-declarations.ts'
import { makeIfChanged } from './lib/make-if-changed.ts'
import { compiled, dist, root } from './lib/run-command.ts'

const exported = [
  'public/index',
  'public/agents',
  'public/ctrf',
  'public/github',
  'public/jest',
  'public/jest-reporter',
  'public/jest-setup',
  'public/jest-teardown',
  'public/reporter',
  'public/result-log',
]
const started = [
  'bin',
  'agents/acp/bridge/main',
  'agents/acp/program/main',
  'agents/browser/model-program/main',
  'agents/browser/tool-server/main',
  'blocks/browser/program/main',
  'system/process/launcher/launcher-main',
  'jest/server-main',
  'test-runners/readers/node-reporter',
  'test-runners/readers/vitest-reporter',
]

/** All inputs of a build, including these scripts and, through the lock files, the bundled packages and tools. */
const inputs = [
  ...['src', 'scripts', 'package.json', 'package-lock.json', 'node_modules/.package-lock.json'],
  ...['tsconfig.json', 'tsconfig.build.json'],
]

await makeIfChanged(
  { inputs: inputs.map((path) => join(root, path)), outputs: [dist, compiled], note: join(root, '.cache/build.json') },
  build,
)
// Even if nothing was built, because file modes get lost when dist/ is copied between machines.
chmodSync(join(dist, 'bin.js'), 0o755)

async function build(): Promise<void> {
  for (const folder of [dist, compiled]) rmSync(folder, { recursive: true, force: true })
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  })
  // Bundled separately, because each worker loads it: one file loads twice as fast as a file with fifteen chunks.
  const ofWorkers = await bundle({
    entries: ['public/internal-runtime'],
    chunks: 'chunks/worker',
    // Kept out of this bundle, because only workers that start git need it.
    elsewhere: { execa: '#execa' },
  })
  const ofOthers = await bundle({ entries: [...started, ...exported], chunks: 'chunks' })
  writeLicences([...ofWorkers, ...ofOthers])
  await bundleToCommonJs('jest/runtime')
  await bundlePage('report/page')
  copyDeclarations([...exported, 'blocks/module/module-scope'])
  cpSync(join(root, 'scripts/lib/internal-runtime.d.ts'), join(dist, 'public/internal-runtime.d.ts'))
}
