import { basename, join } from 'node:path'
import { isRunner, refuseOwnCode } from './judge-own-code.ts'
import { refuseOwnSettings } from './judge-own-settings.ts'
import { isNamed, pathsOf, show, type Judged } from './judging.ts'
import type { Given } from './line/words.ts'
import { codeOf, interpreterOf, isActingAwk, readsCommands } from './programs/interpreters.ts'
import { readArguments, valuesOfOptions } from './programs/options.ts'
import { isHarmlessScript } from './programs/sed.ts'
import { hasStartingWords, startsByWord } from './programs/starting-words.ts'
import { hasStartingOptions, intruders, starters, startsByOption, takesLines } from './programs/wrappers.ts'

/** What a program may not do although a rule allows it, unless a rule names it. `true`: it was refused. */
export function judgePrograms(judged: Judged, words: readonly Given[]): boolean {
  const [first, ...args] = words
  if (first?.value === undefined) return false
  const program = basename(first.value)
  return (
    refuseOwnProgram(judged, first) ||
    refuseOwnInput(judged, program, args) ||
    refuseIntruder(judged, program) ||
    refuseCode(judged, program, args) ||
    refuseScript(judged, program, args) ||
    refuseOption(judged, program, args) ||
    refuseOwnCode(judged, program, args) ||
    (starters.has(program) && refuseStarted(judged, program, args)) ||
    refuseOwnSettings(judged, program, args)
  )
}

function refuseOwnProgram({ judging, scope }: Judged, program: Given): boolean {
  const { files, refuse } = judging
  const { value = '' } = program
  const paths = value.includes('/')
    ? (pathsOf(program, scope) ?? [])
    : (scope.valuesOf('PATH') ?? []).flatMap((path) =>
        path.split(':').flatMap((folder) => pathsOf({ ...program, value: join(folder || '.', value) }, scope) ?? []),
      )
  if (value.includes('/') && pathsOf(program, scope) === undefined) {
    refuse(`Where ${show(value)} is cannot be known here: give its absolute path.`)
    return true
  }
  if (!paths.some((path) => files.isOrLoadsOwn(path))) return false
  refuse(`${show(value)} ${ownProgram}`)
  return true
}

const ownProgram =
  'is a program that you wrote yourself in this run, or may load one, so what it prints shows nothing. Use the product where it is.'

/** In what a client of a database reads there may be commands: `.shell`. */
function refuseOwnInput(judged: Judged, program: string, args: readonly Given[]): boolean {
  if (!readsCommands(program, args) || judged.hasInput() || isNamed(judged, program, '-')) return false
  judged.judging.refuse(
    `${show(program)} may find commands in its standard input. Give it its words as an argument, or a file of the product.`,
  )
  return true
}

function refuseIntruder(judged: Judged, program: string): boolean {
  if (!intruders.has(program) || isNamed(judged, program)) return false
  const rule = `Bash(${program} *)`
  judged.judging.refuse(
    `${show(program)} reaches into other processes, so a rule has to name it: \`allow: ["${rule}"]\`.`,
    rule,
  )
  return true
}

