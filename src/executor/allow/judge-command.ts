import type { Assignment, Command, HereDoc, HereString, Redirection, Word } from 'unbash'
import { basename, resolve } from 'node:path'
import { bashRule } from '../../system/text/bash-rule.ts'
import {
  type Judged,
  type Place,
  isHarmlessDevice,
  isInRoots,
  isNamed,
  pathsOf,
  pathsOfValues,
  show,
} from './judging.ts'
import { isCount } from './line/numbers.ts'
import type { Values } from './line/scope.ts'
import { valuesOf, waysOf, type Given } from './line/words.ts'
import { judgePrograms } from './judge-programs.ts'
import { judgeRedirections, leadsIntoProcesses } from './judge-redirections.ts'
import { isOfShellAlone, judgeShell, judgeVariable } from './judge-shell.ts'
import { judgeWrites } from './judge-writes.ts'
import { interpreterOf, isClient } from './programs/interpreters.ts'
import { lookOf } from './programs/looking.ts'
import { unwrap } from './programs/wrappers.ts'
import { writesOf } from './programs/writers.ts'
import type { Rule } from './rules.ts'

/**
 * Judges a simple command, but for the commands in its substitutions. What it does to the shell is done to `scope`.
 *
 * @param isTimed whether the word `time` of the shell stands before it, which a rule may hold
 */
export function judgeCommand(place: Place, command: Command, isTimed = false): void {
  const { judging, scope } = place
  const assignments = command.prefix.filter((each) => each.type === 'Assignment')
  if (command.name === undefined) {
    for (const each of assignments) assign(place, each)
    judgeRedirections(
      { judging, scope, matching: [], isExact: judging.whole !== undefined, shown: '', hasInput: () => true },
      command.redirects,
    )
    return
  }
  const words = [command.name, ...command.args.map(asWord)]
  const ends = waysOf(words, scope).map((way) => {
    const own = scope.copy()
    judgeWay({ judging, assignments, redirections: command.redirects, way, scope: own, isTimed })
    return own
  })
  const [first, ...others] = ends
  if (first !== undefined) scope.take(first)
  for (const other of others) scope.join(other)
  const isDeclaring = /^(?:export|declare|typeset|local|readonly)$/.test(command.name.value)
  if (isDeclaring) for (const each of command.args) if (each.type === 'Assignment') assign(place, each, true)
}

/** `dd if=x` has a word that looks like an assignment. */
function asWord(argument: Word | Assignment): Word {
  if (argument.type === 'Word') return argument
  const { text, pos, end, name, append, value, index } = argument
  const sign = append === true ? '+=' : '='
  const start = { type: 'Literal', pos, end: pos, value: `${name}${sign}`, text: `${name}${sign}` } as const // a part
  if (value.type === 'ArrayValue' || index !== undefined) {
    const unknown = { type: 'CommandExpansion', pos, end, text, script: undefined } as const // as unknown as one
    return { type: 'Word', text, value: text, pos, end, parts: [unknown] }
  }
  if (value.parts === undefined) return { type: 'Word', text, value: `${name}${sign}${value.value}`, pos, end }
  return { type: 'Word', text, value: `${name}${sign}${value.value}`, pos, end, parts: [start, ...value.parts] }
}

function assign({ judging, scope }: Place, { name, value, append, text }: Assignment, isJudged = false): void {
  const isExact = judging.whole !== undefined
  if (!isJudged && judgeVariable({ judging, matching: [], isExact }, name, text)) return
  if (value.type === 'ArrayValue' || append === true) return scope.set(name, undefined)
  const isNumber = isNumberValue(value)
  const values: Values = valuesOf(value, scope, false)
  scope.set(name, values, isNumber || values?.every((each) => /^-?\d+$/.test(each)) === true)
}

function isNumberValue({ parts }: Word): boolean {
  const [part] = parts ?? []
  const inner = part?.type === 'DoubleQuoted' && part.parts.length === 1 ? part.parts[0] : part
  if (parts?.length !== 1 || inner === undefined) return false
  return (
    inner.text === '$!' ||
    inner.type === 'ArithmeticExpansion' ||
    (inner.type === 'CommandExpansion' && isCount(inner.script))
  )
}

