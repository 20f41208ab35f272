import { relative } from 'node:path'
import { judgesWritten } from '../attempt/changes/judge-changes.ts'
import { writeEvidence } from './evidence/evidence-folder.ts'
import { isPlanned, writeExecutionLog } from './evidence/execution-log.ts'
import { fixGates, openGateCheckpoints, type Fixed } from './gates/fix-gates.ts'
import { formatGates, formatValidation } from './evidence/format-gates.ts'
import type { GateConfig } from '../project-config/gate-config.ts'
import type { GateContext } from './gates/gate-context.ts'
import type { CompleteResults } from './evidence/gate-results.ts'
import { readGateConfig } from '../project-config/read-gate-config.ts'
import { areGreen, runGates } from './gates/run-gates.ts'
import { toGateResults } from './evidence/to-gate-results.ts'
import { verifyEvidence } from './evidence/verify-evidence.ts'
import { plainJson } from '../../system/text/plain-text.ts'
import { redactTexts } from '../../system/redaction/redact-texts.ts'
import type { Surroundings } from '../common/surroundings.ts'
import type { Asked } from './asked.ts'
import { chooseFixer } from './choose-fixer.ts'
import type { GateFlags } from './flags.ts'
import { formatOutcome } from './format-outcome.ts'
import { warnOfUncommitted } from './warn-of-uncommitted.ts'
import { withContext } from './with-context.ts'

/** Runs the gates, has red ones fixed, and writes the evidence down. Whether they are green in the end. */
export async function run({ flags, root, file }: Asked, surroundings: Surroundings): Promise<boolean> {
  const config = await readGateConfig({ root, file })
  const fixer = chooseFixer(flags, { config, root, path: surroundings.env.PATH ?? '' })
  return await withContext({ ...surroundings, root, mcpServers: config.mcpServers }, async (context) => {
    const checkpoints = fixer === undefined ? undefined : await openGateCheckpoints(context)
    const watched = await checkpoints?.watch()
    const runs = await runGates(config.commands, { run: 1, context })
    const first = { runs, attempts: 1, fixAttempts: [] }
    // Should we be killed while an agent works, the evidence is there all the same.
    await write(first, context)
    const fixed =
      fixer === undefined || checkpoints === undefined || watched === undefined || areGreen(runs)
        ? first
        : await fixGates(runs, { config, fixer, context, checkpoints, ownWrites: judgesWritten(await watched()) })
    if (context.signal.aborted) return false
    const results = fixed === first ? await write(first, context) : await write(fixed, context)
    await tell({ fixed, results, config, context }, { flags, surroundings })
    await warnOfUncommitted(root, surroundings)
    return areGreen(fixed.runs)
  })
}

async function write(fixed: Fixed, { folder, ground, redactor }: GateContext): Promise<CompleteResults> {
  const results = redactTexts(toGateResults(fixed), redactor.redact)
  writeEvidence({ folder, ground }, { gate_results: results })
  return results
}

interface Told {
  readonly fixed: Fixed
  readonly results: CompleteResults
  readonly config: GateConfig
  readonly context: GateContext
}

async function tell(
  { fixed, results, config, context }: Told,
  { flags, surroundings }: { readonly flags: GateFlags; readonly surroundings: Surroundings },
): Promise<void> {
  const { gate_validation: validation } = verifyEvidence({ gate_results: results }, config.commands)
  if (flags.hasExecutionLog && (config.executionLog ?? isPlanned(context.root))) {
    writeExecutionLog(context.root, [...formatGates(results), formatValidation(validation)])
  }
  const evidence = { gate_results: results }
  surroundings.stdout.write(
    flags.json
      ? `${plainJson(JSON.stringify(evidence, undefined, 2))}\n`
      : formatOutcome({
          results,
          runs: fixed.runs,
          root: context.root,
          folder: relative(surroundings.cwd, context.folder),
        }),
  )
}
