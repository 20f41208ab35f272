import { execFileSync } from 'node:child_process'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'

export default {
  does: 'Fills caches, touches sources, asks git, and leaves notes of its own.',
  as: 'command',
  spec: '# Notes\n\n## Add a note\n\nAdd milk.\n\n```console verify\n$ node notes.mjs list\n1 [ ] milk\n```\n',
  act({ writeLog, passed }) {
    for (const folder of ['../../node_modules/.cache/tool', '../../node_modules/.vite/x', '.cache', 'tmp']) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(`${folder}/entry`, String(Date.now()))
    }
    utimesSync('notes.mjs', new Date(), new Date())
    execFileSync('git', ['status'])
    execFileSync('git', ['add', 'tmp'])
    writeFileSync('plan.md', '# What I do\n')
    execFileSync(process.execPath, ['notes.mjs', 'add', 'milk'])
    writeLog({ status: 'pass', steps: passed })
  },
}
