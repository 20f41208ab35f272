import type { ArithmeticExpression, ParsedScript, Word, WordPart } from 'unbash'
import type { Scope } from './scope.ts'

/**
 * Sums are dangerous: bash reads the text of a variable in them as a sum again, and runs commands in it. So only variables
 * that surely hold a number may stand there.
 *
 * @returns the text that is in the way, or `undefined`
 */
export function unsafeInSum(expression: ArithmeticExpression | undefined, scope: Scope): string | undefined {
  if (expression === undefined) return undefined
  switch (expression.type) {
    case 'ArithmeticBinary': {
      const isSet = /^(?:[-+*/%&|^]|<<|>>)?=$/.test(expression.operator)
      const right = unsafeInSum(expression.right, scope)
      if (!isSet || expression.operator !== '=') return unsafeInSum(expression.left, scope) ?? right
      const name = expression.left.type === 'ArithmeticWord' ? expression.left.value.trim() : ''
      if (!/^[A-Za-z_]\w*$/.test(name)) return name === '' ? 'an assignment' : name
      if (right === undefined) scope.set(name, undefined, true)
      return right
    }
    case 'ArithmeticUnary':
      return unsafeInSum(expression.operand, scope)
    case 'ArithmeticTernary':
      return (
        unsafeInSum(expression.test, scope) ??
        unsafeInSum(expression.consequent, scope) ??
        unsafeInSum(expression.alternate, scope)
      )
    case 'ArithmeticGroup':
      return unsafeInSum(expression.expression, scope)
    case 'ArithmeticWord':
      return unsafeWord(expression, scope)
    case 'ArithmeticCommandExpansion':
      return isCount(expression.script) ? undefined : expression.text
  }
}

/** Names that a sum sets. */
export function namesSetIn(expression: ArithmeticExpression | undefined): readonly string[] {
  if (expression === undefined) return []
  switch (expression.type) {
    case 'ArithmeticBinary':
      return [
        ...(/^(?:[-+*/%&|^]|<<|>>)?=$/.test(expression.operator) ? nameOf(expression.left) : []),
        ...namesSetIn(expression.left),
        ...namesSetIn(expression.right),
      ]
    case 'ArithmeticUnary':
      return [
        ...(/\+\+|--/.test(expression.operator) ? nameOf(expression.operand) : []),
        ...namesSetIn(expression.operand),
      ]
    case 'ArithmeticTernary':
      return [expression.test, expression.consequent, expression.alternate].flatMap(namesSetIn)
    case 'ArithmeticGroup':
      return namesSetIn(expression.expression)
    default:
      return []
  }
}

function nameOf(expression: ArithmeticExpression): readonly string[] {
  return expression.type === 'ArithmeticWord' ? [expression.value.trim()] : []
}

function unsafeWord(
  { value, parts }: { readonly value: string; readonly parts?: readonly WordPart[] | undefined },
  scope: Scope,
): string | undefined {
  if (parts === undefined) return isNumeric(value, scope) ? undefined : value
  return parts.every((part) => isNumberPart(part, scope)) ? undefined : value
}

function isNumberPart(part: WordPart, scope: Scope): boolean {
  switch (part.type) {
    case 'Literal':
      return isNumeric(part.value, scope)
    case 'SimpleExpansion':
      return isNumberName(part.text.slice(1), scope)
    case 'ParameterExpansion':
      return (
        part.prefix === '#' ||
        (part.operation === undefined && part.prefix === undefined && isNumberName(part.parameter, scope))
      )
    case 'CommandExpansion':
      return isCount(part.script)
    case 'ArithmeticExpansion':
      return true // Judged by itself.
    case 'DoubleQuoted':
      return part.parts.every((each) => isNumberPart(each, scope))
    default:
      return false
  }
}

function isNumeric(text: string, scope: Scope): boolean {
  const bare = text.trim()
  return /^(?:\d+|0[xX][\da-fA-F]+|\d+#\w+|)$/.test(bare) || isNumberName(bare, scope)
}

function isNumberName(name: string, scope: Scope): boolean {
  return /^(?:[?#!$]|RANDOM|SECONDS|LINENO)$/.test(name) || scope.isNumber(name)
}

/** Whether a word surely is a number. */
export function isNumberWord(word: Word, scope: Scope): boolean {
  if (word.parts === undefined) return /^[-+]?\d+$/.test(word.value)
  return word.parts.length > 0 && word.parts.every((part) => isNumberPart(part, scope)) && word.value.trim() !== ''
}

/** Whether a substitution can give nothing but a number: `$(… | wc -l)`, `$(… | grep -c …)`, `$(date +%s)`. */
export function isCount(script: ParsedScript | undefined): boolean {
  const statement = script?.commands.at(-1)
  if (script?.commands.length !== 1 || statement === undefined) return false
  const { command } = statement
  const last = command.type === 'Pipeline' ? command.commands.at(-1) : command
  if (last?.type !== 'Command' || last.name?.text === undefined) return false
  const words = last.args.map(({ text }) => text)
  if (last.name.text === 'wc')
    return words.length > 0 && words.every((word) => /^-[lcmwL]$/.test(word)) && words.length === 1
  if (last.name.text === 'date') return words.length === 1 && /^["']?\+%s(?:%N)?["']?$/.test(words[0] ?? '')
  return (
    last.name.text === 'grep' &&
    /^-[a-zA-Z]*c[a-zA-Z]*$/.test(words[0] ?? '') &&
    words.length === 2 &&
    !/[rRHe]/.test(words[0] ?? '')
  )
}
