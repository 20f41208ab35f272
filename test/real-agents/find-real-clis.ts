import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isExecutable } from '../support/programs-folder.ts'

/** Programs that tests start, by name. */
export type CliName = 'claude' | 'codex' | 'copilot' | 'gemini' | 'opencode' | 'qwen'

export type RealClis =
  /** `folder` holds executables with these names, to be put first in PATH. */
  { readonly ok: true; readonly folder: string } | { readonly ok: false; readonly reason: string }

const lanes = fileURLToPath(new URL('../lanes', import.meta.url))
const inLane = (lane: string, path: string): string => join(lanes, lane, 'node_modules', path)
const programs: Readonly<Record<CliName, string>> = {
  // The platform package itself: the launcher beside it is a stub where install scripts are off.
  claude: inLane('claude', `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`),
  codex: inLane('agents', '@openai/codex/bin/codex.js'),
  copilot: inLane('agents', `@github/copilot-${process.platform}-${process.arch}/copilot`),
  gemini: inLane('agents', '@google/gemini-cli/bundle/gemini.js'),
  opencode: inLane('agents', `opencode-${process.platform}-${process.arch}/bin/opencode`),
  // It needs Node.js 22.
  qwen: join(lanes, 'agents/qwen-on-node-22'),
}
const names = Object.keys(programs) as readonly CliName[] // its keys are those of the record

/**
 * Where these real agent CLIs are. They are large, so where one is absent its tests are skipped with the reason in their
 * title; `npm test` and `npm run test:rest` install what they need before.
 */
export function findRealClis(wanted: readonly CliName[] = names): RealClis {
  const missing = wanted.filter((name) => !isExecutable(programs[name]))
  if (missing.length > 0) return { ok: false, reason: `${missing.join(', ')} missing: run \`npm run test:rest\` once` }
  return { ok: true, folder: linkAll(join(lanes, 'agents/.real-clis')) }
}

/** PATH for an agent: the real CLIs, then Node, then the rest. */
export function realCliPath(folder: string): string {
  return [folder, dirname(process.execPath), process.env.PATH ?? ''].join(':')
}

function linkAll(folder: string): string {
  mkdirSync(folder, { recursive: true })
  for (const [name, target] of Object.entries(programs)) {
    const link = join(folder, name)
    if (isExecutable(link) || !isExecutable(target)) continue
    // Files of tests begin at the same time: each makes its link, and the last one stays.
    const own = `${link}-${randomUUID()}`
    symlinkSync(target, own)
    renameSync(own, link)
  }
  return folder
}
