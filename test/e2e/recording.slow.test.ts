import { join } from 'node:path'
import { expect, test } from 'vitest'
import { followLinks } from '../support/follow-links.ts'
import { lane } from '../support/lane.ts'
import { browserUnavailable } from '../support/open-browser.ts'
import { recordingsIn } from '../support/session-recordings.ts'
import { projectWithInterface } from '../support/scripted-interface.ts'
import { findSecret } from '../support/secret-forms.ts'
import { openUserTerminal } from '../support/user-terminal.ts'

const secret = 's3cret-value-42'
const spec = (name: string): string => `# ${name}\n\n## Add a mug\n\nPut a mug into the cart.\n`
const dropped = 'its screen showed a secret in pieces'

test('a session in a terminal is recorded and linked, or dropped where a secret was drawn in pieces', async () => {
  const { project, env } = await projectWithInterface({ 'a.test.md': spec('A'), 'b.test.md': spec('B') })
  await using _project = project
  await project.write('paint', `\u001b[4;1Hwhole ${secret}`)
  const flags = 'run -i --reporter=./meta.mjs --report'
  await project.write('meta.mjs', reporter)
  const line = `${lane.node} node_modules/vitest-mdtest/dist/bin.js ${flags}; echo "code $?"`
  const terminal = openUserTerminal(line, { cwd: project.dir, env: { ...env, API_KEY: secret } })
  await terminal.shows('ready')
  terminal.type('paint\rforge\rpass\r')
  await terminal.shows(/B \(spec 2 of 2\)[^]*ready/)
  await project.write('paint', [...secret].map((letter, index) => `\u001b[4;${index + 1}H${letter}`).join(''))
  terminal.type('paint\rpass\r')
  await terminal.ended
  expect(terminal.output).toContain(`mdtest: the recording of it is dropped: ${dropped}`)
  expect(terminal.output).toContain('code 0')

  const [name = ''] = await recordingsIn(project, 'a.logs')
  expect([await recordingsIn(project, 'a.logs'), await recordingsIn(project, 'b.logs')]).toEqual([[name], []])
  const [header = '', ...events] = (await project.read(join('a.logs', name))).trimEnd().split('\n')
  expect(JSON.parse(header)).toMatchObject({ version: 2, width: 100, height: 30, title: 'a.test.md > A' })
  const shown = events.flatMap((event) => (JSON.parse(event) as [number, string, string])[2]).join('')
  expect(shown).toMatch(/ready[^]*whole \*\*\*API_KEY\*\*\*/)
  expect(await findSecret(secret, { folder: project.dir, except: ['paint'] })).toEqual([])

  expect(JSON.parse(await project.read('meta.json'))).toEqual([
    [{ file: `a.logs/${name}` }, `a.logs/${name}`],
    [{ dropped }, `dropped: ${dropped}`],
  ])
  if (browserUnavailable === undefined) {
    const { links, broken } = await followLinks(project.path('mdtest-report'))
    expect(broken).toEqual([])
    const usual = ['result log', 'journal', 'agent output']
    expect(links).toEqual({ 'A > run': [...usual, 'recording'], 'B > run': usual })
  }
  const kept = await project.mdtest(['show', 'a.test.md', 'b.test.md'])
  expect(kept.stdout).toContain(`recording   a.logs/${name}`)
  expect(kept.stdout).toContain(`\n  recording dropped: ${dropped}\n`)
  const json = await project.mdtest(['show', '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject([
    { verdict: { recording: { file: name } }, files: { cast: project.path(`a.logs/${name}`) } },
    { verdict: { recording: { dropped } } },
  ])
})

/** Writes down what reporters are told of recordings. */
const reporter = `import { writeFileSync } from 'node:fs'
export default class {
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const told = tests.map((test) => [
      test.meta().mdtest.recording,
      test.annotations().find(({ type }) => type === 'mdtest:recording')?.message,
    ])
    writeFileSync('meta.json', JSON.stringify(told))
  }
}
`
