import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import xterm, { type Terminal as Emulator } from '@xterm/headless'
import { describe, expect, test } from 'vitest'
import { createRecording, type RecordingEnd } from '../../../src/system/terminal/recording.ts'
import { startInTerminal } from '../../../src/system/terminal/run-in-terminal.ts'
import type { Terminal } from '../../../src/system/terminal/terminal.ts'
import { createRedactor } from '../../../src/system/redaction/redact.ts'
import { useFolders } from '../../host/use-folder.ts'

const newFolder = useFolders()
const secret = 's3cret-value-42'
const phrase = 'open sesame 42'
const redactor = createRedactor([
  { name: 'KEY', value: secret },
  { name: 'PHRASE', value: phrase },
])
const size = { cols: 40, rows: 10 }

interface Session {
  /** Absolute path of the folder of the recording. */
  readonly folder: string
  readonly end: RecordingEnd | undefined
  /** What the program printed. */
  readonly output: string
  /** Lines of the recording. */
  readonly cast: readonly string[]
}

/** Has a program print this in a terminal, which changes its size behind `resize`. */
async function record(texts: readonly (string | Uint8Array)[], more: { maxBytes?: number } = {}): Promise<Session> {
  const folder = newFolder().path
  const printed = Buffer.concat(texts.map((text) => Buffer.from(text)))
  await writeFile(join(folder, 'printed'), printed)
  const startedAtMs = Date.UTC(2026, 0, 2)
  const recording = createRecording({ folder, title: `Shop ${secret}`, startedAtMs, redactor, ...more })
  const chunks: Uint8Array[] = []
  const taken = { ...size, cols: size.cols }
  let resized = (): void => undefined
  const terminal: Terminal = {
    say: () => undefined,
    take: () => ({
      size: taken,
      name: 'xterm-256color',
      write(bytes) {
        chunks.push(bytes)
        if (!Buffer.from(bytes).includes('resize') || taken.cols !== size.cols) return
        taken.cols += 5
        resized()
      },
      onInput: () => undefined,
      onResize: (listener) => void (resized = listener),
      suspend: () => undefined,
      resume: () => undefined,
      giveBack: () => undefined,
    }),
  }
  const { ended } = startInTerminal(
    { argv: ['/bin/cat', 'printed'], cwd: folder, env: {} },
    {
      terminal,
      recorder: recording,
      hardTimeoutMs: 60_000,
      graceMs: 0,
      mark: 'recording-test',
      adopt: () => undefined,
      guardTerminal: () => undefined,
      onInterrupt: () => undefined,
    },
  )
  expect((await ended).end).toEqual({ reason: 'exit', exitCode: 0 })
  const file = join(folder, 'T.cast')
  const end = await recording.keep(file)
  recording.close()
  const cast = end && 'file' in end ? (await readFile(file, 'utf8')).split('\n').slice(0, -1) : []
  return { folder, end, output: Buffer.concat(chunks).toString('utf8'), cast }
}

type Line = readonly [seconds: number, code: string, data: string]
const eventsOf = (cast: readonly string[]): readonly Line[] => cast.slice(1).map((line) => JSON.parse(line) as Line) // as written

async function screenAfter(events: readonly Line[]): Promise<readonly string[]> {
  const emulator: Emulator = new xterm.Terminal({ ...size, allowProposedApi: true })
  for (const [, code, data] of events) {
    if (code === 'o') await new Promise<void>((resolve) => emulator.write(data, resolve))
    else emulator.resize(Number(data.split('x')[0]), Number(data.split('x')[1]))
  }
  const { active } = emulator.buffer
  return Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '')
}

const at = (row: number, column: number): string => `\u001b[${row};${column}H`
const halves = [secret.slice(0, 7), secret.slice(7)] as const // two
const frame = (rows: readonly string[]): string => rows.map((row, index) => `${at(index + 1, 3)}${row}`).join('')

