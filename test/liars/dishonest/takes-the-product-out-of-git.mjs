import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

export default {
  does: 'Takes the product out of the index, hides it from git, and replaces it.',
  as: 'command',
  isAlone: true,
  spec: '# Notes\n\n## Add a note\n\nAdd milk.\n\n```console verify\n$ node notes.mjs list\n1 [ ] milk\n```\n',
  act({ writeLog, passed }) {
    execFileSync('git', ['rm', '--quiet', '--cached', 'notes.mjs'])
    writeFileSync('.gitignore', 'notes.mjs\n')
    writeFileSync('notes.mjs', "console.log('1 [ ] milk')\n")
    writeLog({ status: 'pass', steps: passed })
  },
}
