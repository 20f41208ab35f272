import { agentEnvironment } from '../../agents/agent-environment.ts'
import { serveRunTest } from './serve.ts'
import { openRedactor } from '../../system/redaction/open-redactor.ts'
import type { CommandEnding } from '../common/exit-code.ts'
import type { Surroundings } from '../common/surroundings.ts'
import { withLiveTrees } from '../common/with-live-trees.ts'
import { findRepository } from '../common/find-repository.ts'
import { mcpHelp, parseMcpFlags } from './flags.ts'

/**
 * `mdtest mcp`: serves the tool `run_test` until the client closes standard input.
 * @throws {SetUpError} for wrong use, or where there is no repository.
 */
export async function mcp(args: readonly string[], surroundings: Surroundings): Promise<CommandEnding> {
  const { cwd, env, stdin, stdout, signal } = surroundings
  const flags = parseMcpFlags(args)
  if (flags.help) {
    stdout.write(mcpHelp)
    return { command: 'mcp', end: 'done' }
  }
  const root = await findRepository(flags.root, cwd)
  await withLiveTrees(async ({ trees, runMark }) => {
    // It is needed with the first call, and takes a while.
    trees.launcher().catch(() => undefined) // whoever needs it hears what went wrong
    const { redactor } = openRedactor({ envs: [env], names: [] })
    const own = { root, trees, runMark, redactor, signal, isQueued: flags.isQueued, keepReports: flags.keepReports }
    await serveRunTest({ stdin, stdout }, { ...own, env: agentEnvironment(env), now: () => new Date() })
  })
  return isSignal(signal.reason)
    ? { command: 'any', end: 'interrupted', signal: signal.reason }
    : { command: 'mcp', end: 'done' }
}

function isSignal(reason: unknown): reason is 'SIGINT' | 'SIGTERM' {
  return reason === 'SIGINT' || reason === 'SIGTERM'
}
