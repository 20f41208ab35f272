import { forEachChild, parse, type ParsedScript, type SyntaxNode } from 'unbash'

export type ReadLine =
  | { readonly ok: true; readonly script: ParsedScript }
  | { readonly ok: false; readonly problem: string; /** Index in the line. */ readonly at?: number }

/** In UTF-16 code units. */
const maxCharacters = 64 * 1024

/** How often something may begin that is read by itself: each costs a pass over what is in it. */
const maxOpenings = 64

/** How many variables a line may use, and words it may have. Nobody means more. */
const maxVariables = 512
const maxWords = 2000

/** Reads a line as bash does. What bash would not read, or only after asking for more, is a problem. Never throws. */
export function readLine(line: string): ReadLine {
  if (line.length > maxCharacters) return { ok: false, problem: 'it is longer than 64 KiB' }
  // eslint-disable-next-line no-control-regex
  const [control] = /[\0-\u0008\u000b-\u001f\u007f]/.exec(line) ?? []
  if (control !== undefined) return { ok: false, problem: 'it holds a control character', at: line.indexOf(control) }
  const openings = line.match(/\$[({]|`|<<|[<>]\(/g)?.length ?? 0
  if (openings > maxOpenings) return { ok: false, problem: `it holds more than ${maxOpenings} substitutions` }
  if (line.split('$').length > maxVariables)
    return { ok: false, problem: `it holds more than ${maxVariables} variables` }
  if (line.split(/[\s;&|]+/).length > maxWords) return { ok: false, problem: `it has more than ${maxWords} words` }
  try {
    const script = parse(line)
    const error = firstError(script)
    return error === undefined ? { ok: true, script } : { ok: false, problem: error.message, at: error.pos }
  } catch (error) {
    return { ok: false, problem: error instanceof RangeError ? 'it is nested too deeply' : String(error) }
  }
}

/** Also what stands in substitutions has to be read to its end. */
function firstError(node: SyntaxNode): { readonly message: string; readonly pos: number } | undefined {
  if (node.type === 'Script' && node.errors?.[0] !== undefined) return node.errors[0]
  if (node.type === 'HereDoc' && node.closing === undefined) {
    return { message: 'the here-document has no end', pos: node.pos }
  }
  let found: ReturnType<typeof firstError>
  forEachChild(node, (child) => {
    found ??= firstError(child)
  })
  return found
}
