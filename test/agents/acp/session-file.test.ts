import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readShellAnswer } from '../../../src/agents/acp/program/read-shell-answer.ts'
import { SessionFile } from '../../../src/agents/acp/program/session-file.ts'

const sessionId = '0a1b2c3d-0000-4000-8000-000000000000'
const own = 'tmp/shop/chats/session-2026-01-02T03-04-0a1b2c3d.jsonl'
const call = { toolCallId: 'run_shell_command-1700000000000-1', kind: 'execute', status: 'completed' }

/** A line in which Gemini CLI notes what a command gave. */
const line = (output: string, id = call.toolCallId): string =>
  `${JSON.stringify({ type: 'user', content: [{ functionResponse: { id, response: { output } } }] })}\n`

interface Place extends Disposable {
  readonly file: SessionFile
  at(path: string): string
}

/** A home with these files, and what reads the session in it. */
function place(files: Readonly<Record<string, string>>): Place {
  const root = mkdtempSync(join(tmpdir(), 'mdtest-session-file-'))
  const at = (path: string): string => join(root, path)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), content)
  }
  return {
    file: new SessionFile({ folder: at('tmp'), sessionId }),
    at,
    [Symbol.dispose]: () => rmSync(root, { recursive: true }),
  }
}

// Beside each other: each waits for a note that does not come.
describe.concurrent('SessionFile', () => {
  test('reads what came of a call, though it is noted after the end of the call', async () => {
    using home = place({ [own]: line('Output: other', 'run_shell_command-1-9') })
    const told = home.file.complete(call)
    appendFileSync(home.at(own), line('Output: sold\nout\nExit Code: 3').slice(0, 40))
    appendFileSync(home.at(own), line('Output: sold\nout\nExit Code: 3').slice(40))
    expect(await told).toMatchObject({ name: 'run_shell_command', rawOutput: { output: 'sold\nout', exitCode: 3 } })
  })

  test('tells the directory of a command that is asked for', async () => {
    using home = place({})
    const content = [{ type: 'content', content: { type: 'text', text: '[in /srv/shop] (list)' } }]
    expect(await home.file.complete({ ...call, status: 'pending', content })).toMatchObject({
      rawInput: { cwd: '/srv/shop' },
    })
  })

  const unknown: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'there is no file': {},
    'two lines differ': { [own]: line('Output: x') + line('Output: y') },
    'two files are of the session': {
      [own]: line('Output: x'),
      'tmp/a/chats/session-0a1b2c3d.jsonl': line('Output: y'),
    },
  }

  test.each(Object.entries(unknown))('knows nothing where %s', async (_, files) => {
    using home = place(files)
    expect(await home.file.complete(call)).not.toHaveProperty('rawOutput')
  })

  test('follows no link out of its folder', async () => {
    using home = place({ [`elsewhere/${own}`]: line('Output: x') })
    mkdirSync(dirname(home.at(own)), { recursive: true })
    symlinkSync(home.at(`elsewhere/${own}`), home.at(own))
    expect(await home.file.complete(call)).not.toHaveProperty('rawOutput')
  })
})

test.each([
  ['Output: sold', { output: 'sold', exitCode: 0 }],
  ['Output: (empty)\nProcess Group PGID: 7', { output: '', exitCode: 0 }],
  ['Output: sold\nout\nExit Code: 3\nProcess Group PGID: 7', { output: 'sold\nout', exitCode: 3 }],
  ['Output: Exit Code: 0\nExit Code: 3', { output: 'Exit Code: 0', exitCode: 3 }],
  ['<untrusted_context>\nOutput: a\nExit Code: 1\n</untrusted_context>', { output: 'a', exitCode: 1 }],
  ['Output: a\nSignal: 9', { output: 'a' }],
  ['Output: a\nError: it did not start', { output: 'a' }],
  ['Command was cancelled.', { output: 'Command was cancelled.' }],
])('reads %j, told of a command', (told, answer) => {
  expect(readShellAnswer(told)).toEqual(answer)
})
