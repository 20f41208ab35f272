import { importCompiled } from './import-compiled.ts'
import { commands, transcript } from './dialects.ts'

const { parseSpec } = await importCompiled<typeof import('../../src/spec/parse-spec.ts')>('spec/parse-spec')
const { keysOf } =
  await importCompiled<typeof import('../../src/spec/recording/step-keys.ts')>('spec/recording/step-keys')
const { formatRecording } = await importCompiled<typeof import('../../src/spec/recording/format-recording.ts')>(
  'spec/recording/format-recording',
)

const block = `\`\`\`console\n${transcript()}\n\`\`\`\n`

/** Number of commands in each step */
export const commandsPerStep = commands.length

/** A spec whose steps are prose, so that each step needs an agent or a recording. */
export function proseSpec(title: string, steps: number): string {
  return specWith(title, steps, { agent: 'claude', body: '' })
}

/** The same spec with the commands as blocks, which need no agent. */
export function blockSpec(title: string, steps: number): string {
  return specWith(title, steps, { agent: 'none', body: `\n${block}` })
}

/** The recording for a spec of `proseSpec`, with which no agent is needed. */
export function recordingOf(source: string): string {
  const file = '/recorded.test.md'
  const { spec } = parseSpec(source, { file })
  const scenarios = spec.scenarios.map((scenario) => {
    const steps = [...keysOf(spec, scenario, () => source).values()].map((key, index) => {
      return { title: `Step ${index + 1}`, key, by: 'claude 2', on: '2026-01-01', body: block.trimEnd() }
    })
    return { title: scenario.title, isStep: false, steps }
  })
  return formatRecording(file, scenarios)
}

/** All commands of such a spec as a bash script. */
export function scriptOf(steps: number): string {
  const lines = commands.map(({ command }) => command).join('\n')
  return `${Array.from({ length: steps }, () => lines).join('\n')}\nexit 0\n`
}

interface SpecParts {
  readonly agent: string
  /** Markdown below the prose of each step */
  readonly body: string
}

function specWith(title: string, steps: number, { agent, body }: SpecParts): string {
  const sections = Array.from({ length: steps }, (_, index) => {
    return `## Step ${index + 1}\n\nGreet, write a list of two lines, look at it, remove it.\n${body}`
  })
  return `---\nagent: ${agent}\ncwd: temp\n---\n\n# ${title}\n\n${sections.join('\n')}`
}
