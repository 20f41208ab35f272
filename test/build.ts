import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programsFolder } from './support/programs-folder.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

let isReady = false

/** Tests start programs from `dist/` and use it in projects, so it is built once before any of them. */
export default function setup(): void {
  if (isReady) return
  if (process.env.MDTEST_SKIP_BUILD === undefined) {
    startScript('build')
  }
  if (!existsSync(programsFolder)) startScript('find-programs')
  copyPackage(join(root, '.cache/package/node_modules/vitest-mdtest'))
  isReady = true
}

function startScript(name: string): void {
  const jiti = join(root, 'node_modules/jiti/lib/jiti-cli.mjs')
  execFileSync(process.execPath, [jiti, join(root, `scripts/${name}.ts`)], { stdio: 'inherit' })
}

/** Vite transforms file by file what does not lie in a `node_modules`: time that no user pays, in each of our projects. */
function copyPackage(to: string): void {
  const { files }: { files: readonly string[] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  rmSync(to, { recursive: true, force: true })
  const packed = files.filter((name) => !name.startsWith('!'))
  const leftOut = files.filter((name) => name.startsWith('!')).map((name) => join(to, name.slice(1)))
  for (const name of ['package.json', ...packed]) cpSync(join(root, name), join(to, name), { recursive: true })
  for (const folder of leftOut) rmSync(folder, { recursive: true })
}
