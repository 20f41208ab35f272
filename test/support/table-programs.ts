import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tablePrograms } from './allow-table.ts'

/** A folder for PATH with the programs of the table of `allow`, which print `ran` and their name. */
export function makeTablePrograms(): Disposable & { readonly folder: string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mdt-programs-')))
  for (const name of tablePrograms) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho ran ${name}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}