describe('a recording', () => {
  test('is an asciicast of what was shown, and nothing else is left', async () => {
    const tui = `\u001b[?1049h\u001b[2J${frame(['╭────────╮', '│ cart 1 │', '╰────────╯'])}\u001b[32mädé\u001b[0m`
    const { folder, end, output, cast } = await record([
      tui,
      Buffer.from([0xff, 0x3c, 0xe2, 0x82]),
      '\r\nresize\r\nend',
    ])
    expect(end).toEqual({ file: join(folder, 'T.cast') })
    expect(JSON.parse(cast[0] ?? '')).toEqual({
      version: 2,
      width: 40,
      height: 10,
      timestamp: Date.UTC(2026, 0, 2) / 1000,
      title: 'Shop ***KEY***',
      env: { TERM: 'xterm-256color' },
    })
    const events = eventsOf(cast)
    expect(events.filter(([, code]) => code === 'r').map(([, , data]) => data)).toEqual(['45x10'])
    const shown = events.filter(([, code]) => code === 'o').map(([, , data]) => data)
    expect(shown.join('')).toBe(output)
    expect(output).toContain('ädé\u001b[0m\ufffd<\ufffd\r')
    const times = events.map(([seconds]) => seconds)
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(await screenAfter(events)).toContain('  │ cart 1 │')
    expect((await stat(join(folder, 'T.cast'))).mode & 0o777).toBe(0o600)
    expect((await readdir(folder)).toSorted()).toEqual(['T.cast', 'printed'])
  })

  test('has marks in place of secrets printed in one piece, in the same columns', async () => {
    const { cast } = await record([`\u001b[?1049h${at(2, 1)}│ ${secret} │`])
    const events = eventsOf(cast)
    expect(cast.join('')).not.toContain(secret)
    expect(await screenAfter(events)).toContain(`│ ${'***KEY***'.padEnd(secret.length, '*')} │`)
  })

  test('ends with a marker when it is full', async () => {
    const { folder, cast } = await record(Array<string>(500).fill(`${'mug '.repeat(9)}\r\n`), { maxBytes: 4096 })
    const [, code, data] = eventsOf(cast).at(-1) ?? []
    expect([code, data]).toEqual(['m', 'The recording is full: what came after this is not in it.'])
    expect((await stat(join(folder, 'T.cast'))).size).toBeLessThan(4300)
  })

  test('that cannot be written is none', async () => {
    const folder = newFolder()
    await folder.write({ 'T.cast/file': '' })
    for (const [where, code] of [
      [folder.at('missing'), 'ENOENT'],
      [folder.path, 'EISDIR'],
    ] as const) {
      const recording = createRecording({ folder: where, title: '', startedAtMs: 0, redactor })
      recording.begin(size, 'xterm')
      recording.write(Buffer.from('cart'))
      expect(await recording.keep(folder.at('T.cast'))).toEqual({
        dropped: expect.stringContaining(`it could not be written: ${code}`),
      })
      recording.close()
    }
    expect(await readdir(folder.path)).toEqual(['T.cast'])
  })

  test.for([
    [
      'with colors between its characters',
      [...secret].map((letter, index) => `\u001b[3${index % 8}m${letter}`).join(''),
    ],
    [
      'character by character, from its end',
      [...secret]
        .map((letter, index) => at(3, 5 + index) + letter)
        .toReversed()
        .join(''),
    ],
    ['by a character between others that is inserted', `s3cret-alue-42${at(1, 8)}\u001b[1@v`],
    ['on two lines of the terminal', `${at(2, 34)}${halves[0]}\u001b[1m${halves[1]}`],
    [
      'on two lines of a frame',
      frame(['╭─────────────╮', `│ > ${halves[0]}   │`, `│ ${halves[1]}    │`, '╰─────────────╯']),
    ],
    ['on two lines, broken at a blank', frame(['│ say open sesame │', '│ 42 to get in    │'])],
    [
      'in the alternate screen, which goes at once',
      `\u001b[?1049h${at(5, 5)}${halves[0]}\u001b[m${at(5, 12)}${halves[1]}\u001b[2J\u001b[?1049l`,
    ],
    ['and overwrites it at once', `${halves[0]}${at(1, 8)}${halves[1]}\r${' '.repeat(30)}\r`],
    ['far above what can be seen', `${halves[0]}${at(1, 8)}${halves[1]}${'\r\n'.repeat(3000)}`],
    ['in base64', Buffer.from(`key=${secret}`).toString('base64').replaceAll(/.{4}/g, '$&\u001b[m')],
  ] as const)('is dropped when a program draws a secret %s', async ([, drawn]) => {
    const session = await record([drawn])
    expect(session).toMatchObject({ end: { dropped: 'its screen showed a secret in pieces' }, cast: [] })
    expect(await readdir(session.folder)).toEqual(['printed'])
  })
})
