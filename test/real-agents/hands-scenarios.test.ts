import { describe, expect, test } from 'vitest'
import { findSandbox } from '../../src/hands/sandbox/bubblewrap.ts'
import { freePort } from '../support/free-port.ts'
import { readJsonReport } from '../support/json-report.ts'
import { reportSpec } from '../support/scripts/report-spec.ts'
import { handsSpecs, shop, type HandsSpec } from './hands-specs.ts'
import { acpAgents, claude, codex, codexCodeMode, createRealProject, skipReason } from './real-project.ts'

const { ok: isConfinable } = await findSandbox(process.env)

interface Run {
  readonly name: string
  readonly spec: HandsSpec
  readonly product: 'right' | 'broken'
  /** Front matter. */
  readonly hands: string
}

/** Who acts, and the number of the product. */
type Wanted = (hands: 'mdtest' | 'own', index: number) => boolean

/**
 * All products by mdtest's hands, in a sandbox or without. By its own hands Claude Code and codex each try a third of them,
 * and Claude Code the shops: codex lets its own commands reach no server.
 */
const lanes = [claude, codex, codexCodeMode].map((agent, lane) => ({
  ...agent,
  isWanted: (hands: 'mdtest' | 'own', index: number) => hands === 'mdtest' || index % 3 === lane,
}))

/** All products by its own hands, and half of them by mdtest's: only in a sandbox it has no tools of its own. */
const acpLanes = acpAgents.map((agent) => ({
  ...agent,
  isWanted: (hands: 'mdtest' | 'own', index: number) => hands === 'own' || (isConfinable && index % 2 === 0),
}))

/** Each product right and broken. */
async function listRuns(isWanted: Wanted): Promise<readonly Run[]> {
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

describe.skipIf(skipReason !== '')(`ten products with hands of mdtest's and of its own${skipReason}`, () => {
  test.each([...lanes, ...acpLanes])(
    'get the right verdicts by $title',
    { timeout: 300_000 },
    async ({ isWanted, agent, title: _title, ...setup }) => {
      const runs = await listRuns(isWanted)
      const files = Object.assign({}, shop, ...runs.map(filesOf)) as Record<string, string> // `assign` of many is `any`
      await using real = await createRealProject({ ...setup, script: reportSpec, options: { agent }, files })
      const { stdout } = await real.project.vitest(['run', '--reporter=json'], { env: real.env, timeoutMs: 280_000 })
      const report = readJsonReport(stdout)
      const found = runs.map(({ name }) => `${name}: ${(report[`${name}.test.md`] ?? []).map(shortened).join(', ')}`)
      const wanted = runs.map(
        ({ name, product, spec: { broken } }) =>
          `${name}: ${(product === 'right' ? broken.map(() => 'pass') : broken).join(', ')}`,
      )
      expect(found).toEqual(wanted)
      const backed = runs
        .filter(({ hands, product }) => hands !== 'agent' && product === 'right')
        .flatMap(({ name }) => report[`${name}.test.md`]?.map(({ assurance }) => assurance) ?? [])
      expect(new Set(backed)).toEqual(new Set(['verified', 'witnessed', 'observed']))
      const turnsOf = (name: string): number =>
        real.model.conversations.filter(({ prompt, isSideRequest }) => !isSideRequest && prompt.includes(`/${name}/`))
          .length
      const turns = runs
        .filter(
          ({ hands, name }) => hands === 'agent' && runs.some((run) => run.name === name.replace(/own$/, 'mdtest')),
        )
        .map(({ name }) => ({ name, own: turnsOf(name), byMdtest: turnsOf(name.replace(/own$/, 'mdtest')) }))
      expect(turns.length).toBeGreaterThan(2)
      expect(turns.filter(({ own, byMdtest }) => byMdtest === 0 || byMdtest > own)).toEqual([])
      expect(await real.leftovers()).toEqual([])
    },
  )
})

function shortened({
  outcome,
  codes,
}: {
  readonly outcome: string | undefined
  readonly codes: readonly string[]
}): string {
  return [outcome, ...codes.slice(0, 1)].join(' ')
}
