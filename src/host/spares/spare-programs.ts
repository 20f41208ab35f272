import { randomBytes } from 'node:crypto'
import { removeTemporary } from '../../system/files/remove.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import type { Command } from '../../system/process/command.ts'
import type { LiveTrees } from '../../system/process/launcher/live-trees.ts'
import { startProgram, type StartedProgram } from '../../system/process/start-program.ts'

/** A program that waits for a scenario. */
export interface SpareProgram {
  /** A short path of its private folder. */
  readonly home: string
  /** What it and nothing else carries. */
  readonly mark: string
  readonly program: StartedProgram
}

/** What programs are started ahead with. */
export interface SpareKind {
  /** Those of one name can stand for each other. */
  readonly name: string
  /** The command without its task, for a program with this home. */
  commandIn(home: string): Command
}

interface SpareOptions {
  readonly processes: Pick<LiveTrees, 'launcher' | 'makeBrowserDir' | 'add' | 'remove' | 'end'>
  readonly runMark: string
  /** How many may wait. */
  wanted(): number
}

interface Waiting {
  readonly kind: string
  /** How many scenarios wanted one of another kind since. */
  passedOver: number
}

/** One that so many scenarios had no use for makes room for another. */
const maxPassedOver = 2

/** Programs that are started before there is a scenario for them, so that it need not wait. */
export class SparePrograms {
  readonly #options: SpareOptions
  readonly #waiting = new Map<SpareProgram, Waiting>()
  #starting = 0
  /** Of the run: a program that was started for an earlier one is too late. */
  #run = 0

  constructor(options: SpareOptions) {
    this.#options = options
  }

  /** How many wait. */
  get count(): number {
    return this.#waiting.size
  }

  /** One of this kind, where one waits. Who takes it ends it and removes its home. */
  take({ name }: Pick<SpareKind, 'name'>): SpareProgram | undefined {
    const [spare] = [...this.#waiting].find(([, { kind }]) => kind === name) ?? []
    if (spare === undefined) {
      for (const waiting of this.#waiting.values()) waiting.passedOver += 1
      return undefined
    }
    this.#waiting.delete(spare)
    for (const pipe of pipesOf(spare)) pipe.ref()
    return spare
  }

  /** Starts one more, where one more is wanted. Never rejects: a scenario can do without. */
  async prepare(kind: SpareKind): Promise<void> {
    if (this.#isFull) {
      const [useless] = [...this.#waiting].find(([, { passedOver }]) => passedOver >= maxPassedOver) ?? []
      if (useless !== undefined) await this.#drop(useless)
      if (this.#isFull) return
    }
    const run = this.#run
    this.#starting += 1
    try {
      // The run may be ending, with its launcher and its folder.
      const spare = await this.#start(kind).catch(() => undefined)
      if (spare === undefined) return
      this.#waiting.set(spare, { kind: kind.name, passedOver: 0 })
      spare.program.ended.catch(() => undefined).finally(() => void (this.#waiting.has(spare) && this.#drop(spare)))
      if (run !== this.#run) await this.#drop(spare)
    } finally {
      this.#starting -= 1
    }
  }

  /** The run is over: ends all that wait. */
  async end(): Promise<void> {
    this.#run += 1
    await Promise.all([...this.#waiting.keys()].map((spare) => this.#drop(spare)))
  }

  get #isFull(): boolean {
    return this.#waiting.size + this.#starting >= this.#options.wanted()
  }

  async #start(kind: SpareKind): Promise<SpareProgram | undefined> {
    const { processes, runMark } = this.#options
    const launcher = await processes.launcher()
    const home = processes.makeBrowserDir()
    const mark = randomBytes(16).toString('hex')
    const program = await startProgram(kind.commandIn(home), { launcher, mark, runMark })
    if (program instanceof MdtestError) {
      removeTemporary(home)
      return undefined
    }
    processes.add({ pid: program.pid, mark })
    program.unref()
    const spare = { home, mark, program }
    for (const pipe of pipesOf(spare)) pipe.unref()
    return spare
  }

  async #drop(spare: SpareProgram): Promise<void> {
    this.#waiting.delete(spare)
    await endSpare(spare, this.#options.processes)
    removeTemporary(spare.home)
  }
}

/** Ends one that its scenario cannot use after all; nothing happens where it has ended. */
export async function endSpare(
  { program }: Pick<SpareProgram, 'program'>,
  { end }: Pick<LiveTrees, 'end'>,
): Promise<void> {
  await end([program.pid], 0)
  for (const pipe of pipesOf({ program })) pipe.destroy()
}

function pipesOf({
  program: { stdin, stdout, stderr },
}: Pick<SpareProgram, 'program'>): readonly StartedProgram['stdout'][] {
  return stdin === undefined ? [stdout, stderr] : [stdin, stdout, stderr]
}
