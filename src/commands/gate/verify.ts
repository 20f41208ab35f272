import { resolve } from 'node:path'
import { compareRuns } from './gates/compare-runs.ts'
import type { GateResults } from './evidence/gate-results.ts'
import { readEvidence } from './evidence/read-evidence.ts'
import { findGateConfig, readGateConfig } from '../project-config/read-gate-config.ts'
import { runGates } from './gates/run-gates.ts'
import { rejectFile, verifyEvidence, type Validation } from './evidence/verify-evidence.ts'
import { plainJson } from '../../system/text/plain-text.ts'
import { redactTexts } from '../../system/redaction/redact-texts.ts'
import type { Surroundings } from '../common/surroundings.ts'
import type { Asked } from './asked.ts'
import { withContext } from './with-context.ts'

/** `mdtest gate --verify`: prints what evidence is worth. Whether it is accepted. */
export async function verify(asked: Asked, surroundings: Surroundings): Promise<boolean> {
  const { cwd, stdout, signal } = surroundings
  const read = await readEvidence(resolve(cwd, asked.flags.evidence))
  const validation = read.ok ? await judge(read.evidence, { asked, surroundings }) : rejectFile(read.reason)
  if (!signal.aborted) stdout.write(`${plainJson(JSON.stringify(validation, undefined, 2))}\n`)
  return validation.pass
}

interface Circumstances {
  readonly asked: Asked
  readonly surroundings: Surroundings
}

async function judge(evidence: GateResults, { asked, surroundings }: Circumstances): Promise<Validation> {
  const { flags, root, file } = asked
  if (!flags.isRerun) return verifyEvidence(evidence, (await findGateConfig({ root, file }))?.commands)
  const { commands, mcpServers } = await readGateConfig({ root, file })
  const claimed = verifyEvidence(evidence, commands)
  return await withContext({ ...surroundings, root, mcpServers }, async (context) => {
    const runs = await runGates(commands, { run: 1, context })
    return redactTexts(compareRuns(claimed, { claim: evidence.gate_results, runs }), context.redactor.redact)
  })
}
