import { randomUUID } from 'node:crypto'
import { accessSync, constants, mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Programs that tests start, by name. */
export type CliName = 'claude' | 'codex' | 'copilot' | 'gemini' | 'opencode' | 'qwen'

export type RealClis =
  /** `folder` holds executables with these names, to be put first in PATH. */
  { readonly ok: true; readonly folder: string } | { readonly ok: false; readonly reason: string }

/**
 * Where the real agent CLIs of this folder are. They are large, so where they are absent their tests are skipped
 * with the reason in their title; on CI, where nobody reads titles, absence is an error.
 */
export function findRealClis(env: NodeJS.ProcessEnv = process.env): RealClis {
  const modules = fileURLToPath(new URL('node_modules', import.meta.url))
  const programs: Readonly<Record<CliName, string>> = {
    // The platform package itself: the launcher beside it is a stub where install scripts are off.
    claude: join(modules, `@anthropic-ai/claude-code-${process.platform}-${process.arch}`, 'claude'),
    codex: join(modules, '@openai/codex/bin/codex.js'),
    copilot: join(modules, `@github/copilot-${process.platform}-${process.arch}`, 'copilot'),
    gemini: join(modules, '@google/gemini-cli/bundle/gemini.js'),
    opencode: join(modules, `opencode-${process.platform}-${process.arch}`, 'bin/opencode'),
    // It needs Node.js 22.
    qwen: fileURLToPath(new URL('qwen-on-node-22', import.meta.url)),
  }
  const missing = Object.values(programs).filter((file) => !isExecutable(file))
  if (missing.length === 0) return { ok: true, folder: linkAll(join(modules, '.real-clis'), programs) }
  const reason = 'the real agent CLIs are not installed: npm ci --prefix test/real-agents'
  if (env.CI !== undefined && env.CI !== '' && env.CI !== 'false') throw new Error(reason)
  return { ok: false, reason }
}

/** PATH for an agent: the real CLIs, then Node, then the rest. */
export function realCliPath(folder: string): string {
  return [folder, dirname(process.execPath), process.env.PATH ?? ''].join(':')
}

function linkAll(folder: string, programs: Readonly<Record<string, string>>): string {
  mkdirSync(folder, { recursive: true })
  for (const [name, target] of Object.entries(programs)) {
    const link = join(folder, name)
    if (isExecutable(link)) continue
    // Files of tests begin at the same time: each makes its link, and the last one stays.
    const own = `${link}-${randomUUID()}`
    symlinkSync(target, own)
    renameSync(own, link)
  }
  return folder
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
