import { readFile } from 'node:fs/promises'
import { MdtestError } from '../shared/mdtest-error.ts'
import { gateResultsSchema, type GateResults } from './gate-results.ts'

/** Evidence as somebody wrote it, or why it is none: a sentence. */
export type ReadEvidence =
  | { readonly ok: true; readonly evidence: GateResults }
  | { readonly ok: false; readonly reason: string }

/**
 * @param file absolute path
 * @throws MdtestError `OPTION_EVIDENCE` where it cannot be read
 */
export async function readEvidence(file: string): Promise<ReadEvidence> {
  const parsed = gateResultsSchema.safeParse(parseJson(await readText(file)))
  if (parsed.success) return { ok: true, evidence: parsed.data }
  const [issue] = parsed.error.issues
  const place = issue === undefined || issue.path.length === 0 ? 'the file' : `\`${issue.path.join('.')}\``
  return { ok: false, reason: `${file} is no evidence of gates: ${place}: ${issue?.message}.` }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // The schema says so.
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error: unknown) {
    const why = error instanceof Error ? error.message : String(error)
    throw new MdtestError('OPTION_EVIDENCE', `The evidence ${file} cannot be read (${why}).`, {
      hint: 'Name a `gate_results.json` that `mdtest gate` wrote.',
      cause: error,
    })
  }
}
