import { hostname } from 'node:os'
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { cited, recordCalls } from '../../e2e/recorder/record-calls.ts'
import { useScenario } from '../../scenario/use-scenario.ts'

const openScenario = useScenario()
const spec = '---\ncwd: copy\n---\n\n# Shop\n\n## Show\n\nShow it to ann.\n'

/** Prints what it is told, as a program does that asks the machine. */
const product = `import { hostname, release } from 'node:os'
console.log(process.argv[2] + ' for ' + process.env.USER + ' on ' + hostname() + ', 3 notes')
console.log(process.execPath + ' ' + process.version)
console.log('saved in ' + process.env.TMPDIR + '/' + Math.random().toString(36) + '/notes.txt')
console.log(process.platform + ' ' + process.arch + ', ' + release() + ', Node.js ' + process.versions.node)
console.log('routes: /api/notes')
`

it('expects nothing of the person and the machine that the next one has otherwise', async () => {
  const given = { spec, files: { 'show.mjs': product } }
  const show = `node show.mjs ${hostname()}`
  const quote = '3 notes'
  const recorded = await recordCalls(openScenario, { ...given, steps: [[cited('node show.mjs ann', quote)]] })
  expect(recorded.split('\n').slice(2, -1)).toEqual([
    String.raw`ann for \S+ on \S+, 3 notes (re)`,
    String.raw`\/.+\/${basename(process.execPath)} \S+ (re)`,
    String.raw`saved in \/[\w.\/@-]+\/notes\.txt (re)`,
    String.raw`\S+ \S+, \S+, Node\.js \S+ (re)`,
    'routes: /api/notes',
  ])
  // What was asked for is no accident of the machine.
  expect(await recordCalls(openScenario, { ...given, steps: [[cited(show, quote)]] })).toContain(`${hostname()} for `)
})
