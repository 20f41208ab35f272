import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isHarmlessDevice, isInRoots, isNamed, pathsOf, show, type Judged } from './judging.ts'
import type { Scope } from './line/scope.ts'
import type { Given } from './line/words.ts'
import type { Writes } from './programs/writers.ts'

/** Whether what a command writes may be written. `true`: it was refused. */
export function judgeWrites(
  judged: Judged,
  program: string,
  { targets, into, sources, unpacked = [], keepsContent = false, isLinking = false }: Writes,
): boolean {
  const { judging, scope } = judged
  const isNamedHere = isNamed(judged, program)
  const placed = into === undefined ? [] : [into.place]
  for (const target of [...targets, ...placed]) {
    const known = pathsOf(target, scope)
    if (known === undefined || target.isPipe) {
      judging.refuse(`Where ${show(program)} writes cannot be known from ${show(target.text)}: write the path out.`)
      return true
    }
    const paths = target === into?.place ? known.flatMap((path) => placesIn(path, into.names)) : known
    for (const path of paths) {
      if (judgeWrite(judged, path, { what: program, isNamed: isNamedHere, keepsContent })) return true
    }
    if (target === into?.place)
      for (const path of known) for (const from of placesOf(sources, scope)) judging.files.copy(from, path)
  }
  const own = unpacked.find((file) => pathsOf(file, scope)?.some((path) => judging.files.isOwn(path)) !== false)
  if (own !== undefined) {
    judging.refuse(`${show(own.text)} is yours, or may be: what comes out of it shows nothing of the product.`)
    return true
  }
  const linked = isLinking && !isNamedHere ? sources.find((source) => !mayWriteAll(judged, source)) : undefined
  if (linked !== undefined) {
    judging.refuse(
      `Who writes to a link of ${show(linked.text)} writes to that, which is neither in \`writes\` nor in \`$MDTEST_SCRATCH\`. Copy it.`,
    )
    return true
  }
  // Else a program could be had under another name.
  const outside = sources.find(
    (source) => pathsOf(source, scope)?.every((path) => isInRoots(path, judging.options)) !== true,
  )
  if (outside === undefined) return false
  judging.refuse(
    `${show(program)} would bring ${show(outside.text)} into the folders of the scenario. Use the file where it is.`,
  )
  return true
}

function mayWriteAll({ judging, scope }: Judged, word: Given): boolean {
  return !word.isPattern && pathsOf(word, scope)?.every((path) => judging.options.mayWrite(path)) === true
}

interface WriteDetails {
  readonly what: string
  /** Whether a rule names the program. */
  readonly isNamed: boolean
  /**
   * Whether what it puts there was there before, under another name.
   * @default false
   */
  readonly keepsContent?: boolean
}

/** Whether one path may be written. `true`: it was refused. */
export function judgeWrite(
  { judging }: Pick<Judged, 'judging'>,
  path: string,
  { what, isNamed: isNamedHere, keepsContent = false }: WriteDetails,
): boolean {
  if (isHarmlessDevice(path)) return false
  const { options, refuse, files } = judging
  if (options.mayWrite(path) || (isNamedHere && isInRoots(path, options))) {
    if (!keepsContent) files.write(path)
    return false
  }
  refuse(`${show(what)} would write ${path}, which is neither in \`writes\` nor in \`$MDTEST_SCRATCH\`. Write there.`)
  return true
}

/** What comes to be there: in a folder something with the name of each source. */
function placesIn(path: string, names: readonly Given[]): readonly string[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  if (!isFolder) return [path]
  return names.map(({ value }) => (value === undefined ? path : join(path, basename(value))))
}

/** Files and folders that words name, or the folders of those that a pattern in them may stand for. */
function placesOf(words: readonly Given[], scope: Scope): readonly string[] {
  return words.flatMap((word) => {
    const [known = word.value] = word.isPattern ? (/^[^*?[]*\//.exec(word.value ?? '') ?? ['.']) : []
    return pathsOf({ ...word, value: known }, scope) ?? []
  })
}
