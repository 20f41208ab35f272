import { cp, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { createProject, type Project } from '../support/create-project.ts'

const example = fileURLToPath(new URL('../../examples/openspec', import.meta.url))
const program = fileURLToPath(new URL('../../node_modules/@fission-ai/openspec/bin/openspec.js', import.meta.url))

/** The example in a folder of its own. */
async function checkOut(): Promise<Project> {
  const project = await createProject({})
  await cp(example, project.dir, { recursive: true, filter: (path) => !path.endsWith('.logs') })
  return project
}

/** Runs OpenSpec's own command, which tells nobody of it. */
async function openspec({ dir, path }: Project, args: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: path('home'), OPENSPEC_TELEMETRY: '0', DO_NOT_TRACK: '1', NO_COLOR: '1' }
  const { stdout } = await execa(process.execPath, [program, ...args], { cwd: dir, env, extendEnv: false })
  return stdout
}

async function list({ mdtest }: Project, ...args: readonly string[]): Promise<readonly string[]> {
  const { stdout, stderr } = await mdtest(['list', '--json', ...args])
  expect(stderr).toBe('')
  const specs = JSON.parse(stdout) as readonly Listed[] // of the list
  return specs.flatMap(({ scenarios }) =>
    scenarios.map(({ title, change }) => `${title}${change ? `, ${change}` : ''}`),
  )
}

interface Listed {
  readonly scenarios: readonly { readonly title: string; readonly change?: string }[]
}

test('OpenSpec takes the specs and the change of examples/openspec', async () => {
  await using project = await checkOut()
  const { items } = JSON.parse(await openspec(project, ['validate', '--all', '--strict', '--json'])) as {
    readonly items: readonly { readonly id: string; readonly valid: boolean }[]
  } // of OpenSpec
  expect(items.map(({ id, valid }) => `${id} ${valid}`).toSorted()).toEqual([
    'add-discounts true',
    'cart true',
    'prices true',
  ])
})

test('what is archived is expected to pass', async () => {
  await using project = await checkOut()
  expect((await list(project, '--change', 'add-discounts')).map((line) => line.split(', ')[1])).toEqual(
    Array.from({ length: 5 }, () => 'add-discounts'),
  )
  await openspec(project, ['archive', 'add-discounts', '--yes'])
  expect((await readdir(project.path('openspec/changes'))).toSorted()).toEqual(['archive'])
  const scenarios = await list(project, 'openspec')
  expect(scenarios).toHaveLength(12)
  expect(scenarios).toContain('New discount')
  expect(scenarios).toContain('Total with a discount')
  expect(scenarios.filter((line) => line.includes('add-discounts'))).toEqual([])
})
