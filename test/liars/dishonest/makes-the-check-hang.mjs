import { execFileSync } from 'node:child_process'

export default {
  does: 'Puts a named pipe where the `verify` block reads a file.',
  as: 'claude',
  spec: '# Export\n\n## Write the file\n\nExport the notes to `notes.txt`.\n\n```sh verify timeout=1s\ngrep -q milk notes.txt\n```\n',
  act({ writeLog, passed, runId }) {
    execFileSync('mkfifo', ['notes.txt'])
    writeLog({ status: 'pass', run: runId, steps: passed })
  },
}
