import { moduleOf } from './refuse-packages.ts'

/** A module after whose import the system has no Chrome or Chromium. */
export function hideChrome(): string {
  return moduleOf(`import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const { statSync } = fs
fs.statSync = (path, ...rest) => {
  if (/\\/(?:google-)?chrom[^/]*$/i.test(path)) throw new Error('hidden')
  return statSync(path, ...rest)
}
syncBuiltinESMExports()`)
}
