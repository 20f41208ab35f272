import { dialectOf } from '../../src/plan/dialect-of.ts'
import { parseSpec } from '../../src/spec/parse-spec.ts'
import { keysOf } from '../../src/spec/recording/step-keys.ts'
import { stepsOf } from '../../src/spec/spec.ts'

interface HandRecording {
  /** Path of the spec in the root. Default: `spec.test.md`. */
  readonly name?: string
  /** Blocks of a step, by its title. */
  readonly bodies: Readonly<Record<string, string>>
  /** Texts of included files, by name. */
  readonly included?: Readonly<Record<string, string>>
  /** What stands behind all steps. */
  readonly more?: string
}

/** The recording of a spec that lies in the root, written by hand: with keys of its steps as they are. */
export function recordByHand(
  spec: string,
  { name = 'spec.test.md', bodies, included = {}, more = '' }: HandRecording,
): string {
  const file = `/project/${name}`
  const textOf = (path: string): string => (path === file ? spec : (included[path.slice('/project/'.length)] ?? ''))
  const parsed = parseSpec(spec, {
    file,
    agentDefault: 'claude',
    readIncluded: (path) => Buffer.from(textOf(path)),
    dialectOf: (path) => dialectOf(path, { root: '/project', dialects: {} }),
  })
  if (parsed.problems.length > 0) throw new Error(JSON.stringify(parsed.problems))
  const sections = parsed.spec.scenarios.flatMap((scenario) => {
    const keys = keysOf(parsed.spec, scenario, (path) => textOf(path).replace(/\r\n/g, '\n'))
    const steps = stepsOf(scenario).flatMap(({ id, title }) => {
      const body = bodies[title]
      const marks = scenario.hasDescribe ? '##' : '#'
      return body === undefined ? [] : [`${marks} ${title}\n\n<!-- mdtest: key=${keys.get(id)} -->\n\n${body}\n`]
    })
    return [...(scenario.hasDescribe ? [`# ${scenario.title}\n`] : []), ...steps]
  })
  return [...sections, more].join('\n')
}

/** A transcript as a block. */
export function transcript(...lines: readonly string[]): string {
  return `\`\`\`console\n${lines.join('\n')}\n\`\`\``
}
