import { unixLines } from '../expected-output/output-lines.ts'
import type { Block } from '../../spec/spec.ts'
import { isStrict } from '../shell/failed-line.ts'
import type { BlockFinding, BlockRun } from '../block-finding.ts'

type ScriptBlock = Extract<Block, { kind: 'script' }>

/** Starts a `background` block; passes as soon as it runs. */
export async function runService(block: ScriptBlock, run: BlockRun): Promise<BlockFinding> {
  const { shell, services, cwd, env } = run
  const service = await shell.startService(unixLines(block.code), { cwd, env, isStrict: isStrict(block) })
  if (typeof service === 'string') {
    return { status: 'fail', message: `The service could not be started. ${run.redact(service)}` }
  }
  services.add(block, service)
  return { status: 'pass', message: '' }
}
