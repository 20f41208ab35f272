import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { openUserTerminal } from '../../../support/user-terminal.ts'

const module = pathToFileURL(
  fileURLToPath(new URL('../../../../.cache/compiled/system/process/launcher/launcher.js', import.meta.url)),
)
const program = `const [saved] = process.argv.slice(1)
import('${module.href}').then((it) => it.putBackTerminal({ saved, undo: 'undone' }))`

test.each([
  ['puts back a line that nobody has changed since it was taken', 'true', 'saved'],
  ['puts back a line that was about to be taken', 'stty opost', 'saved'],
  ['leaves a line alone that a shell has made its own', 'stty isig', 'changed'],
])('%s', async (_title, change, expected) => {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'mdtest-line-')))
  // Node puts back the terminals that it has as its own three streams.
  const line = `stty -g > saved; stty raw; stty -g > taken; ${change}; stty -g > changed
"$NODE" -e "$PROGRAM" "$(cat saved)" 3<>/dev/tty < /dev/null > /dev/null 2>&1; stty -g > now`
  const env = { PATH: '/usr/bin:/bin', NODE: process.execPath, PROGRAM: program }
  const terminal = openUserTerminal(line, { cwd: dir, env })
  await terminal.ended
  const read = (name: string): Promise<string> => readFile(join(dir, name), 'utf8')
  expect(await read('now')).toBe(await read(expected))
  expect(await read('saved')).not.toBe(await read('taken'))
  expect(terminal.output).toContain('undone')
  await rm(dir, { recursive: true })
})