function refuseCode(judged: Judged, program: string, args: readonly Given[]): boolean {
  const interpreter = interpreterOf(program)
  if (interpreter === undefined) return false
  const { refuse, files: known } = judged.judging
  const { flag, files, values, isInput } = codeOf(interpreter, args)
  if (flag !== undefined) {
    if (flag.value === undefined) {
      if (isNamed(judged, program, flag.text)) return false
      refuse(
        `What ${show(program)} gets with ${show(flag.text)} cannot be known, it may be code: write the file's name out.`,
      )
      return true
    }
    if (isNamed(judged, program, flag.value)) return false
    const announced = flag.value.split('=')[0]?.slice(0, 40) ?? ''
    const rule = `Bash(${program} ${announced} *)`
    refuse(
      `${show(`${program} ${announced}`)} runs code of your own, which shows nothing of the product. ` +
        `Use the product, or ask for a rule that names it: \`allow: ["${rule}"]\`.`,
      rule,
    )
    return true
  }
  if (isInput && !judged.hasInput() && !isNamed(judged, program, '-')) {
    refuse(`${show(program)} without a file reads code from standard input. Give it the file of the product.`)
    return true
  }
  const loaded = values.find((value) => pathsOf(value, judged.scope)?.some((path) => known.isOwn(path)) === true)
  if (loaded !== undefined) {
    refuse(
      `${show(loaded.text)} gives ${show(program)} a file of your own, which may change what it runs. Leave it out.`,
    )
    return true
  }
  const places = [...files, ...(files.length === 0 && /^g?make$/.test(program) ? makefiles : [])]
  for (const file of places) {
    const paths = pathsOf(file, judged.scope)
    if (paths === undefined || file.isPattern || file.isPipe) {
      refuse(`Which file ${show(program)} runs cannot be known from ${show(file.text)}: write its absolute path.`)
      return true
    }
    if (paths.some((path) => /^\/dev\/(?!null$)/.test(path))) {
      refuse(`${show(program)} would read code from ${show(file.text)}. Give it the file of the product.`)
      return true
    }
    const own = paths
      .flatMap((path) => interpreter.endings.map((ending) => `${path}${ending}`))
      .find((path) => known.isOrLoadsOwn(path))
    if (own === undefined) continue
    refuse(`${show(file.text)} ${ownProgram}`)
    return true
  }
  return false
}

const makefiles: readonly Given[] = ['GNUmakefile', 'makefile', 'Makefile'].map((value) => ({
  text: value,
  value,
  isPattern: false,
  isPipe: false,
  isOne: true,
}))

/** Scripts of `awk` and `sed` that do more than change text. */
function refuseScript(judged: Judged, program: string, args: readonly Given[]): boolean {
  const isAwk = /^[gmn]?awk$/.test(program)
  if ((!isAwk && program !== 'sed') || judged.isExact) return false
  const { refuse, files: known } = judged.judging
  const given = readArguments(
    args,
    isAwk
      ? '-e --source -f --file -F -v -l --load -i --include -E --exec'
      : '-e --expression -f --file -l --line-length',
    isAwk,
  )
  const files = valuesOfOptions(given, '-f', '--file', '-E', '--exec')
  // Modules of `awk` write files, and start programs.
  const loaded = isAwk ? valuesOfOptions(given, '-i', '--include', '-l', '--load') : []
  const scripts = [...valuesOfOptions(given, '-e', '--expression', '--source')]
  if (scripts.length === 0 && files.length === 0) scripts.push(...given.operands.slice(0, 1))
  const isActing = scripts.some(
    ({ value }) => value === undefined || (isAwk ? isActingAwk(value) : !isHarmlessScript(value)),
  )
  const isUnknown = files.some(
    (file) => pathsOf(file, judged.scope)?.some((path) => known.isOwn(path) || path.startsWith('/dev/')) !== false,
  )
  if (!isActing && !isUnknown && loaded.length === 0) return false
  refuse(
    `The script of ${show(program)} may start commands or write files. Print with the product, and filter with grep, cut or sort.`,
  )
  return true
}

function refuseOption(judged: Judged, program: string, args: readonly Given[]): boolean {
  const option =
    args.find(({ value }) => value !== undefined && startsByOption(program, value.slice(0, 300)))?.value ??
    startsByWord(program, args)
  if (option === undefined) return refuseUnknownOption(judged, program, args)
  if (isNamed(judged, program, option)) return false
  const rule = `Bash(${program} ${option} *)`
  judged.judging.refuse(
    `${show(`${program} ${option}`)} can start other commands or act elsewhere, so a rule has to name it.`,
    judged.isExact ? undefined : rule,
  )
  return true
}

