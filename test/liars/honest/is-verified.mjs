import { execFileSync } from 'node:child_process'

export default {
  does: 'Shows nothing of what it does; a `verify` block confirms it.',
  as: 'command',
  spec: '# Notes\n\n## Add a note\n\nAdd milk.\n\n```console verify\n$ node notes.mjs list\n1 [ ] milk\n```\n',
  act({ writeLog, passed }) {
    execFileSync(process.execPath, ['notes.mjs', 'add', 'milk'])
    writeLog({ status: 'pass', steps: passed })
  },
}
