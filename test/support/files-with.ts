import { spawnSync } from 'node:child_process'

/** Absolute paths of the files below a folder that hold this, by `grep -E`; packages are left out. */
export function filesWith(pattern: string, dir: string): readonly string[] {
  const args = ['-rlEa', '--exclude-dir=node_modules', '-e', pattern, dir]
  return spawnSync('grep', args, { encoding: 'utf8' }).stdout.split('\n').filter(Boolean)
}
