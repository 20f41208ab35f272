import { findSandbox } from '../../src/hands/sandbox/bubblewrap.ts'
import { freePort } from '../support/free-port.ts'
import type { readJsonReport } from '../support/json-report.ts'
import { handsSpecs, shop, type HandsSpec } from './hands-specs.ts'

const { ok: isConfinable } = await findSandbox(process.env)

/** A product with its spec, and who executes it. */
export interface Run {
  readonly name: string
  readonly spec: HandsSpec
  readonly product: 'right' | 'broken'
  /** Front matter. */
  readonly hands: string
}

/** Each product right and broken, by the hands that are wanted: mdtest's in a sandbox or without. */
export async function listRuns(isWanted: (hands: 'mdtest' | 'own', index: number) => boolean): Promise<readonly Run[]> {
  const runs: Run[] = []
  for (const product of ['right', 'broken'] as const) {
    for (const kind of ['mdtest', 'own'] as const) {
      const specs = handsSpecs([await freePort(), await freePort()])
      for (const [index, spec] of specs.entries()) {
        if (!isWanted(kind, index)) continue
        const sandbox = isConfinable && index % 2 === 0 ? 'require' : 'off'
        const hands = kind === 'own' ? 'agent' : `{ mode: mdtest, sandbox: ${sandbox} }`
        runs.push({ name: `${spec.name}-${product}-${kind}`, spec, product, hands })
      }
    }
  }
  return runs
}

/** Files of the project in which they all run. */
export function filesOfRuns(runs: readonly Run[]): Record<string, string> {
  return Object.assign({}, shop, ...runs.map(filesOf)) as Record<string, string> // `assign` of many is `any`
}

function filesOf({ name, spec, product, hands }: Run): Readonly<Record<string, string>> {
  const { files, allow, front = '', body, bug } = spec
  const head = `cwd: specs/${name}\nallow: ['${allow}']\nhands: ${hands}\n${front}`
  const { [bug.file]: text = '' } = files
  if (!text.includes(bug.from)) throw new Error(`${bug.file} has no ${bug.from}`)
  const made = product === 'right' ? files : { ...files, [bug.file]: text.replace(bug.from, () => bug.to) }
  return Object.fromEntries(
    Object.entries({ ...made, [`${name}.test.md`]: `---\n${head}\n---\n\n${body}` }).map(([file, content]) => [
      `specs/${name}/${file}`,
      content,
    ]),
  )
}

/** Of each run, what became of its steps, and what should have. */
export function compareVerdicts(
  runs: readonly Run[],
  report: ReturnType<typeof readJsonReport>,
): { readonly found: readonly string[]; readonly wanted: readonly string[] } {
  return {
    found: runs.map(({ name }) => `${name}: ${(report[`${name}.test.md`] ?? []).map(shortened).join(', ')}`),
    wanted: runs.map(
      ({ name, product, spec: { broken } }) =>
        `${name}: ${(product === 'right' ? broken.map(() => 'pass') : broken).join(', ')}`,
    ),
  }
}

function shortened({
  outcome,
  codes,
}: {
  readonly outcome: string | undefined
  readonly codes: readonly string[]
}): string {
  return [outcome, ...codes.slice(0, 1)].join(' ')
}
