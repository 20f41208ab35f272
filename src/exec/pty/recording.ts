import { StringDecoder } from 'node:string_decoder'
import { isNativeError } from 'node:util/types'
import type { Redactor } from '../../shared/redact.ts'
import { formatCastEvent, formatCastHeader, type CastEvent } from './cast-lines.ts'
import { watchScreen, type ScreenWatch } from './screen-watch.ts'
import type { TerminalSize } from './terminal.ts'
import { openUnnamedFile, type UnnamedFile } from './unnamed-file.ts'

/** Notes what a program shows in a terminal. Never throws. */
export interface Recorder {
  begin(size: TerminalSize, terminalName: string): void
  write(chunk: Uint8Array): void
  resize(size: TerminalSize): void
}

/** What became of a recording: it is in a file, or there is none because it may hold secrets or could not be written. */
export type RecordingEnd = { readonly file: string } | { readonly dropped: string }

export interface Recording extends Recorder {
  /** After the end: puts it where it belongs, if it may be kept. Nothing where nothing was recorded. Never rejects. */
  keep(file: string): Promise<RecordingEnd | undefined>
  /** Lets go of it. Not an error the second time. */
  close(): void
}

interface RecordingOptions {
  /** Absolute path of a folder on a file system that has room for it. */
  readonly folder: string
  readonly title: string
  readonly startedAtMs: number
  readonly redactor: Redactor
  /**
   * Size of the file in bytes.
   * @default 50 MiB
   */
  readonly maxBytes?: number
}

const defaultMaxBytes = 50 * 1024 * 1024
/** Written at once, in UTF-16 code units. */
const bufferCharacters = 64 * 1024
/** After the end of the session, in milliseconds. Looking takes place while it lasts, so that little is left. */
const lookLimitMs = 10_000

/**
 * Records a session as an asciicast. A secret that is printed in one piece becomes a mark of the same length; with one
 * that can be read on the screen all the same, the recording is dropped.
 */
export function createRecording(options: RecordingOptions): Recording {
  const { folder, redactor, maxBytes = defaultMaxBytes } = options
  const decoder = new StringDecoder('utf8')
  const mask = redactor.createMask()
  let file: UnnamedFile | undefined
  let screen: ScreenWatch | undefined
  let startMs = 0
  let pending = ''
  let bytes = 0
  let isFull = false
  let failure: string | undefined

  const attempt = (action: () => void): void => {
    try {
      if (failure === undefined) action()
    } catch (error: unknown) {
      failure = `it could not be written: ${isNativeError(error) ? error.message : String(error)}`
    }
  }

  const flush = (): void =>
    attempt(() => {
      file?.append(pending)
      pending = ''
    })

  const add = (event: CastEvent): void => {
    const line = formatCastEvent(event, performance.now() - startMs)
    bytes += Buffer.byteLength(line)
    isFull = bytes > maxBytes
    pending += isFull ? formatCastEvent(full, performance.now() - startMs) : line
    if (isFull || pending.length > bufferCharacters) flush()
  }

  const isOver = (): boolean => file === undefined || isFull || failure !== undefined || screen?.problem !== undefined

  const show = (text: string): void => {
    if (text === '' || isOver()) return
    add({ kind: 'output', text })
    if (!isFull) screen?.show(text)
  }

  return {
    begin(size, terminalName) {
      startMs = performance.now()
      attempt(() => (file = openUnnamedFile(folder)))
      pending = formatCastHeader({ ...options, size, title: redactor.redact(options.title), terminalName })
      bytes = Buffer.byteLength(pending)
      if (redactor.hasSecrets) screen = watchScreen(size, redactor)
    },
    write: (chunk) => show(mask.write(decoder.write(Buffer.from(chunk)))),
    resize(size) {
      if (isOver()) return
      add({ kind: 'resize', size })
      screen?.resize(size)
    },
    async keep(target) {
      if (startMs === 0) return undefined
      show(mask.write(decoder.end()) + mask.end())
      flush()
      await screen?.end(lookLimitMs)
      const dropped = screen?.problem ?? failure
      if (dropped === undefined) attempt(() => file?.copyTo(target))
      const why = dropped ?? failure
      return why === undefined ? { file: target } : { dropped: why }
    },
    close: () => file?.close(),
  }
}

const full: CastEvent = { kind: 'marker', label: 'The recording is full: what came after this is not in it.' }
