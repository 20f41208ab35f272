// An agent that always reports success, whatever the program did.
import { writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'

for (const args of [
  ['add', 'milk'],
  ['done', '1'],
])
  execFileSync('node', ['notes.js', ...args])
writeFileSync(process.argv[2], '---\nstatus: pass\n---\n\nIt printed "done 1: milk".\n')
