import { createBlockServices, type StartedService } from '../../src/blocks/service/block-services.ts'
import { Captures } from '../../src/blocks/captures.ts'
import { runBlock, type BlockContext, runBlocks } from '../../src/blocks/run-blocks.ts'
import { shellEnvironment } from '../../src/blocks/shell/shell-environment.ts'
import type { Shell } from '../../src/system/shell/open-shell.ts'
import type { BlockOutcome } from '../../src/records/block-outcome.ts'
import { useShells } from '../support/use-shells.ts'
import type { Block, BlockAttributes, ExpectedOutput, TranscriptCommand } from '../../src/spec/spec.ts'

/** A scenario's shell in a folder of its own. */
interface Blocks {
  readonly cwd: string
  readonly shell: Shell
  run(block: Block, timeoutMs?: number): Promise<BlockOutcome>
  runAll(blocks: readonly Block[], context?: Partial<BlockContext>): Promise<readonly BlockOutcome[]>
  /** What is known of a block that was started as a service. */
  serviceOf(block: Block): StartedService
}

/** Gives what opens shells, each of which is closed after its test. */
export function useBlocks(): (redact?: (text: string) => string) => Blocks {
  const openShell = useShells((cwd, tempDir) =>
    shellEnvironment({ env: process.env, specDir: cwd, root: cwd, tempDir, required: [], extra: {} }),
  )
  return (redact = (text) => text) => {
    const { shell, cwd } = openShell()
    const services = createBlockServices((text) => text.replaceAll('s3cret', '***'))
    const { signal } = new AbortController()
    const captures = new Captures()
    const context: BlockContext = {
      ...{ shell, services, signal, cwd, captures, redact },
      ...{ timeoutMs: 15_000, afterFailure: 'stop', withheld: new Set() },
    }
    return {
      cwd,
      shell,
      run: (block, timeoutMs = 15_000) => runBlock(block, { ...context, timeoutMs }),
      runAll: (blocks, other) => runBlocks(blocks, { ...context, ...other }),
      serviceOf(block) {
        const found = services.find(block)
        if (found === undefined) throw new TypeError('no service')
        return found
      },
    }
  }
}

/** Of a `verify` block. */
export const place = { line: 10, column: 1, codeLine: 11, role: 'verify' } as const

/** The transcript as the parser would give it, starting at line 11. */
export function transcript(code: string, attributes: Partial<BlockAttributes> = {}): Block {
  const commands: TranscriptCommand[] = []
  for (const [index, line] of code.split('\n').entries()) {
    const last = commands.at(-1)
    if (line.startsWith('$ ')) commands.push({ command: line.slice(2), line: 11 + index, expected: [], exitCode: 0 })
    else if (last === undefined) throw new TypeError(`no command: ${line}`)
    else if (line.startsWith('> ')) commands.splice(-1, 1, { ...last, command: `${last.command}\n${line.slice(2)}` })
    else if (/^\[\d+\]$/.test(line)) commands.splice(-1, 1, { ...last, exitCode: Number(line.slice(1, -1)) })
    else commands.splice(-1, 1, { ...last, expected: [...last.expected, line] })
  }
  return { ...place, kind: 'console', code, commands, attributes: { env: {}, ...attributes } }
}

/** A script on line 10 with expected output from line 20. */
export function script(
  code: string,
  attributes: Partial<BlockAttributes> = {},
  expected: readonly Partial<ExpectedOutput>[] = [],
): Block {
  const fences = expected.map((fence) => ({ stream: 'output' as const, text: '', line: 20, ...fence }))
  return { ...place, kind: 'script', code, expected: fences, attributes: { env: {}, ...attributes } }
}
