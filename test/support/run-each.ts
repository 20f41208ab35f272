import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Ended {
  /** Of both streams. */
  readonly output: string
  readonly exitCode: number
}

interface Surroundings {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

const each = `for code; do n=$((n + 1)); bash --norc -c "$code" >"$OUT/$n" 2>&1 </dev/null; echo $?; done`

/** What each command prints and how it ends, in a bash of its own. One program starts them all, one after the other. */
export function runEach(commands: readonly string[], { cwd, env = {} }: Surroundings = {}): readonly Ended[] {
  const folder = mkdtempSync(join(tmpdir(), 'mdtest-each-'))
  try {
    const codes = execFileSync('bash', ['--norc', '-c', each, 'bash', ...commands], {
      encoding: 'utf8',
      cwd,
      env: { PATH: process.env['PATH'], ...env, OUT: folder },
    })
    return codes
      .trimEnd()
      .split('\n')
      .map((code, index) => ({
        output: readFileSync(join(folder, String(index + 1)), 'utf8'),
        exitCode: Number(code),
      }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