/** A word that nobody knows may be such an option: `git $x`. */
function refuseUnknownOption(judged: Judged, program: string, args: readonly Given[]): boolean {
  // Without a rule it is refused in any case, with the rule that would allow it.
  if (judged.matching.length === 0) return false
  if (!hasStartingOptions(program) && !hasStartingWords(program) && !starters.has(program)) return false
  const unknown = optionsOf(program, args).find(
    (arg) => arg.value === undefined && mayBeOption(program, arg) && !isNamed(judged, program, arg.text),
  )
  if (unknown === undefined) return false
  judged.judging.refuse(
    `What ${show(unknown.text)} is cannot be known here, and ${show(program)} has options that start commands: write it out.`,
  )
  return true
}

/** Behind `--` there are none, but for programs that start what stands there. */
function optionsOf(program: string, args: readonly Given[]): readonly Given[] {
  const isScript = /^(?:run|run-script|test|t|start|stop|restart)$/.test(args[0]?.value ?? '')
  const end = args.findIndex(({ value }) => value === '--')
  return end === -1 || (starters.has(program) && !(isManager(program) && isScript)) ? args : args.slice(0, end)
}

/** A word whose beginning is not known, or the name of an option that starts something. */
function mayBeOption(program: string, { text, isPipe, isOne }: Given): boolean {
  if (isPipe || (isOne && /^\$[!?#]$/.test(text))) return false
  const [start = ''] = /^[^$`…{*?[]*/.exec(text.replaceAll(/["'\\]/g, '')) ?? []
  return start === '' || (start.startsWith('-') && (!start.includes('=') || startsByOption(program, start)))
}

/** Programs that start one of a package, and give it the words behind. */
function isOfPackages(program: string): boolean {
  return (
    isManager(program) || /^(?:npx|bunx|pnpx|uvx|pipx|docker|podman|kubectl|find|cross-env|dotenv\w*)$/.test(program)
  )
}

function isManager(program: string): boolean {
  return /^(?:npm|pnpm|yarn|bun|uv|poetry|pdm|conda|bundle)$/.test(program)
}

/** With the name of a program in the place of the first word. */
function named(name: string, [first, ...args]: readonly Given[]): readonly Given[] {
  if (first?.value === undefined) return []
  return [first.value.includes('/') ? first : { ...first, value: name }, ...args]
}

/** What a starter starts is judged wherever it may begin among its arguments. */
function refuseStarted(judged: Judged, program: string, args: readonly Given[]): boolean {
  const { refuse } = judged.judging
  const line = takesLines.has(program)
    ? args.find(
        (arg) => /[\s;|&<>$`]/.test(arg.value ?? '') && arg.value !== ';' && !isNamed(judged, program, arg.text),
      )
    : undefined
  if (line !== undefined) {
    refuse(`${show(program)} may take ${show(line.text)} for a command line. Run that by itself.`)
    return true
  }
  const [first] = args.filter(({ value }) => value === undefined || !value.startsWith('-'))
  if (isManager(program) && first?.value === 'node') return judgePrograms(judged, args.slice(args.indexOf(first)))
  if (isManager(program) && !/^(?:exec|x|dlx|run|node)$/.test(first?.value ?? '')) return false
  const started = args.flatMap((arg, index) => {
    const isOption = arg.value === undefined || arg.value.startsWith('-') || (isManager(program) && arg === first)
    return isOption ? [] : [index]
  })
  return started.some((index, nth) => {
    const { value = '' } = args[index] ?? {}
    // `npx tsx@4` is `npx tsx`.
    const name = basename(value).replace(/(?<=.)@[^@]*$/, '')
    const isProgram = interpreterOf(name) !== undefined || starters.has(name) || intruders.has(name) || isRunner(name)
    // Behind an option that may have taken it, the next word may be the program.
    const isFirst = nth === 0 || (nth === 1 && args[(started[0] ?? 0) - 1]?.value?.startsWith('-') === true)
    return (
      (isProgram || ((isFirst || !isOfPackages(program)) && value.includes('/'))) &&
      judgePrograms({ ...judged, hasInput: () => true }, named(name, args.slice(index)))
    )
  })
}
