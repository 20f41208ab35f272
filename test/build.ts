import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

let isBuilt = false

/** Tests start programs from `dist/`, so it is built once before any of them. */
export default function setup(): void {
  if (isBuilt || process.env.MDTEST_SKIP_BUILD !== undefined) return
  execFileSync(process.execPath, [fileURLToPath(new URL('../scripts/build.mjs', import.meta.url))], {
    stdio: 'inherit',
  })
  isBuilt = true
}
