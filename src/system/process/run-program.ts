import type { Result } from 'execa'
import { messageOf } from '../error-facts.ts'
import { describeEnd, describeExit } from '../text/wording.ts'

export interface ProgramCall {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin?: string | Uint8Array
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export interface ProgramAnswer {
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly failure?: { readonly message: string; readonly cause?: unknown }
}

/** A failure of the program is returned, not thrown. @throws TypeError if an argument contains a NUL byte */
export async function runProgram(
  [file, ...args]: readonly [string, ...string[]],
  { cwd, env, stdin, timeoutMs, signal }: ProgramCall,
): Promise<ProgramAnswer> {
  // Loaded here because most processes of mdtest never call this function.
  const { execa } = await import('execa')
  const result = await execa(file, args, {
    cwd,
    env,
    extendEnv: false,
    ...(stdin === undefined ? { stdin: 'ignore' } : { input: stdin }),
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
    ...(signal !== undefined && { cancelSignal: signal }),
    encoding: 'buffer',
    maxBuffer: Infinity,
    stripFinalNewline: false,
    // Without this, execa listens to the signals of this process.
    cleanup: false,
    // Without this, execa prints each call if the user has set NODE_DEBUG.
    verbose: 'none',
    reject: false,
  })
  const failure = result.failed ? { message: describeFailure(result), cause: result.cause } : undefined
  return { stdout: asBuffer(result.stdout), stderr: asBuffer(result.stderr), ...(failure && { failure }) }
}

function describeFailure({ exitCode, signal, cause }: Pick<Result, 'exitCode' | 'signal' | 'cause'>): string {
  if (exitCode !== undefined) return `it ${describeExit(exitCode)}`
  return signal === undefined ? messageOf(cause) : `it ${describeEnd({ reason: 'signal', signal })}`
}

function asBuffer(bytes: Uint8Array | undefined): Buffer {
  return bytes === undefined ? Buffer.alloc(0) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
