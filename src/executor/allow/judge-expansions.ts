import { forEachChild, type ParsedScript, type SyntaxNode, type Word } from 'unbash'
import { show, type Judging, type Place } from './judging.ts'
import { judgeVariable } from './judge-shell.ts'
import { isNumberWord, namesSetIn, unsafeInSum } from './line/numbers.ts'
import type { Scope } from './line/scope.ts'
import { isVariableName } from './variables.ts'

/** Judges all that the shell expands in a part of the line; `judgeScript` the commands in substitutions. */
export function judgeExpansions(
  { judging, scope }: Place,
  node: SyntaxNode,
  judgeScript: (script: ParsedScript, scope: Scope) => void,
): void {
  const visit = (child: SyntaxNode): void => {
    if (child.type === 'Script') return judgeScript(child, scope.copy())
    judgeNode(judging, child, scope)
    forEachChild(child, visit)
  }
  visit(node)
}

function judgeNode(judging: Judging, node: SyntaxNode, scope: Scope): void {
  const { refuse } = judging
  switch (node.type) {
    case 'ArithmeticExpansion':
    case 'ArithmeticCommand':
      return judgeSum(judging, node.expression, scope)
    case 'ParameterExpansion': {
      const { prefix, operation, parameter, index, text } = node
      const isList = index?.text === '@' || index?.text === '*'
      if (prefix === '!' && operation?.type !== 'Names' && !isList) return refuse(evaluated(text))
      if (index !== undefined && !isList && !isNumberWord(index, scope)) return refuse(evaluated(text))
      if (operation === undefined) return
      if (operation.type === 'Transform' && /[PA]/.test(operation.operand.text)) return refuse(evaluated(text))
      if (operation.type === 'Unknown') return refuse(evaluated(text))
      if (operation.type === 'Slice') {
        const isSafe = [operation.offset, operation.length].every(
          (each) => each === undefined || isNumberWord(each, scope),
        )
        return isSafe ? undefined : refuse(evaluated(text))
      }
      if (operation.type === 'Default' && operation.operator.endsWith('=')) {
        if (!judgeVariable({ judging, matching: [], isExact: false }, parameter, text)) scope.set(parameter, undefined)
      }
      return
    }
    case 'Assignment': {
      const { index, value, text, name } = node
      if (!isVariableName(name)) return refuse(evaluated(text))
      if (index !== undefined && !isNumberWord(index, scope)) return refuse(evaluated(text))
      const isKeyed = value.type === 'ArrayValue' && value.elements.some((each) => each.text.startsWith('['))
      return isKeyed ? refuse(evaluated(text)) : undefined
    }
    case 'TestUnary':
      if ((node.operator === '-v' || node.operator === '-R') && !isVariableName(node.operand.text))
        refuse(evaluated(node.operand.text))
      return
    case 'TestBinary': {
      const isSum = /^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator)
      const unsafe = isSum ? [node.left, node.right].find((word: Word) => !isNumberWord(word, scope)) : undefined
      return unsafe === undefined ? undefined : refuse(evaluated(unsafe.text))
    }
    default:
      return
  }
}

/** A sum of the shell itself, or one in a word. */
export function judgeSum(judging: Judging, expression: Parameters<typeof unsafeInSum>[0], scope: Scope): void {
  for (const name of namesSetIn(expression)) {
    if (judgeVariable({ judging, matching: [], isExact: false }, name, name)) return
  }
  const unsafe = unsafeInSum(expression, scope)
  if (unsafe !== undefined) judging.refuse(evaluated(unsafe))
}

function evaluated(text: string): string {
  return (
    `bash would evaluate the text of ${show(text)}, in which commands may stand. ` +
    `Compare with \`[ "$a" -gt 1 ]\`, and give a variable its number in the same line.`
  )
}
