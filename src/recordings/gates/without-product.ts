import type { RehearsalInput } from './rehearse.ts'
import type { Programs } from './emptied-root.ts'
import { findPassing } from './find-passing.ts'
import type { Trial } from './trial.ts'

/** A step with recorded blocks, as far as it is judged. */
export interface JudgedStep {
  readonly id: string
  /** Its commands that have to print something. */
  readonly told: readonly ToldCommand[]
}

interface ToldCommand {
  readonly command: string
  /** What it asks runs by itself: it is there without the files of the project, too. */
  readonly isElsewhere: boolean
  /** What it has to print. */
  readonly words: readonly string[]
}

type WithoutProduct = Pick<Trial, 'startRun' | 'emptiedRoot' | 'signal'> & Pick<RehearsalInput, 'scenario'>

/** A step that would pass whatever the product does. */
interface WorthlessStep {
  readonly id: string
  /** A sentence. */
  readonly why: string
}

/** In data and sources of the project, or brought by its programs: these print, and fail. */
const ofProject = ['silent', 'babbling', 'failing'] as const // kinds of roots
/** Of those a program of a package makes what it tells, and it may be a script that runs a program of the project. */
const ofPackage = ['silent', 'only-babbling', 'only-failing'] as const // kinds of roots

const reasons: Readonly<Record<Programs, string>> = {
  silent: 'Its commands print the same without the product: all files of the project were empty.',
  babbling:
    'Its commands print the same where no program of the project works: it is in files that are there, or comes of any output.',
  failing: 'Its commands print the same where each program of the project fails at once, whatever the reason.',
  'only-babbling': 'Its commands print the same where no program of the project works: it comes of any output.',
  'only-failing': 'Its commands print the same where each program of the project fails at once, whatever the reason.',
}

const echoes = 'A tool gave back what it was given, whatever the product does.'

/**
 * Steps that pass without the product. What an application shows in a browser was told apart from its start already:
 * without it no page opens at all. Nor is a server that runs by itself gone where the files of the project are empty.
 */
export async function* passingWithoutProduct(
  steps: readonly JudgedStep[],
  { emptiedRoot, ...input }: WithoutProduct,
): AsyncGenerator<WorthlessStep> {
  for (const { id } of steps.filter(isEchoed)) yield { id, why: echoes }
  const passing = async (programs: Programs): Promise<readonly string[]> => {
    const ids = steps.filter((step) => rootsFor(step).includes(programs)).map(({ id }) => id)
    return ids.length === 0 ? [] : findPassing(ids, { ...input, root: await emptiedRoot(programs) })
  }
  for (const programs of ofProject) for (const id of await passing(programs)) yield { id, why: reasons[programs] }
  const [babbling, failing] = [await passing('only-babbling'), await passing('only-failing')]
  // What a package says of the programs as files, such as their style, is the same of both.
  for (const id of babbling) if (!failing.includes(id)) yield { id, why: reasons['only-babbling'] }
  for (const id of failing) if (!babbling.includes(id)) yield { id, why: reasons['only-failing'] }
}

/** The roots that a step is tried in. */
export function rootsFor({ told }: JudgedStep): readonly Programs[] {
  if (told.every(({ isElsewhere }) => isElsewhere)) return []
  return told.some(({ command }) => usesPackage(command)) ? ofPackage : ofProject
}

/** Whether all that was told is of servers that run by themselves, and stands in the calls. */
function isEchoed({ told }: JudgedStep): boolean {
  return (
    told.length > 0 &&
    told.every(({ isElsewhere, command, words }) => isElsewhere && words.every((one) => command.includes(one)))
  )
}

/** A program of an installed package works on data of the project: then the data are the product. */
function usesPackage(command: string): boolean {
  return /(?<![\w./-])(?:np[mx]|pnpm|yarn|bunx?|uvx?|pipx)(?=\s|$)|\bnode_modules\//.test(command)
}