interface Way extends Place {
  readonly assignments: readonly Assignment[]
  readonly redirections: readonly Redirection[]
  readonly way: readonly Given[]
  readonly isTimed: boolean
}

function judgeWay({ judging, assignments, redirections, way, scope, isTimed }: Way): void {
  const { refuse, rules } = judging
  const texts = assignments.map(({ text }) => text)
  const forms: Form[] = [
    { text: [...texts, textOf(way)].join(' '), isOpen: false },
    { text: textOf(way), isOpen: false },
    ...(isTimed ? [{ text: `time ${textOf(way)}`, isOpen: false }] : []),
  ]
  const started: { readonly name: string; readonly text: string }[] = assignments.map(({ name, text }) => ({
    name,
    text,
  }))
  let words = way
  let isOfShell = true
  for (;;) {
    const [program, ...args] = words
    if (program?.value === undefined || program.isPattern || program.isPipe || program.value === '') {
      return refuse(`Which program ${show(program?.text ?? textOf(way))} is cannot be known: write its name out.`)
    }
    const unwrapped = unwrap(program.value, args)
    if (unwrapped === undefined) break
    if (unwrapped.inner.length === 0) {
      return refuse(`What ${show(textOf(words))} starts cannot be told. Run that command by itself.`)
    }
    started.push(...unwrapped.assignments.map(({ text, value }) => ({ name: (value ?? '').replace(/=.*/s, ''), text })))
    words = unwrapped.inner
    // What another program starts is no command of this shell.
    isOfShell &&= program.value === 'command' || program.value === 'builtin'
    const isOpen = unwrapped.addsWords || forms.at(-1)?.isOpen === true
    forms.push({ text: textOf(unwrapped.addsWords ? words.filter(({ text }) => text !== '…') : words), isOpen })
  }
  const matching = judging.whole === undefined ? matchingRules(rules, forms) : [judging.whole]
  const shown = show(forms[0]?.text ?? '')
  const isExact = matching.some((rule) => rule.isExact)
  // A rule for the command alone says nothing of the variables in front of it.
  const isWhole = matching.some((rule) => rule.isExact && rule.matches(forms[0]?.text ?? ''))
  const [program, ...args] = words
  const name = basename(program?.value ?? '')
  // With a path it may be anybody's program of that name.
  const isKnown = program?.value === name
  const hasInput = (): boolean => hasFileInput({ judging, scope }, name, redirections)
  const judged: Judged = { judging, scope, matching, isExact, shown, hasInput }
  const isReading = name === 'read' && started.every(({ text }) => text === 'IFS=')
  if (
    !isReading &&
    started.some((each) =>
      judgeVariable({ ...judged, isExact: isWhole || judging.whole !== undefined }, each.name, each.text),
    )
  )
    return
  if (judgeRedirections(judged, redirections, name) || judgeInput(judged, name, redirections)) return
  if (!isOfShell && isOfShellAlone(name)) return refuse(`${show(name)} is a command of the shell: run it by itself.`)
  if (judgeProcessPaths(judged, name, args) || (isKnown && judgeShell(judged, name, args))) return
  if (judgePrograms(judged, words)) return
  const look = isKnown ? lookOf(name, args) : undefined
  if (look?.ok === true) return judgeLook(judged, name, look.paths)
  if (look?.isEvaluated === true && !isExact) return refuse(`${shown} cannot be judged: ${look.why}.`)
  const writes = writesOf(name, args)
  if (matching.length > 0 || (isKnown && writes?.isPlain === true)) {
    if (writes !== undefined) judgeWrites(judged, name, writes)
    return
  }
  refuseUnruled(judged, forms[0]?.text ?? '', look?.why)
}

interface Form {
  readonly text: string
  /** Whether it gets more words than stand there: then no rule stands for it to the letter. */
  readonly isOpen: boolean
}

