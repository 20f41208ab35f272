import { resolve } from 'node:path'
import { compareRuns, rejectFile, verifyEvidence, type Validation } from './evidence/verify-evidence.ts'
import { type GateResults, gateResultsSchema } from './evidence/gate-results.ts'
import { findGateConfig, readGateConfig } from '../project-config/read-gate-config.ts'
import { runGates } from './gates/run-gates.ts'
import { plainJson } from '../../system/text/plain-text.ts'
import { redactTexts } from '../../system/redaction/redact-texts.ts'
import type { CliContext } from '../common/cli-context.ts'
import type { GateRequest } from './flags.ts'
import { withContext } from './gates/gate-context.ts'
import { readFile } from 'node:fs/promises'
import { MdtestError } from '../../system/mdtest-error.ts'
import { messageOf } from '../../system/error-facts.ts'

/** `mdtest gate --verify`: prints what evidence is worth. Whether it is accepted. */
export async function verify(asked: GateRequest, cli: CliContext): Promise<boolean> {
  const { cwd, stdout, signal } = cli
  const read = await readEvidence(resolve(cwd, asked.flags.evidence))
  const validation = read.ok ? await judge(read.evidence, { asked, cli }) : rejectFile(read.reason)
  if (!signal.aborted) stdout.write(`${plainJson(JSON.stringify(validation, undefined, 2))}\n`)
  return validation.pass
}

interface Circumstances {
  readonly asked: GateRequest
  readonly cli: CliContext
}

async function judge(evidence: GateResults, { asked, cli }: Circumstances): Promise<Validation> {
  const { flags, root, file } = asked
  if (!flags.isRerun) return verifyEvidence(evidence, (await findGateConfig({ root, file }))?.commands)
  const { commands, mcpServers } = await readGateConfig({ root, file })
  const claimed = verifyEvidence(evidence, commands)
  return await withContext({ ...cli, root, mcpServers }, async (context) => {
    const runs = await runGates(commands, { run: 1, context })
    return redactTexts(compareRuns(claimed, { claim: evidence.gate_results, runs }), context.redactor.redact)
  })
}

/** Evidence of a file, or a sentence that says why it is none. */
type ReadEvidence =
  | { readonly ok: true; readonly evidence: GateResults }
  | { readonly ok: false; readonly reason: string }

/**
 * @param file absolute path
 * @throws MdtestError `OPTION_EVIDENCE` where it cannot be read
 */
async function readEvidence(file: string): Promise<ReadEvidence> {
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
