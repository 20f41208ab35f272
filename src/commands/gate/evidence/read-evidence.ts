import { readFile } from 'node:fs/promises'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { gateResultsSchema, type GateResults } from './gate-results.ts'
import { messageOf } from '../../../system/error-facts.ts'

/** Evidence as somebody wrote it, or why it is none: a sentence. */
export type ReadEvidence =
  | { readonly ok: true; readonly evidence: GateResults }
  | { readonly ok: false; readonly reason: string }

/**
 * @param file absolute path
 * @throws MdtestError `OPTION_EVIDENCE` where it cannot be read
 */
export async function readEvidence(file: string): Promise<ReadEvidence> {
  const json = parseJson(await readText(file))
  if (!json.ok) return { ok: false, reason: `${file} is no evidence of gates: it is not JSON (${json.why}).` }
  const parsed = gateResultsSchema.safeParse(json.value)
  if (parsed.success) return { ok: true, evidence: parsed.data }
  const [issue] = parsed.error.issues
  const place = issue === undefined || issue.path.length === 0 ? 'the file' : `\`${issue.path.join('.')}\``
  return { ok: false, reason: `${file} is no evidence of gates: ${place}: ${issue?.message}.` }
}

function parseJson(
  text: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string } {
  try {
    return { ok: true, value: JSON.parse(text.replace(/^\ufeff/, '')) as unknown } // the schema checks it
  } catch (error: unknown) {
    return { ok: false, why: messageOf(error) }
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error: unknown) {
    const why = messageOf(error)
    throw new MdtestError('OPTION_EVIDENCE', `The evidence ${file} cannot be read (${why}).`, {
      hint: 'Name a `gate_results.json` that `mdtest gate` wrote.',
      cause: error,
    })
  }
}