function matchingRules(rules: readonly Rule[], forms: readonly Form[]): readonly Rule[] {
  return rules.filter((rule) => forms.some(({ text, isOpen }) => !(isOpen && rule.isExact) && rule.matches(text)))
}

/** A command as rules read it: one blank between words, the program without quotes. */
function textOf([program, ...args]: readonly Given[]): string {
  const { value = '', text = '' } = program ?? {}
  return [/[\s'"\\]/.test(value) || value === '' ? text : value, ...args.map((arg) => arg.text)].join(' ')
}

function refuseUnruled({ judging, shown }: Judged, text: string, why: string | undefined): void {
  const rule = bashRule(text)
  const allowed = judging.rules.map(({ source }) => `\`${source}\``)
  const list =
    allowed.length === 0
      ? 'There are none.'
      : `Allowed: ${allowed.slice(0, 8).join(', ')}${allowed.length > 8 ? ', …' : ''}.`
  judging.refuse(
    [
      `${shown} is allowed by no rule${why === undefined ? '' : `: ${why}`}.`,
      list,
      ...(rule === undefined ? [] : [`To allow it: \`allow: [${JSON.stringify(rule)}]\`.`]),
    ].join(' '),
    rule,
  )
}

/** Programs that only look do so in the folders of the scenario, whatever a rule says of them: so does Claude Code. */
function judgeLook({ judging, scope, matching }: Judged, program: string, paths: readonly Given[]): void {
  const { options, refuse } = judging
  if (matching.some(({ isForAll }) => isForAll)) return
  for (const path of paths) {
    if (path.isPipe) continue
    const known = pathsOf(path, scope)
    if (known === undefined) {
      return refuse(`Which file ${show(program)} looks at cannot be known from ${show(path.text)}: write its path out.`)
    }
    const outside = known.find((each) => !isInRoots(each, options) && !isHarmlessDevice(each))
    if (outside !== undefined) {
      return refuse(
        `${show(program)} would look at ${outside}, outside of the folders of the scenario: ${options.roots.join(', ')}.`,
      )
    }
  }
}

/** Texts that a command gets on standard input from the line itself. */
function judgeInput(judged: Judged, program: string, redirections: readonly Redirection[]): boolean {
  const own = redirections.find((each): each is HereDoc | HereString => each.type !== 'Redirect')
  if (own === undefined || isNamed(judged, program)) return false
  judged.judging.refuse(
    `A here-document or here-string is a text of your own. Write it into a file with the tool \`write\`, and give the product its name.`,
  )
  return true
}

/** Whether standard input comes from a file that is not the agent's own. */
function hasFileInput({ judging, scope }: Place, program: string, redirections: readonly Redirection[]): boolean {
  if (interpreterOf(program) === undefined && !isClient(program)) return true
  const input = redirections.findLast(
    (each) =>
      each.type === 'Redirect' &&
      each.operator === '<' &&
      (each.descriptor === undefined || (each.descriptor.type === 'FileDescriptor' && each.descriptor.value === 0)),
  )
  if (input?.type !== 'Redirect' || input.target === undefined) return false
  const paths = pathsOfValues(valuesOf(input.target, scope, false), scope)
  return (
    paths !== undefined &&
    paths.length > 0 &&
    !paths.some((path) => path.startsWith('/dev/') || judging.files.isOwn(path))
  )
}

/** Ways into other processes, and into the file system past links: `/proc/self/root/…`. */
function judgeProcessPaths(judged: Judged, program: string, args: readonly Given[]): boolean {
  if (/^(?:echo|printf|read)$/.test(program)) return false
  const found = args.find((arg) => {
    const [, inside] = /^[^/]*?[=:@,]([\s\S]*)$/.exec(arg.value ?? '') ?? []
    const ways = [...(pathsOf(arg, judged.scope) ?? []), ...(inside?.startsWith('/') === true ? [resolve(inside)] : [])]
    return ways.some(leadsIntoProcesses) && !isNamed(judged, arg.text)
  })
  if (found === undefined) return false
  judged.judging.refuse(
    `${show(found.text)} leads into other processes or past links, so a rule has to name it. Use the file's own path.`,
  )
  return true
}
