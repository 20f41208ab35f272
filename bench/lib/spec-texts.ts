/** Number of steps in each spec, and of tests in the compared `.test.ts` file */
export const stepsPerSpec = 4

const ordinals = ordinalsTo(stepsPerSpec)

/** A spec in which each step spawns one process. */
export function specText(title: string): string {
  const steps = ordinals.map((n) => `## Step ${n}\n\n\`\`\`sh run\nsh -c true\n\`\`\`\n`)
  return `---\nagent: none\n---\n\n# ${title}\n\n${steps.join('\n')}`
}

/** A plain test file that does the same as `specText`. */
export function testText(title: string): string {
  const tests = ordinals.map((n) => `  test('Step ${n}', async () => {\n    await run('sh', ['-c', 'true'])\n  })\n`)
  return `import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, test } from 'vitest'

const run = promisify(execFile)

describe('${title}', () => {
${tests.join('\n')}})
`
}

/** A spec whose steps do nothing. */
export function idleSpecText(title: string, steps: number): string {
  const sections = ordinalsTo(steps).map((n) => `## Step ${n}\n\n\`\`\`sh\n:\n\`\`\`\n`)
  return `---\nagent: none\n---\n\n# ${title}\n\n${sections.join('\n')}`
}

/** A plain test file whose tests do nothing. */
export function idleTestText(title: string, steps: number): string {
  const tests = ordinalsTo(steps).map((n) => `  test('Step ${n}', async () => {})\n`)
  return `import { describe, test } from 'vitest'\n\ndescribe('${title}', () => {\n${tests.join('\n')}})\n`
}

/** @param make returns name and text of the file with number `n`, counted from 1 */
export function files(count: number, make: (n: number) => [name: string, text: string]): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => make(index + 1)))
}

function ordinalsTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}
