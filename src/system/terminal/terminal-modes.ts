/** What a program has changed of the terminal it writes to, and how to undo it. */
export interface TerminalModes {
  /** Something was written, cut anywhere. */
  take(bytes: Uint8Array): void
  /** What to write to have the terminal as it was. The title is not in it: terminals keep a stack of those. */
  undo(): string
  /** What to write to have it again as the program left it. */
  redo(): string
}

/** Modes that are on in a terminal at rest: wrapping, the cursor. */
const onAtRest = new Set(['7', '25'])
/** Private modes of the alternate screen; the last one also puts the cursor back. */
const screens = new Set(['47', '1047', '1049'])
/** Longer than any sequence that counts. */
const maxPendingCharacters = 64

const escape = '\u001b'
/** Private modes, the kitty keyboard stack, other keys, cursor shape, margins, keypad, character set. */
const sequence = /\u001b(?:\[\?([\d;]+)([hl])|\[([<>=])([\d;]*)u|\[>4(?:;(\d*))?m|\[(\d*) q|\[([\d;]*)r|([=>])|\((.))/g
const unfinished = /\u001b(?:\[[\d;?<>= ]*|\()?$/

export function trackTerminalModes(): TerminalModes {
  const changed = new Set<string>()
  /** The last sequence of each kind, and how to undo it. */
  const settings = new Map<string, { readonly text: string; readonly undo: string }>()
  // Terminals have a stack of these for each screen.
  const mainKeyboards: string[] = []
  const alternateKeyboards: string[] = []
  let pending = ''

  const isAlternate = (): boolean => [...changed].some((mode) => screens.has(mode))

  function setPrivate(numbers: string, isOn: boolean): void {
    for (const mode of numbers.split(';')) {
      if (isOn === onAtRest.has(mode)) changed.delete(mode)
      else changed.add(mode)
    }
  }

  function take(match: RegExpMatchArray): void {
    const [text, modes, state, kind, count] = match
    const keyboards = isAlternate() ? alternateKeyboards : mainKeyboards
    if (modes !== undefined) setPrivate(modes, state === 'h')
    else if (kind === '>') keyboards.push(text)
    else if (kind === '<') keyboards.splice(-Number(count === '' ? 1 : count))
    else {
      const undo = undoOf(match)
      settings.set(undo, { text, undo })
    }
  }

  return {
    take(bytes) {
      const text = pending + Buffer.from(bytes).toString('latin1')
      for (const match of text.matchAll(sequence)) take(match)
      pending = (unfinished.exec(text)?.[0] ?? '').slice(0, maxPendingCharacters)
    },
    undo: () =>
      [
        ...[...settings.values()].map(({ undo }) => undo),
        ...(isAlternate() ? [popKeyboards(alternateKeyboards)] : []),
        // The alternate screen last: the others may be kept for each screen.
        ...inOrder(changed).map((mode) => setMode(mode, onAtRest.has(mode))),
        popKeyboards(mainKeyboards),
        `${escape}[0m`,
      ].join(''),
    redo: () =>
      [
        ...mainKeyboards,
        ...inOrder(changed)
          .toReversed()
          .map((mode) => setMode(mode, !onAtRest.has(mode))),
        ...(isAlternate() ? alternateKeyboards : []),
        ...[...settings.values()].map(({ text }) => text),
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

function popKeyboards({ length }: readonly string[]): string {
  return length === 0 ? '' : `${escape}[<${length}u`
}

function inOrder(modes: ReadonlySet<string>): readonly string[] {
  return [...modes].toSorted((one, other) => Number(screens.has(one)) - Number(screens.has(other)))
}

function setMode(mode: string, isOn: boolean): string {
  return `${escape}[?${mode}${isOn ? 'h' : 'l'}`
}
