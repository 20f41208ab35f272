// Started by a test in a network that has a loopback alone: an agent carries out a spec, and the names that anybody asks
// for are printed.
import { lookup } from 'node:dns/promises'
import { verdictsOf } from '../support/json-report.ts'
import { listenForNames } from '../support/loopback-only.ts'
import { reportSpec } from '../support/scripts/report-spec.ts'
import { rightProgram, spec } from './notes-project.ts'
import { acpAgents, createRealProject } from './real-project.ts'

const found = acpAgents.find(({ agent }) => agent === process.argv[2])
if (found === undefined) throw new Error(`There is no agent ${process.argv[2]}.`)
const { title: _title, agent, ...more } = found

const names: string[] = []
using _listening = await listenForNames(names)
// One query of ours shows that they are seen.
await lookup('control.example').catch(() => undefined)

await using real = await createRealProject({
  ...more,
  options: { agent, allow: ['Bash(node *)'] },
  script: reportSpec,
  files: { 'notes.mjs': rightProgram, 'right.test.md': spec },
})
// Without a proxy whoever wants to leave the machine asks for a name.
const env = Object.fromEntries(Object.entries(real.env).filter(([name]) => !/_proxy$/i.test(name)))
const { stdout } = await real.project.vitest(['run', '--reporter=json'], { env })
console.log(JSON.stringify({ verdicts: verdictsOf(stdout, 'right.test.md'), names, strays: real.model.strays }))
