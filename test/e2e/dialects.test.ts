import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Finished } from '../support/create-project.ts'
import { projectOfDocuments, readDocument, type DocumentProject } from '../support/dialect-specs.ts'
import { readTestFiles } from '../support/json-report.ts'

const notes = await readDocument('openspec-document')
const feature = await readDocument('gherkin-document', 'spec.feature')
const kit = await readDocument('spec-kit-document')
const [notesFile, featureFile, kitFile] = [
  'openspec/specs/notes/spec.md',
  'features/cart.feature',
  'specs/001-notes/spec.md',
] as const // names
const rule = 'Only adults buy wine'
const story = 'User Story 1 - Keep notes > the command runs with add milk'
/** What is said of a scenario: its name, its line, and how it ends. */
const expected = {
  [notesFile]: [
    ['Keep Notes > First note', 15, 'passed'],
    ['Keep Notes > Equal notes', 24, 'passed'],
    ['Tick Off > Equal notes', 41, 'passed'],
  ],
  [featureFile]: [
    ['Add a mug', 11, 'passed'],
    ['Pay later', 22, 'todo'],
    [`${rule} > Buy at <age> > Buy at 18`, 37, 'passed'],
    [`${rule} > Buy at <age> > Buy at 99`, 38, 'passed'],
    [`${rule} > Buy at <age> > Buy at 17`, 42, 'failed'],
    [`${rule} > Buy beer > dark`, 51, 'passed'],
    [`${rule} > Buy beer > ""`, 52, 'passed'],
  ],
  [kitFile]: [
    [story, 25, 'passed'],
    [`${story} (FR-002)`, 26, 'passed'],
    ['User Story 2 - Tick off > the command runs with done 1', 45, 'failed'],
  ],
}

const files = {
  [notesFile]: notes,
  'openspec/project.md': '# Project\n\nNothing to test.\n',
  [featureFile]: feature,
  'features/step_definitions/cart.js': 'throw new Error("is not for mdtest")\n',
  // How the product is run, also for an outline by its title.
  'features/mdtest.context.md': [
    '---\nenv: { WORD: hello }\n---\n\nBegin with `node shop.mjs`.\n',
    '## Setup\n\n```sh run\necho setup >> trace\n```\n',
    '## Scenario: Buy at <age>\n\n```sh verify\necho "$WORD" >> trace\n```\n',
  ].join('\n'),
  [kitFile]: kit,
  'specs/001-notes/plan.md': '# Plan\n\nNothing to test.\n',
  'specs/mdtest.context.md': '## Scenario: the command runs with `done 1`\n\n```sh verify\nexit 1\n```\n',
}
const paths = ['openspec', 'features', 'specs']

let opened: DocumentProject
let run: Finished
beforeAll(async () => {
  opened = await projectOfDocuments(files)
  run = await opened.run('run', ...paths, '--reporter=json', '--agent', 'claude')
})
afterAll(() => opened[Symbol.asyncDispose]())

/** Tests by path of their spec. */
function testsIn({ stdout }: Finished) {
  return Object.fromEntries(
    readTestFiles(stdout).map(({ file, tests }) => [file.slice(opened.project.dir.length + 1), tests]),
  )
}

test.for(Object.entries(expected))(
  '%s runs from its folder without a configuration, and stays as it is',
  async ([name, tests]) => {
    expect(
      testsIn(run)[name]?.map((one) => [one.name, one.line, one.status]),
      run.all,
    ).toEqual(tests)
    expect(await opened.project.read(name)).toBe(Object.entries(files).find(([file]) => file === name)?.[1])
  },
)

test('nothing else in these folders is a spec, and a file beside them says how the product is run', async () => {
  expect(Object.keys(testsIn(run)).toSorted()).toEqual(Object.keys(expected).toSorted())
  const trace = (await opened.project.read('trace')).trim().split('\n')
  expect(trace.filter((line) => line === 'setup')).toHaveLength(6)
  expect(trace.filter((line) => line === 'hello')).toHaveLength(2)
  expect(await opened.project.read('prompts')).toMatch(/^Included: .*features\/mdtest\.context\.md$/m)
  expect(testsIn(run)[kitFile]?.map(({ codes }) => codes.join())).toEqual(['', '', 'VERIFY_FAILED'])
})

test('they are listed with their checks and tags', async () => {
  const { stdout, stderr } = await opened.run('list', ...paths)
  expect(stdout, stderr).toContain(`${notesFile} agent auto`)
  expect(stdout).toContain('First note [agent] 2 checks :15')
  expect(stdout).toContain('the command runs with add milk [agent] 1 check, tags p1 :25')
})

test('a line is one scenario of a document, a row or an outline of a feature', async () => {
  await opened.project.write('prompts', '')
  const lines = [`${notesFile}:26`, `${featureFile}:38`, `${featureFile}:45`, `${kitFile}:28`]
  const passed = testsIn(await opened.run('run', '--reporter=json', ...lines))
  const names = Object.values(passed).flatMap((tests) =>
    tests.flatMap(({ name, status }) => (status === 'passed' ? [name] : [])),
  )
  expect(names.toSorted()).toEqual([
    'Keep Notes > Equal notes',
    `${rule} > Buy at <age> > Buy at 99`,
    `${rule} > Buy beer > ""`,
    `${rule} > Buy beer > dark`,
    `${story} (FR-002)`,
  ])
  const prompts = await opened.project.read('prompts')
  expect(prompts).toContain('  - check 2: it is cold')
  expect(prompts).toContain('- 1-buy-at-99: Buy at <age>, with age = "99", answer = "Thanks" (1 check)')
  expect(prompts).toContain('"Buy at <age>: Buy at 99" (lines 6-7, 27-28, 30-32, 35-36, 38).')
})

test('Vitest runs those that the option `dialects` names, and what their tools reject is told with its line', async () => {
  const dialects = `{ gherkin: ['**/*.feature'], openspec: ['openspec/**/spec.md'], 'spec-kit': ['specs/*/spec.md'] }`
  await using faulty = await projectOfDocuments({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: 'claude', executor: 'agent', minAssurance: 'claimed', dialects: ${dialects} })] }\n`,
    'specs/001-notes/spec.md': kit,
    'specs/002-open/spec.md': kit.replace('prints `1 note`', 'prints [NEEDS CLARIFICATION: what?]'),
    'openspec/specs/notes/spec.md': await readDocument('openspec-faults'),
    'features/cart.feature': feature.replace('Then the cart shows', 'Thn the cart shows'),
  })
  const { all, exitCode } = await faulty.vitest('run')
  expect(all).toMatch(/specs\/002-open\/spec\.md:25:\d+ {2}spec-kit-clarification {2}/)
  expect(all).toMatch(/openspec\/specs\/notes\/spec\.md:27:1 {2}openspec-requirement {2}The requirement "Keep Notes"/)
  expect(all).toMatch(
    /features\/cart\.feature:13:5 {2}gherkin-syntax {2}Cucumber cannot read this: expected: .*, got 'Thn the cart/,
  )
  expect(all).toMatch(/Tests {2}3 passed/)
  expect(exitCode).toBe(1)
})
