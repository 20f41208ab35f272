import { execFileSync } from 'node:child_process'

export default {
  does: 'Is confirmed by a script with conditions, of which some are false.',
  as: 'command',
  spec: '# Notes\n\n## Add a note\n\nAdd milk.\n\n```sh verify\ngrep -q eggs notes.json && exit 1\n! grep -q bread notes.json\nif grep -q tea notes.json; then exit 1; fi\nnode notes.mjs list | grep milk || exit 1\ncount=$(node notes.mjs list | grep -c eggs || true)\n[ "$count" = 0 ]\n```\n',
  act({ writeLog, passed }) {
    execFileSync(process.execPath, ['notes.mjs', 'add', 'milk'])
    writeLog({ status: 'pass', steps: passed })
  },
}
