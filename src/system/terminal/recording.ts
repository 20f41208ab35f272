import { StringDecoder } from 'node:string_decoder'
import type { Ground } from '../files/ground.ts'
import type { Redactor } from '../redaction/redact.ts'
import { openCastFile, type CastFile } from './cast-file.ts'
import { watchScreen, type ScreenWatch } from './screen-watch.ts'
import type { TerminalSize } from './terminal.ts'

/** Notes what a program shows in a terminal. Never throws. */
export interface Recorder {
  begin(size: TerminalSize, terminalName: string): void
  write(chunk: Uint8Array): void
  resize(size: TerminalSize): void
}

/** It is in a file (absolute path), or there is none, because it may hold secrets or could not be written. */
export type RecordingEnd = { readonly file: string } | { readonly dropped: string }

export interface Recording extends Recorder {
  /**
   * After the end: puts it where it belongs, if it may be kept. Nothing where nothing was recorded. Never rejects.
   *
   * @param ground below it no link is followed; default: the folder of the file
   */
  keep(file: string, ground?: Ground): Promise<RecordingEnd | undefined>
  /** Lets go of it. Not an error the second time. */
  close(): void
}

interface RecordingOptions {
  /** Absolute path of a folder on a file system that has room for it. */
  readonly folder: string
  readonly title: string
  /** Milliseconds since 1970. */
  readonly startedAtMs: number
  readonly redactor: Redactor
  /**
   * Size of the file in bytes.
   * @default 50 MiB
   */
  readonly maxBytes?: number
}

const defaultMaxBytes = 50 * 1024 * 1024
/** After the end of the session, in milliseconds. Looking takes place while it lasts, so that little is left. */
const lookLimitMs = 10_000

/**
 * Records a session as an asciicast. A secret that is printed in one piece becomes a mark of the same length. If one
 * can still be read on the screen, the recording is dropped.
 */
export function createRecording(options: RecordingOptions): Recording {
  const { folder, startedAtMs, redactor, maxBytes = defaultMaxBytes } = options
  const decoder = new StringDecoder('utf8')
  const mask = redactor.createMask()
  let cast: CastFile | undefined
  let screen: ScreenWatch | undefined

  const show = (text: string): void => {
    if (text === '' || screen?.problem !== undefined) return
    if (cast?.add({ kind: 'output', text }) === true) screen?.show(text)
  }

  return {
    begin(size, terminalName) {
      const title = redactor.redact(options.title)
      cast = openCastFile({ folder, maxBytes, size, startedAtMs, title, terminalName })
      if (redactor.hasSecrets) screen = watchScreen(size, redactor)
    },
    write: (chunk) => show(mask.write(decoder.write(Buffer.from(chunk)))),
    resize(size) {
      if (cast?.add({ kind: 'resize', size }) === true) screen?.resize(size)
    },
    async keep(file, ground) {
      if (cast === undefined) return undefined
      show(mask.write(decoder.end()) + mask.end())
      await screen?.end(lookLimitMs)
      if (screen?.problem !== undefined) return { dropped: screen.problem }
      cast.copyTo(file, ground)
      return cast.failure === undefined ? { file } : { dropped: cast.failure }
    },
    close: () => cast?.close(),
  }
}
