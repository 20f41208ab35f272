import { orNothing } from '../error-facts.ts'
import { execFileSync } from 'node:child_process'
import type { Writable } from 'node:stream'
import type { ReadStream, WriteStream } from 'node:tty'
import type { TerminalState } from '../process/launcher/launcher.ts'

export interface Terminal {
  /**
   * Holds back other output until `giveBack`. Restores the terminal if this process exits. `onChange` gets what
   * another process needs to restore the terminal, and `undefined` after it was restored.
   */
  take(onChange: (state: TerminalState | undefined) => void): TakenTerminal
  say(line: string): void
}

export interface TakenTerminal {
  readonly size: { readonly cols: number; readonly rows: number }
  readonly name: string
  write(bytes: Uint8Array): void
  onInput(listener: (bytes: Buffer) => void): void
  onResize(listener: () => void): void
  giveBack(): void
}

export interface TerminalStreams {
  readonly stdin: ReadStream
  readonly stdout: WriteStream
  readonly stderr: Writable
}

/** XTPUSHTITLE and XTPOPTITLE: https://invisible-island.net/xterm/ctlseqs/ctlseqs.html */
const pushTitle = '\u001b[22;0t'
const popTitle = '\u001b[23;0t'
/** Needed because Vitest hides the cursor while tests run. */
const showCursor = '\u001b[?25h'

export function openTerminal(streams: TerminalStreams, name: string): Terminal {
  return {
    take: (onChange) => takeTerminal(streams, name, onChange),
    say: (line) => void streams.stdout.write(`${line}\n`),
  }
}

function takeTerminal(
  { stdin, stdout, stderr }: TerminalStreams,
  name: string,
  onChange: (state: TerminalState | undefined) => void,
): TakenTerminal {
  const held = holdWrites([stdout, stderr])
  const modes = trackTerminalModes()
  const undos: (() => void)[] = []
  let isTaken = true
  const saved = stty('-g')
  let told: string | undefined
  const tell = (): void => {
    const undo = `${modes.undo()}${popTitle}`
    if (saved === undefined || undo === told) return
    told = undo
    onChange({ saved, undo })
  }
  const giveBack = (): void => {
    if (!isTaken) return
    isTaken = false
    process.off('exit', giveBack)
    for (const undo of undos) undo()
    stdin.pause()
    held.write(stdout, `${modes.undo()}${popTitle}`)
    // Fails if the terminal is gone, but then nothing needs restoring.
    orNothing(() => stdin.setRawMode(false))
    onChange(undefined)
    held.release()
  }
  process.on('exit', giveBack)
  // Report the state before changing anything, because this process may be killed at any moment.
  tell()
  // Node's raw mode still turns \n into \r\n, hence `-opost`. `setRawMode(false)` undoes `-opost`, too.
  stdin.setRawMode(true)
  stty('-opost')
  held.write(stdout, `${pushTitle}${showCursor}`)
  return {
    get size() {
      // Terminals report 0 if they do not know their size.
      return { cols: stdout.columns || 80, rows: stdout.rows || 24 }
    },
    name,
    write(bytes) {
      if (!isTaken) return
      modes.take(bytes)
      tell()
      held.write(stdout, bytes)
    },
    onInput(listener) {
      stdin.on('data', listener)
      stdin.resume()
      undos.push(() => stdin.off('data', listener))
    },
    onResize(listener) {
      stdout.on('resize', listener)
      undos.push(() => stdout.off('resize', listener))
    },
    giveBack,
  }
}

function stty(argument: string): string | undefined {
  return orNothing(() =>
    execFileSync('stty', [argument], { stdio: ['inherit', 'pipe', 'ignore'], encoding: 'utf8' }).trim(),
  )
}

