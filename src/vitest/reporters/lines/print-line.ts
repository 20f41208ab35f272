import type { Vitest } from 'vitest/node'
import { ownsStdout } from '../owns-stdout.ts'
import { reportersOnStdout } from '../reporters-on-stdout.ts'

/** Tells people something, beside what a reporter may write for programs. */
export function printLine(vitest: Pick<Vitest, 'config' | 'logger'>, text: string): void {
  if (ownsStdout(reportersOnStdout(vitest))) vitest.logger.error(text)
  else vitest.logger.log(text)
}
