import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { orNothing } from '../../system/error-facts.ts'
import { repositoryOf } from '../../system/files/paths.ts'

export interface Tracing {
  /** Adds tracing to the given `NODE_OPTIONS`. */
  options(given: string | undefined): string
  /** The trace, as lines of JSON. */
  read(): string
}

/**
 * Node.js programs that run with the returned `NODE_OPTIONS` record which files they import, read or do not find.
 * @param folder a private folder outside of the root
 */
export function traceReads(
  folder: string,
  { root, copy }: { readonly root: string; readonly copy: string | undefined },
): Tracing {
  const [hook, file] = [join(folder, 'trace.cjs'), join(folder, 'trace')]
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)
  const roots = [repositoryOf(root), ...(copy === undefined ? [] : [copy])]
  const option = `--require=${JSON.stringify(hook)}`
  // The inserted comment keeps Node from printing the `throw` line above the stack of an error.
  const code = noteReads.toString().replace(/throw \w+/, '$& /* node-do-not-add-exception-line */')
  // If tracing fails, for example in an old Node.js, the program runs untraced.
  writeFileSync(hook, `try { (${code})(require, ${JSON.stringify({ option, file, roots })}) } catch {}\n`)
  return {
    options: (given = '') => `${given} ${option}`.trim(),
    read: () => (orNothing(() => readFileSync(file, 'utf8')) ?? '').replaceAll(inJson(copy ?? root), inJson(root)),
  }
}

/* eslint-disable @typescript-eslint/no-explicit-any -- members of Node that its types leave out */

/**
 * The text of this function runs in the traced programs, so it must use nothing else of this file. It wraps functions
 * that `fs` and both module loaders call. Programs must not notice: no extra stack frame, no other error, no warning.
 */
function noteReads(load: NodeJS.Require, { option, file, roots }: Readonly<Record<string, any>>): void {
  const [fs, path, module] = [load('node:fs'), load('node:path'), load('node:module')]
  const binding = (name: string): any => (process as any).binding(name)
  const seen = new Set<string>()
  const orNone = (action: () => any): any => {
    try {
      return action()
    } catch {
      return undefined
    }
  }
  const tell = (traced: object): void => {
    const line = JSON.stringify(traced)
    if (seen.has(line)) return
    seen.add(line)
    // A program can outlive its scenario. The folder is then gone, and the write fails.
    orNone(() => fs.appendFileSync(file, `${line}\n`))
  }
  const looked = new Set<string>()
  const note = (given: unknown, isList = false): void => {
    if (typeof given !== 'string' && !(given instanceof Uint8Array)) return
    // `resolve` fails if the working directory is gone.
    let whole = orNone(() => path.resolve(String(given)))
    if (whole === undefined || looked.has(`${whole} ${isList}`)) return
    looked.add(`${whole} ${isList}`)
    // Resolve links, because a package of a workspace is a link in `node_modules`.
    if (whole.includes('/node_modules/')) whole = orNone(() => fs.realpathSync.native(whole)) ?? whole
    const root = roots.find((each: string) => whole === each || whole.startsWith(`${each}/`))
    if (root !== undefined && !/\/(?:node_modules|\.git)(?:\/|$)/.test(whole.slice(root.length)))
      tell({ path: whole, isList })
  }
  const thrown = new WeakSet<object>()
  const wrap = (object: any, name: string, before: (...args: any[]) => void): void => {
    const original = object?.[name]
    if (typeof original !== 'function') return
    object[name] = function own(this: unknown, ...args: unknown[]): unknown {
      before(...args)
      try {
        return Reflect.apply(original, this, args)
      } catch (error: any) {
        Error.captureStackTrace(error, own)
        thrown.add(error)
        throw error
      }
    }
  }
  const { noDeprecation } = process as any
  Object.assign(process, { noDeprecation: true })
  for (const name of Object.keys(binding('fs'))) {
    if (
      /^(?:access|existsSync|open|openFileHandle|readFileUtf8|stat|lstat|readlink|realpath|copyFile|link|rename|unlink)$/.test(
        name,
      )
    )
      wrap(binding('fs'), name, (given) => note(given))
  }
  wrap(binding('fs'), 'internalModuleStat', (one, other) => note(typeof one === 'string' ? one : other))
  wrap(binding('fs'), 'readdir', (given) => note(given, true))
  const start = ({ file: program = '', args = [], cwd = '.', envPairs = [] }: any = {}): void => {
    const isTraced = envPairs.some(
      (pair: unknown) => String(pair).startsWith('NODE_OPTIONS=') && String(pair).includes(option),
    )
    const argv = [String(program), ...args.slice(1).map(String)]
    tell({ argv: program === process.execPath ? ['node'] : argv, cwd: path.resolve(String(cwd)), isTraced })
  }
  wrap(binding('spawn_sync'), 'spawn', start)
  wrap(binding('process_wrap').Process.prototype, 'spawn', start)
  Object.assign(process, { noDeprecation })
  const unseen = (why: string) => () => tell({ unseen: why })
  for (const name of ['opendir', 'opendirSync', 'cp', 'cpSync', 'openAsBlob']) {
    wrap(fs, name, unseen(`a program calls \`${name}\``))
    wrap(fs.promises, name, unseen(`a program calls \`${name}\``))
  }
  wrap(process, 'dlopen', (_module, addon) => /\/node_modules\//.test(addon) || note(addon))
  wrap(process, 'loadEnvFile', (given = '.env') => note(given))
  // Node 20 looks for modules without calling the functions wrapped above.
  wrap(module, '_findPath', (request: string, folders: readonly string[]) => {
    for (const folder of path.isAbsolute(request) ? [''] : folders) {
      const whole = path.resolve(folder, request)
      for (const ending of ['', ...Object.keys(module._extensions)]) note(whole + ending)
      for (const ending of Object.keys(module._extensions)) note(path.join(whole, `index${ending}`))
    }
  })
  const threads = load('node:worker_threads')
  threads.Worker = new Proxy(threads.Worker, {
    construct(worker, args, target) {
      const { env } = args[1] ?? {}
      if (typeof env === 'object' && !String(env?.NODE_OPTIONS).includes(option))
        tell({ unseen: 'a program starts a worker with an environment of its own' })
      return Reflect.construct(worker, args, target)
    },
  })
  wrap(module, 'register', unseen('a program loads modules in its own way'))
  module.syncBuiltinESMExports()
  tell({ script: String(Reflect.get(process, 'argv')[1]) })
  process.on('exit', () => {
    const list: readonly string[] = (process as any).moduleLoadList
    for (const name of ['sqlite', 'wasi']) {
      if (list.includes(`NativeModule ${name}`)) tell({ unseen: `a program uses \`node:${name}\`` })
    }
  })
  // Tracing hides the line in Node's own source that threw an uncaught error. So print it here.
  process.on('uncaughtExceptionMonitor', (error: Error, origin) => {
    const [, name, line, column] = /\(node:([\w/]+):(\d+):(\d+)\)/.exec(error.stack ?? '') ?? []
    const isPrinted = origin === 'uncaughtException' && process.listenerCount('uncaughtException') === 0
    if (name === undefined || !isPrinted || !thrown.has(error) || process.hasUncaughtExceptionCaptureCallback()) return
    const text: string = binding('natives')[name].split('\n')[Number(line) - 1]
    const { _rawDebug } = process as any
    _rawDebug(`node:${name}:${line}\n${text}\n${' '.repeat(Number(column) - 1)}^\n`)
  })
}