function holdWrites(streams: readonly Writable[]) {
  let isOpen = false
  const writes: (() => void)[] = []
  const handler: ProxyHandler<Writable['write']> = {
    apply(target, self, args: unknown[]) {
      if (isOpen) return Reflect.apply(target, self, args)
      const [chunk, encoding] = args
      // Copy the bytes, because the caller may reuse the buffer.
      const kept = chunk instanceof Uint8Array ? Uint8Array.from(chunk) : chunk
      writes.push(() => Reflect.apply(target, self, typeof encoding === 'string' ? [kept, encoding] : [kept]))
      const callback = args.at(-1)
      if (typeof callback === 'function') process.nextTick(() => Reflect.apply(callback, undefined, []))
      return true
    },
  }
  const originals = new Map(streams.map((stream) => [stream, stream.write]))
  const replacements = new Map(streams.map((stream) => [stream, new Proxy(stream.write, handler)]))
  for (const [stream, replacement] of replacements) stream.write = replacement
  return {
    write(stream: Writable, chunk: string | Uint8Array): void {
      Reflect.apply(originals.get(stream) ?? stream.write, stream, [chunk])
    },
    release(): void {
      for (const [stream, original] of originals) {
        // If other code has wrapped `write` since, keep the wrapper: our replacement now passes everything through.
        if (stream.write === replacements.get(stream)) stream.write = original
      }
      isOpen = true
      for (const write of writes.splice(0)) write()
    },
  }
}

const onAtRest = new Set(['7', '25'])
const screens = new Set(['47', '1047', '1049'])
const maxPendingCharacters = 64

const escape = '\u001b'
/** Matches sequences that change private modes, keyboard modes, cursor shape, margins, keypad or character set. */
const sequence = /\u001b(?:\[\?([\d;]+)([hl])|\[([<>=])([\d;]*)u|\[>4(?:;(\d*))?m|\[(\d*) q|\[([\d;]*)r|([=>])|\((.))/g
const unfinished = /\u001b(?:\[[\d;?<>= ]*|\()?$/

export function trackTerminalModes(): { take(bytes: Uint8Array): void; undo(): string } {
  const changed = new Set<string>()
  const undos = new Set<string>()
  /** Number of keyboard modes that were pushed. Terminals have one stack for each screen. */
  const keyboards = { main: 0, alternate: 0 }
  let pending = ''

  const isAlternate = (): boolean => [...changed].some((mode) => screens.has(mode))

  function setPrivate(numbers: string, isOn: boolean): void {
    for (const mode of numbers.split(';')) {
      if (isOn === onAtRest.has(mode)) changed.delete(mode)
      else changed.add(mode)
    }
  }

  function take(match: RegExpMatchArray): void {
    const [, modes, state, kind, count] = match
    const screen = isAlternate() ? 'alternate' : 'main'
    if (modes !== undefined) setPrivate(modes, state === 'h')
    else if (kind === '>') keyboards[screen] += 1
    else if (kind === '<') keyboards[screen] = Math.max(0, keyboards[screen] - Number(count === '' ? 1 : count))
    else undos.add(undoOf(match))
  }

  return {
    take(bytes) {
      const text = pending + Buffer.from(bytes).toString('latin1')
      for (const match of text.matchAll(sequence)) take(match)
      pending = (unfinished.exec(text)?.[0] ?? '').slice(0, maxPendingCharacters)
    },
    undo: () =>
      [
        ...undos,
        ...(isAlternate() ? [popKeyboards(keyboards.alternate)] : []),
        // Leave the alternate screen last, because terminals may keep the other modes for each screen separately.
        ...[...changed]
          .toSorted((one, other) => Number(screens.has(one)) - Number(screens.has(other)))
          .map((mode) => `${escape}[?${mode}${onAtRest.has(mode) ? 'h' : 'l'}`),
        popKeyboards(keyboards.main),
        `${escape}[0m`,
      ].join(''),
  }
}

function undoOf([, , , kind, , , shape, margins, keypad, charset]: RegExpMatchArray): string {
  if (kind === '=') return `${escape}[=0u`
  if (shape !== undefined) return `${escape}[0 q`
  if (margins !== undefined) return `${escape}7${escape}[r${escape}8`
  if (keypad !== undefined) return `${escape}>`
  return charset === undefined ? `${escape}[>4m` : `${escape}(B`
}

function popKeyboards(count: number): string {
  return count === 0 ? '' : `${escape}[<${count}u`
}
