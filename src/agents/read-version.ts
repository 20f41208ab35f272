import { z } from 'zod'
import type { KeptSession } from './done-call.ts'

const claudeStream = z
  .object({ type: z.literal('system'), subtype: z.literal('init'), claude_code_version: z.string() })
  .transform((line) => line.claude_code_version)
const claudeSession = z.object({ version: z.string() }).transform((line) => line.version)
const codexSession = z
  .object({ type: z.literal('session_meta'), payload: z.object({ cli_version: z.string() }) })
  .transform((line) => line.payload.cli_version)

const acpProgram = z.object({ type: z.literal('program'), version: z.string() }).transform((line) => line.version)

/** Claude Code tells it when it begins, and in each line of its session file. */
export function readClaudeVersion({ stream, transcript }: KeptSession): string | undefined {
  return versionIn(stream, claudeStream) ?? versionIn(transcript, claudeSession)
}

/** Codex tells it at the top of its session file. */
export function readCodexVersion({ transcript }: KeptSession): string | undefined {
  return versionIn(transcript, codexSession)
}

/** Agents that speak ACP tell it before anything else. */
export function readAcpVersion({ stream }: KeptSession): string | undefined {
  return versionIn(stream, acpProgram)
}

/** It stands near the top, or nowhere. */
const maxLines = 100

function versionIn(lines: readonly string[], line: z.ZodType<string>): string | undefined {
  const found = lines.slice(0, maxLines).flatMap((text) => {
    const read = line.safeParse(parseJson(text))
    return read.success ? [read.data] : []
  })
  // It is written into recordings.
  return found.find((version) => /^\d[\w.+]*(?:-[\w.+]+)*$/.test(version) && version.length < 40)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // Another program's line.
  }
}
