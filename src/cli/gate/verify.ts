import { resolve } from 'node:path'
import { compareRuns } from '../../gate/compare-runs.ts'
import type { GateResults } from '../../gate/gate-results.ts'
import { readEvidence } from '../../gate/read-evidence.ts'
import { findGateConfig, readGateConfig } from '../../gate/read-gate-config.ts'
import { runGates } from '../../gate/run-gates.ts'
import { rejectFile, verifyEvidence, type Validation } from '../../gate/verify-evidence.ts'
import { plainJson } from '../../shared/plain-text.ts'
import { redactTexts } from '../../shared/redact-texts.ts'
import type { Surroundings } from '../surroundings.ts'
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
