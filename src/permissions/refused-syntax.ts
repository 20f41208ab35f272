import { forEachChild, type SyntaxNode } from 'unbash'
import { bracedWords } from './resolve-words.ts'

/** Bash syntax that a command line may contain. */
const known: ReadonlySet<string> = new Set(
  `Script Statement AndOr Pipeline Time Negation Command Redirected CompoundList BraceGroup Subshell If Elif While For
  Case CaseItem Word Literal SingleQuoted DoubleQuoted AnsiCQuoted Glob SimpleExpansion ParameterExpansion Default Remove
  Replace Slice CaseModification CommandExpansion ProcessSubstitution BraceExpansion Assignment ArrayValue Redirect
  FileDescriptor HereString HereDoc HereDocDelimiter HereDocBody TestCommand TestUnary TestBinary TestLogical TestNot
  TestGroup ArithmeticExpansion ArithmeticCommand`.split(/\s+/),
)

/** Refused bash syntax: its name in messages, and what to write instead. */
const instead: Partial<Record<SyntaxNode['type'], readonly [string, string]>> = {
  ArithmeticFor: ['`for ((…))`', 'Name the words of the loop: `for n in {1..3}`'],
  Function: ['A function', 'Write its commands out where they run'],
  BraceExpansion: ['`{…}` of that kind', 'Write each word out'],
  ParameterExpansion: ['`${…}` of that kind', 'Use the variable as it is'],
}

export function problemOf(node: SyntaxNode): string | undefined {
  if (node.type === 'Script' && 'errors' in node && node.errors?.[0] !== undefined) {
    const { message, pos } = node.errors[0]
    return `${message} at character ${pos + 1}.`
  }
  if (known.has(node.type) && !isOdd(node)) return undefined
  const type = /^(?:Default|Slice|Transform|Names|Unknown)$/.test(node.type) ? 'ParameterExpansion' : node.type
  const [name, way] = instead[type] ?? ['This kind of command', 'Run the commands in it by themselves']
  return `${name} is not executed here. ${way}.`
}

/** Whether the syntax sets a variable, evaluates a value (`${!a}`), or could not be parsed. */
function isOdd(node: SyntaxNode): boolean {
  if (node.type === 'TestUnary') return /^-[vR]$/.test(node.operator)
  if (node.type === 'BraceExpansion') return bracedWords(node.text) === undefined
  if (node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') return node.script === undefined
  if (node.type === 'Default') return !/^:?[-+]$/.test(node.operator)
  if (node.type === 'Slice') return [node.offset, node.length].some((each) => !/^ ?-?\d+$/.test(each?.text ?? '0'))
  if (node.type !== 'ParameterExpansion') return false
  return node.prefix === '!' || (node.index !== undefined && !/^(?:[@*]|\d+)$/.test(node.index.text))
}

export function numberProblem(text: string): string {
  return `\`${text}\` may be no number, and bash would evaluate it.`
}

/** Whether a statement runs its commands one after the other in the same shell, without pipes and loops. */
export function isPlain(node: SyntaxNode): boolean {
  if (node.type === 'Command') return true
  if (node.type !== 'Statement' && node.type !== 'AndOr' && node.type !== 'Redirected') return false
  let isAll = true
  forEachChild(node, (child) => void (isAll &&= child.type === 'Redirect' || isPlain(child)))
  return isAll
}
