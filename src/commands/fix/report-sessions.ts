import { join, relative, resolve } from 'node:path'
import { addArtifact, type SessionEnd } from './loop/work-on-session.ts'
import type { Redactor } from '../../system/redaction/redact.ts'
import type { CliContext } from '../common/cli-context.ts'
import { plainText } from '../../system/text/plain-text.ts'
import { messageOf } from '../../system/error-facts.ts'

/** How sessions ended, and where that can be read. */
export interface ReportedEnds {
  readonly ends: readonly SessionEnd[]
  /** Path of the page, relative to the project. */
  readonly page?: string
}

/** The folder of the report, relative to the project; nothing where none is wanted. */
export function reportFolder({
  asked,
  configured,
}: {
  /** By the flag `--report`; empty where it names no folder. */
  readonly asked: string | undefined
  readonly configured: string | undefined
}): string | undefined {
  return asked === '' ? (configured ?? 'mdtest-report') : (asked ?? configured)
}

interface ReportContext extends Pick<CliContext, 'stderr'> {
  /** Absolute path of the project. */
  readonly root: string
  readonly dir: string
  readonly redactor: Redactor
}

/** Writes the sessions of a project into its report. That it cannot be written fails nothing. */
export async function reportSessions(
  ends: readonly SessionEnd[],
  { root, dir, redactor, stderr }: ReportContext,
): Promise<ReportedEnds> {
  const { writeSessions } = await import('../../report/sessions/write-sessions.ts')
  const path = resolve(root, dir)
  try {
    const { unreadable } = await writeSessions({ root, dir: path, redactor })
    for (const { why } of unreadable) stderr.write(`mdtest: ${plainText(why)}\n`)
  } catch (error: unknown) {
    const why = messageOf(error)
    stderr.write(`mdtest: The report in ${path} cannot be written (${plainText(why)}).\n`)
    return { ends }
  }
  const page = relative(root, join(path, 'sessions.html'))
  const named = ends.map(async (end) =>
    end.isInterrupted ? end : { ...end, report: await addArtifact(end.report, { root, path: page }) },
  )
  return { ends: await Promise.all(named), page }
}
